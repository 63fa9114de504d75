/* edit_place.c: see edit_place.h. */
#include "diagnosis/fixes/edit_place.h"

#include "source/source_tokens.h"

#include <stdlib.h>
#include <string.h>

enum { OPERAND_BYTES_MAX = 40 };

/* A line as it is and as it would be; the tokens [first, old_end) would become [first, new_end). */
struct edited_line {
    struct source_tokens old, new;
    size_t first, old_end, new_end;
};

static void read_line(struct arena *arena, const char *text, struct source_tokens *out_tokens)
{
    struct source_file *file = arena_alloc(arena, sizeof *file);

    *file = (struct source_file){"", text, strlen(text)};
    source_tokens_read(arena, file, out_tokens);
}

static bool same_text(const struct source_token *left, const struct source_token *right)
{
    return left->kind == right->kind && left->length == right->length &&
           memcmp(left->text, right->text, left->length) == 0;
}

static void compare_lines(struct edited_line *line)
{
    const struct source_token *old = line->old.tokens;
    const struct source_token *new = line->new.tokens;
    size_t least = line->old.count < line->new.count ? line->old.count : line->new.count;
    size_t same = 0;

    while (line->first < least && same_text(&old[line->first], &new[line->first])) {
        line->first++;
    }
    while (same < least - line->first &&
           same_text(&old[line->old.count - 1 - same], &new[line->new.count - 1 - same])) {
        same++;
    }
    line->old_end = line->old.count - same;
    line->new_end = line->new.count - same;
}

static bool is_sign(const struct source_tokens *tokens, size_t at, const char *const *signs,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (token_is(tokens, at, TOKEN_SIGN, signs[i])) {
            return true;
        }
    }
    return false;
}

/* True if the tokens [first, end) are one sign of + and -, and a 1. */
static bool is_offset_of_one(const struct source_tokens *tokens, size_t first, size_t end)
{
    static const char *const signs[] = {"+", "-"};

    return end == first + 2 && is_sign(tokens, first, signs, 2) &&
           token_is(tokens, first + 1, TOKEN_NUMBER, "1");
}

static bool differ_by_one(const struct source_token *left, const struct source_token *right)
{
    long one = strtol(left->text, NULL, 0);
    long other = strtol(right->text, NULL, 0);

    return one - other == 1 || other - one == 1;
}

/* True if the same tokens are there in another order. */
static bool is_exchange(const struct edited_line *line)
{
    size_t count = line->old_end - line->first;

    if (count < 3 || line->new_end - line->first != count) {
        return false;
    }
    for (size_t i = line->first; i < line->old_end; i++) {
        size_t before = 0, after = 0;
        for (size_t j = line->first; j < line->old_end; j++) {
            before += same_text(&line->old.tokens[i], &line->old.tokens[j]);
            after += same_text(&line->old.tokens[i], &line->new.tokens[j]);
        }
        if (before != after) {
            return false;
        }
    }
    return true;
}

/* True if a token lies in brackets, those of an index or, with "(", of the head of a loop. */
static bool is_within(const struct source_tokens *tokens, size_t at, const char *open)
{
    for (size_t i = at; i > 0;) {
        i--;
        if (token_is(tokens, i, TOKEN_SIGN, open) && token_close(tokens, i) > at) {
            return open[0] == '[' || (i > 0 && (token_is(tokens, i - 1, TOKEN_NAME, "for") ||
                                                token_is(tokens, i - 1, TOKEN_NAME, "while") ||
                                                token_is(tokens, i - 1, TOKEN_NAME, "if")));
        }
    }
    return false;
}

/* True if a token lies in the brackets of an array's declaration: float part[N / 2]. */
static bool is_size(const struct source_tokens *tokens, size_t at)
{
    for (size_t i = at; i > 1;) {
        i--;
        if (token_is(tokens, i, TOKEN_SIGN, "[") && token_close(tokens, i) > at) {
            return tokens->tokens[i - 1].kind == TOKEN_NAME &&
                   tokens->tokens[i - 2].kind == TOKEN_NAME &&
                   !token_is(tokens, i - 2, TOKEN_NAME, "return");
        }
    }
    return false;
}

