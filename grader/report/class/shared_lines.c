/* shared_lines.c: see shared_lines.h. A token is a number that is equal for equal signs, and of a
 * name how far back the same name stands, which counts only within the run that is compared. */
#include "report/class/shared_lines.h"

#include "base/hash_index.h"
#include "source/source_tokens.h"

#include <string.h>

/* How many places of a gram are looked at, and how many names with one hash: text that repeats
 * itself a thousand times has as many, and names can be made up that have one. */
enum { PLACES_MAX = 16, NAMES_MAX = 64 };

struct flat_token {
    uint64_t sign; /* hash of a sign's text or of its kind */
    size_t back;   /* of a name: how many tokens before the same name stands; 0: nowhere */
    size_t file;
    int line;
    bool is_known, is_taken;
};

/* The tokens of all files of one side, and the places of each gram. */
struct flat_side {
    struct flat_token *tokens; /* [count] */
    size_t count;
    struct hash_index grams; /* of SHARED_TOKENS_LEAST tokens from each place on */
};

static uint64_t sign_of(const struct source_token *token)
{
    uint64_t hash = hash_number(HASH_START, token->kind);

    for (uint32_t i = 0; token->kind == TOKEN_SIGN && i < token->length; i++) {
        hash = hash_number(hash, (unsigned char)token->text[i]);
    }
    return hash;
}

static uint64_t hash_name(const struct source_token *token)
{
    uint64_t hash = HASH_START;

    for (uint32_t i = 0; i < token->length; i++) {
        hash = hash_number(hash, (unsigned char)token->text[i]);
    }
    return hash;
}

/* Appends the tokens of a file. */
static void flatten_file(const struct source_tokens *tokens, size_t file, struct flat_side *side,
                         struct arena *scratch)
{
    struct hash_index names = {.count = 0};

    for (size_t i = 0; i < tokens->count; i++) {
        const struct source_token *token = &tokens->tokens[i];
        struct flat_token flat = {.sign = sign_of(token), .file = file, .line = token->line};
        uint64_t hash = token->kind == TOKEN_NAME ? hash_name(token) : i;
        size_t before = HASH_INDEX_NONE;
        if (token->kind == TOKEN_NAME) {
            size_t looked = 0;
            before = hash_index_first(&names, hash);
            while (before != HASH_INDEX_NONE && !token_same_name(tokens, before, i)) {
                before = ++looked < NAMES_MAX ? hash_index_next(&names, before) : HASH_INDEX_NONE;
            }
        }
        flat.back = before == HASH_INDEX_NONE ? 0 : i - before;
        hash_index_add(&names, scratch, hash);
        side->tokens[side->count++] = flat;
    }
}

/* True if a gram starts there: so many tokens of one file. */
static bool has_gram(const struct flat_side *side, size_t at)
{
    return at + SHARED_TOKENS_LEAST <= side->count &&
           side->tokens[at + SHARED_TOKENS_LEAST - 1].file == side->tokens[at].file;
}

/* How far back, within a run that started `offset` tokens before. */
static size_t back_within(const struct flat_token *token, size_t offset)
{
    return token->back <= offset ? token->back : 0;
}

static uint64_t hash_gram(const struct flat_side *side, size_t at)
{
    uint64_t hash = HASH_START;

    for (size_t i = 0; has_gram(side, at) && i < SHARED_TOKENS_LEAST; i++) {
        hash = hash_number(hash, side->tokens[at + i].sign);
        hash = hash_number(hash, back_within(&side->tokens[at + i], i));
    }
    return hash;
}

static struct flat_side flatten(const struct shared_files *files, bool *is_compared,
                                struct arena *scratch)
{
    struct flat_side side = {.count = 0};
    size_t total = 0;

    for (size_t i = 0; i < files->count; i++) {
        size_t count = source_tokens_count(&files->files[i]);
        is_compared[i] = count <= SHARED_TOKENS_MAX - total;
        total += is_compared[i] ? count : 0;
    }
    side.tokens = arena_array(scratch, total, sizeof *side.tokens);
    for (size_t i = 0; i < files->count; i++) {
        struct source_tokens tokens;
        if (is_compared[i]) {
            source_tokens_read(scratch, &files->files[i], &tokens);
            flatten_file(&tokens, i, &side, scratch);
        }
    }
    for (size_t i = 0; i < side.count; i++) {
        hash_index_add(&side.grams, scratch, hash_gram(&side, i));
    }
    return side;
}

/* How many tokens are the same from two places on, none of which is taken. */
static size_t common_length(const struct flat_side *left, size_t left_at,
                            const struct flat_side *right, size_t right_at)
{
    size_t length = 0;

    for (; left_at + length < left->count && right_at + length < right->count; length++) {
        const struct flat_token *a = &left->tokens[left_at + length];
        const struct flat_token *b = &right->tokens[right_at + length];
        if (a->is_taken || b->is_taken || a->sign != b->sign ||
            a->file != left->tokens[left_at].file || b->file != right->tokens[right_at].file ||
            back_within(a, length) != back_within(b, length)) {
            break;
        }
    }
    return length;
}