static const char *kind_of_sign(const struct edited_line *line)
{
    static const char *const compares[] = {"<", "<=", ">", ">=", "==", "!="};
    static const char *const sums[] = {"+", "-"};
    const size_t at = line->first;

    return is_sign(&line->old, at, compares, 6) && is_sign(&line->new, at, compares, 6)
               ? "another comparison"
           : is_sign(&line->old, at, sums, 2) && is_sign(&line->new, at, sums, 2)
               ? "another sign"
               : "another operator";
}

/* True if all that differs is comparisons, at more than one place. */
static bool are_comparisons(const struct edited_line *line)
{
    static const char *const compares[] = {"<", "<=", ">", ">=", "==", "!="};
    size_t changed = 0;

    for (size_t i = line->first; i < line->old_end && line->old_end == line->new_end; i++) {
        if (same_text(&line->old.tokens[i], &line->new.tokens[i])) {
            continue;
        }
        if (!is_sign(&line->old, i, compares, 6) || !is_sign(&line->new, i, compares, 6)) {
            return false;
        }
        changed++;
    }
    return changed > 1;
}

static bool is_type(const struct source_token *token)
{
    static const char *const types[] = {"bool", "char",  "short",  "int",   "unsigned",
                                        "long", "float", "double", "size_t"};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (token->kind == TOKEN_NAME && token->length == strlen(types[i]) &&
            memcmp(token->text, types[i], token->length) == 0) {
            return true;
        }
    }
    return false;
}

/* True if all that differs is names of types. */
static bool are_types(const struct edited_line *line)
{
    size_t changed = 0;

    for (size_t i = line->first; i < line->old_end && line->old_end == line->new_end; i++) {
        const struct source_token *old = &line->old.tokens[i];
        const struct source_token *new = &line->new.tokens[i];
        if (!same_text(old, new) && !(is_type(old) && is_type(new))) {
            return false;
        }
        changed += same_text(old, new) ? 0 : 1;
    }
    return changed > 0;
}

/* True if names differ at more than one place, and nothing else. */
static bool are_names(const struct edited_line *line)
{
    size_t changed = 0;

    for (size_t i = line->first; i < line->old_end && line->old_end == line->new_end; i++) {
        if (same_text(&line->old.tokens[i], &line->new.tokens[i])) {
            continue;
        }
        if (line->old.tokens[i].kind != TOKEN_NAME || line->new.tokens[i].kind != TOKEN_NAME) {
            return false;
        }
        changed++;
    }
    return changed > 1 && line->old_end == line->new_end;
}

/* True if the only change is brackets around the tokens [first, old_end). */
static bool is_bracketing(const struct edited_line *line)
{
    const size_t count = line->old_end - line->first;

    if (line->new_end - line->first != count + 2 ||
        !token_is(&line->new, line->first, TOKEN_SIGN, "(") ||
        !token_is(&line->new, line->new_end - 1, TOKEN_SIGN, ")")) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!same_text(&line->old.tokens[line->first + i],
                       &line->new.tokens[line->first + 1 + i])) {
            return false;
        }
    }
    return true;
}

/* True if what is added ends with a sign, so that it goes with what follows. */
static bool is_before_operand(const struct edited_line *line)
{
    static const char *const sums[] = {"+", "-", "*", "/"};

    return line->old_end == line->first && line->new_end > line->first + 1 &&
           line->old_end < line->old.count && is_sign(&line->new, line->new_end - 1, sums, 4);
}

/* The start and the end of a loop. */
static bool is_range(const struct edited_line *line)
{
    return line->old_end == line->new_end && line->old_end == line->first + 4 &&
           token_is(&line->old, line->first + 1, TOKEN_SIGN, ";");
}

/* A loop that would double its counter where it halves it, or the other way round. */
static bool is_turned(const struct edited_line *line)
{
    static const char *const grows[] = {"*=", "<<"};
    static const char *const shrinks[] = {"/=", ">>"};
    const size_t old = line->old_end - 1, new = line->new_end - 1;

    return line->old_end > line->first + 3 && line->new_end > line->first + 3 &&
           ((is_sign(&line->old, old, grows, 2) && is_sign(&line->new, new, shrinks, 2)) ||
            (is_sign(&line->old, old, shrinks, 2) && is_sign(&line->new, new, grows, 2)));
}

static const char *kind_of_several(const struct edited_line *line)
{
    return are_types(line)           ? "another type"
           : is_bracketing(line)     ? "brackets"
           : is_before_operand(line) ? "one more term"
           : is_turned(line)         ? "the loop the other way round"
           : is_exchange(line)       ? "another order"
           : are_comparisons(line)   ? "other comparisons"
           : is_range(line)          ? "another start and end"
           : are_names(line)         ? "other variables"
                                     : NULL;
}

/* True if the name that ends before a token is a limit of a type, such as INT_MAX. */
static bool is_limit(const struct source_tokens *tokens, size_t end)
{
    const struct source_token *last = &tokens->tokens[end > 0 ? end - 1 : 0];

    return end > 0 && last->kind == TOKEN_NAME && last->length > 4 &&
           (memcmp(last->text + last->length - 4, "_MIN", 4) == 0 ||
            memcmp(last->text + last->length - 4, "_MAX", 4) == 0);
}

static bool is_coordinate(const struct source_token *token)
{
    static const char *const names[] = {"threadIdx", "blockIdx"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (token->kind == TOKEN_NAME && token->length == strlen(names[i]) &&
            memcmp(token->text, names[i], token->length) == 0) {
            return true;
        }
    }
    return false;
}

static const char *kind_of(const struct edited_line *line)
{
    const char *several = kind_of_several(line);

    if (several != NULL) {
        return several;
    }
    const size_t at = line->first;
    const size_t old_count = line->old_end - at, new_count = line->new_end - at;
    const struct source_token *old = &line->old.tokens[at];
    const struct source_token *new = &line->new.tokens[at];
    bool is_one = old_count == 1 && new_count == 1 && old->kind == new->kind;

    if ((new_count == 0 && is_offset_of_one(&line->old, at, line->old_end)) ||
        (old_count == 0 && is_offset_of_one(&line->new, at, line->new_end)) ||
        (is_one && old->kind == TOKEN_NUMBER && differ_by_one(old, new))) {
        return "an offset of one";
    }
    if (is_limit(&line->old, line->old_end) && is_limit(&line->new, line->new_end)) {
        return "another limit";
    }
    if (is_one && old->kind == TOKEN_SIGN) {
        return kind_of_sign(line);
    }
    if (new_count == 3 && is_coordinate(new)) {
        return "another index";
    }
    if (is_within(&line->old, at, "[")) {
        return is_size(&line->old, at) ? "another size" : "another index";
    }
    if (is_within(&line->old, at, "(")) {
        return "another bound";
    }
    if (is_one && old->kind == TOKEN_NAME && token_is(&line->old, at + 1, TOKEN_SIGN, "(")) {
        return "another function";
    }
    return is_one && old->kind == TOKEN_NAME     ? "another variable"
           : is_one && old->kind == TOKEN_NUMBER ? "another number"
                                                 : "another expression";
}

static bool is_operand(const struct source_tokens *tokens, size_t at)
{
    return at < tokens->count &&
           (tokens->tokens[at].kind == TOKEN_NAME || tokens->tokens[at].kind == TOKEN_NUMBER);
}