/* The longest run that starts at a place of the left side; 0 if none is long enough. */
static size_t longest_run(const struct flat_side *left, size_t at, const struct flat_side *right,
                          size_t *out_right)
{
    size_t longest = 0, looked = 0;
    size_t place =
        has_gram(left, at) ? hash_index_first(&right->grams, hash_gram(left, at)) : HASH_INDEX_NONE;

    for (; place != HASH_INDEX_NONE && looked < PLACES_MAX;
         place = hash_index_next(&right->grams, place), looked++) {
        size_t length = common_length(left, at, right, place);
        if (length >= SHARED_TOKENS_LEAST && length >= longest) {
            longest = length;
            *out_right = place;
        }
    }
    return longest;
}

/* Marks what is in the known files too. */
static void mark_known(struct flat_side *side, const struct flat_side *known)
{
    size_t place;

    for (size_t i = 0; i < side->count;) {
        size_t length = longest_run(side, i, known, &place);
        for (size_t j = 0; j < length; j++) {
            side->tokens[i + j].is_known = true;
        }
        i += length > 0 ? length : 1;
    }
}

static size_t count_own(const struct flat_token *tokens, size_t length)
{
    size_t own = 0;

    for (size_t i = 0; i < length; i++) {
        own += !tokens[i].is_known;
    }
    return own;
}

/* The lines of a run, from the first that is in no known file to the last; all, if all are. */
static struct shared_place place_of(const struct flat_token *tokens, size_t length)
{
    size_t first = 0, last = length - 1;

    while (first < last && tokens[first].is_known) {
        first++;
    }
    while (last > first && tokens[last].is_known) {
        last--;
    }
    return (struct shared_place){
        .file = tokens[0].file, .first_line = tokens[first].line, .last_line = tokens[last].line};
}

/* At least the number of lines. */
static size_t count_lines(const struct source_file *file)
{
    size_t lines = 1;

    for (size_t i = 0; i < file->length; i++) {
        lines += file->text[i] == '\n' || file->text[i] == '\r';
    }
    return lines;
}

static uint32_t **make_lines(const struct shared_files *files, const bool *is_compared,
                             struct arena *arena)
{
    uint32_t **lines = arena_array(arena, files->count, sizeof *lines);

    for (size_t i = 0; i < files->count; i++) {
        lines[i] = is_compared[i]
                       ? arena_array(arena, count_lines(&files->files[i]) + 1, sizeof *lines[i])
                       : NULL;
    }
    return lines;
}

static void take(struct flat_token *tokens, size_t length, uint32_t run, uint32_t **lines)
{
    for (size_t i = 0; i < length; i++) {
        uint32_t *line = &lines[tokens[i].file][tokens[i].line];
        tokens[i].is_taken = true;
        if (!tokens[i].is_known && *line == 0) {
            *line = run;
        }
    }
}

void shared_lines_find(const struct shared_files sides[2], const struct shared_files *known,
                       struct arena *arena, struct shared_lines *out_lines)
{
    struct arena *scratch = arena_new();
    bool *is_compared[2] = {arena_array(scratch, sides[0].count, sizeof(bool)),
                            arena_array(scratch, sides[1].count, sizeof(bool))};
    struct flat_side left = flatten(&sides[0], is_compared[0], scratch);
    struct flat_side right = flatten(&sides[1], is_compared[1], scratch);
    struct flat_side common =
        flatten(known, arena_array(scratch, known->count, sizeof(bool)), scratch);
    uint32_t **lines[2] = {make_lines(&sides[0], is_compared[0], arena),
                           make_lines(&sides[1], is_compared[1], arena)};
    struct shared_run *runs = NULL;
    size_t count = 0, capacity = 0, place = 0;

    mark_known(&left, &common);
    mark_known(&right, &common);
    for (size_t i = 0; i < left.count;) {
        size_t length = longest_run(&left, i, &right, &place);
        if (length == 0 || count_own(left.tokens + i, length) < SHARED_OWN_LEAST) {
            i += length > 0 ? length : 1;
            continue;
        }
        arena_grow(arena, &runs, &capacity, count + 1, sizeof *runs);
        runs[count++] = (struct shared_run){
            .places = {place_of(left.tokens + i, length), place_of(right.tokens + place, length)},
            .tokens = length};
        take(left.tokens + i, length, (uint32_t)count, lines[0]);
        take(right.tokens + place, length, (uint32_t)count, lines[1]);
        i += length;
    }
    arena_free(scratch);
    *out_lines = (struct shared_lines){
        .runs = runs,
        .count = count,
        .lines = {(const uint32_t *const *)lines[0], (const uint32_t *const *)lines[1]}};
}