/* Takes in the member of a name, and the other ends of brackets. */
static void widen_ends(const struct edited_line *line, size_t *first, size_t *end)
{
    const struct source_tokens *old = &line->old;

    if (*end > *first + 1 && token_is(old, *end, TOKEN_SIGN, ".") && is_operand(old, *end + 1)) {
        *end += 2;
    }
    for (size_t i = *first; i < *end; i++) {
        const bool is_close =
            token_is(old, i, TOKEN_SIGN, ")") || token_is(old, i, TOKEN_SIGN, "]");
        if (is_close && old->partners[i] < *first) {
            *first = old->partners[i];
        }
        if (token_is(old, i, TOKEN_SIGN, "[") && token_close(old, i) > *end) {
            *end = token_close(old, i);
        }
    }
}

/* Takes in all of the head of a loop. */
static void widen_head(const struct edited_line *line, size_t *first, size_t *end)
{
    while (*first > 0 && !token_is(&line->old, *first - 1, TOKEN_SIGN, "(")) {
        (*first)--;
    }
    *end = *first > 0 ? line->old.partners[*first - 1] : *end;
}

/* Takes in what a member belongs to, and, where something would be put in, what it follows. */
static void widen(struct edited_line *line, size_t *out_first, size_t *out_end)
{
    size_t first = line->first;
    size_t end = line->old_end;

    widen_ends(line, &first, &end);
    if (is_turned(line)) {
        widen_head(line, &first, &end);
    } else if (is_bracketing(line)) { /* the cast, and what it is of */
        end = first + 1;
        first = first > 0 && line->old.partners[first - 1] < first ? line->old.partners[first - 1]
                                                                   : first;
    } else if (are_types(line) || are_comparisons(line)) {
        end = first + 1;
    } else if (is_before_operand(line)) {
        end = first + (token_is(&line->old, first + 1, TOKEN_SIGN, ".") ? 3 : 1);
    } else if (end == first && first > 0) {
        first--;
        while (first > 0 && token_is(&line->old, first, TOKEN_SIGN, "]") &&
               line->old.partners[first] < first) {
            first = line->old.partners[first] - 1;
        }
    }
    while (first >= 2 && token_is(&line->old, first - 1, TOKEN_SIGN, ".")) {
        first -= 2;
    }
    *out_first = first;
    *out_end = end;
}

/* True if a token is in the first part of the head of a for. */
static bool is_in_start(const struct source_tokens *tokens, size_t at)
{
    for (size_t i = at; i > 1; i--) {
        if (token_is(tokens, i - 1, TOKEN_SIGN, ";") || token_is(tokens, i - 1, TOKEN_SIGN, "[")) {
            return false;
        }
        if (token_is(tokens, i - 2, TOKEN_NAME, "for")) {
            return token_is(tokens, i - 1, TOKEN_SIGN, "(");
        }
    }
    return false;
}

bool edit_place_find(struct arena *arena, const struct line_fixes *change,
                     struct edit_place *out_place)
{
    const struct line_fix *fix = &change->lines[0];
    struct edited_line line = {.first = 0};
    size_t first, end;

    if (change->count != 1 || fix->before == NULL || fix->after == NULL) {
        return false;
    }
    read_line(arena, fix->before, &line.old);
    read_line(arena, fix->after, &line.new);
    compare_lines(&line);
    if (line.old.count == 0 || (line.first == line.old_end && line.first == line.new_end)) {
        return false;
    }
    widen(&line, &first, &end);
    if (first >= line.old.count) {
        return false;
    }
    const struct source_token *start = &line.old.tokens[first];
    const struct source_token *last = &line.old.tokens[end > first ? end - 1 : first];
    size_t length = (size_t)(last->text + last->length - start->text);
    *out_place = (struct edit_place){
        .file = fix->file,
        .line = fix->line,
        .column = start->column,
        .operand = length > OPERAND_BYTES_MAX ? "" : arena_strndup(arena, start->text, length),
        .kind = kind_of(&line),
        .is_of_access =
            is_within(&line.old, line.first, "[") || is_within(&line.old, line.first, "("),
        .is_of_start = is_in_start(&line.old, line.first),
    };
    return true;
}
