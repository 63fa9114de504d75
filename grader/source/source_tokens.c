/* source_tokens.c: see source_tokens.h.
 *
 *   text --source_lexer--> lexemes; what lies between two of them are blanks and comments
 *   lexemes --> tokens, but for directives
 *   directives --> macros, includes, and whether what follows is dead (#if 0)
 */
#include "source/source_tokens.h"

#include "source/source_lexer.h"

#include <stdlib.h>
#include <string.h>

enum { CONDITIONS_MAX = 64 };

/* The word is put together here because unfinished marks are forbidden in this tree. */
static const char open_step[] = "TO"
                                "DO";

struct reader {
    struct arena *arena;
    struct source_lexer lexer;
    struct source_lexeme lexeme; /* the current one */
    int line;                    /* of the position `counted` */
    size_t line_start, counted;
    struct source_tokens *out;
    bool counts_only; /* the first of two passes: nothing is kept */
    size_t macro_capacity, include_capacity, mark_capacity;
    size_t condition_count; /* open #if; those beyond the array count as live */
    size_t dead_count;      /* of them, those whose text is dead */
    bool is_dead[CONDITIONS_MAX];
    bool was_true[CONDITIONS_MAX]; /* a branch of it is certainly taken: the others are dead */
};

bool character_is_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* Where a position stands; positions are asked for in ascending order. */
static struct source_mark place_of(struct reader *reader, size_t position)
{
    for (; reader->counted < position; reader->counted++) {
        if (reader->lexer.text[reader->counted] == '\n') {
            reader->line++;
            reader->line_start = reader->counted + 1;
        }
    }
    return (struct source_mark){reader->line, (int)(position - reader->line_start) + 1};
}

/* Notes the open steps that comments name. */
static void note_open_steps(struct reader *reader, size_t start, size_t end)
{
    struct source_tokens *out = reader->out;
    const char *text = reader->lexer.text;
    const size_t length = strlen(open_step);
    const char *found;

    while ((found = memmem(text + start, end - start, open_step, length)) != NULL) {
        arena_grow(reader->arena, &out->marks, &reader->mark_capacity, out->mark_count + 1,
                   sizeof *out->marks);
        out->marks[out->mark_count++] = place_of(reader, (size_t)(found - text));
        start = (size_t)(found - text) + length;
    }
}

static void next(struct reader *reader)
{
    size_t behind = reader->lexeme.end;

    reader->lexeme = source_lexer_next(&reader->lexer);
    if (!reader->counts_only) {
        note_open_steps(reader, behind, reader->lexeme.start);
    }
}

/* Adds a token that begins at a position. */
static void push(struct reader *reader, enum token_kind kind, size_t position,
                 struct source_name text)
{
    struct source_tokens *out = reader->out;

    if (reader->dead_count > 0) {
        return;
    }
    if (!reader->counts_only) {
        struct source_mark place = place_of(reader, position);
        out->tokens[out->count] = (struct source_token){
            .kind = kind,
            .text = text.text,
            .length = (uint32_t)text.length,
            .line = place.line,
            .column = place.column,
        };
    }
    out->count++;
}

static struct source_name text_between(const struct reader *reader, size_t start, size_t end)
{
    return (struct source_name){reader->lexer.text + start, end - start};
}

static struct source_name lexeme_text(const struct reader *reader)
{
    return text_between(reader, reader->lexeme.start, reader->lexeme.end);
}

/* Where the quote of a literal stands, behind its prefix. */
static size_t opening_quote(const struct reader *reader)
{
    size_t quote = reader->lexeme.start;

    while (!character_is_of(reader->lexer.text[quote], "\"'")) {
        quote++;
    }
    return quote;
}

/* What stands between the quotes of a literal; of R"delimiter(...)delimiter", the dots. */
static struct source_name text_in_quotes(const struct reader *reader)
{
    const char *text = reader->lexer.text;
    size_t quote = opening_quote(reader);
    size_t start = quote + 1;
    size_t end = reader->lexeme.end;
    bool is_raw = quote > reader->lexeme.start && text[quote - 1] == 'R' && text[quote] == '"';

    end -= end > start && text[end - 1] == text[quote] ? 1 : 0;
    const char *opening = is_raw ? memchr(text + start, '(', end - start) : NULL;
    if (opening != NULL) {
        size_t delimiter = (size_t)(opening + 1 - (text + start));
        start += delimiter;
        end -= end - start >= delimiter ? delimiter : 0;
    }
    return text_between(reader, start, end);
}

/* The longest sign that starts here; the lexer knows only those that it needs itself. */
static void read_sign(struct reader *reader)
{
    static const char *const signs[] = {"<<<", ">>>", "::", "->", "==", "!=", "<=", ">=", "&&",
                                        "||",  "++",  "--", "+=", "-=", "*=", "/=", "<<", ">>"};
    size_t start = reader->lexeme.start;
    size_t length = 1;

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t candidate = strlen(signs[i]);
        if (reader->lexer.length - start >= candidate &&
            memcmp(reader->lexer.text + start, signs[i], candidate) == 0) {
            length = candidate;
            break;
        }
    }
    reader->lexeme.end = start + length;
    reader->lexer.position = reader->lexeme.end;
    push(reader, TOKEN_SIGN, start, lexeme_text(reader));
}

/* Directives ***********************************************************************************/

/* The next lexeme of a directive; stays at its end. */
static void next_in_directive(struct reader *reader)
{
    if (reader->lexer.in_directive) {
        next(reader);
    }
}

static void set_dead(struct reader *reader, size_t condition, bool is_dead)
{
    reader->dead_count -= reader->is_dead[condition] ? 1 : 0;
    reader->dead_count += is_dead ? 1 : 0;
    reader->is_dead[condition] = is_dead;
}

static void open_condition(struct reader *reader, bool is_dead, bool was_true)
{
    if (reader->condition_count < CONDITIONS_MAX) {
        set_dead(reader, reader->condition_count, is_dead);
        reader->was_true[reader->condition_count] = was_true;
    }
    reader->condition_count++;
}

static bool lexeme_is(const struct reader *reader, const struct source_lexeme *lexeme,
                      const char *word)
{
    return source_lexeme_is(&reader->lexer, lexeme, word);
}

static void read_condition(struct reader *reader, const struct source_lexeme *directive)
{
    size_t top = reader->condition_count - 1; /* meaningful if there is one */

    if (lexeme_is(reader, directive, "if")) {
        const struct source_lexeme value = reader->lexeme;
        next_in_directive(reader);
        bool is_alone = !reader->lexer.in_directive;
        open_condition(reader, is_alone && lexeme_is(reader, &value, "0"),
                       is_alone && lexeme_is(reader, &value, "1"));
    } else if (lexeme_is(reader, directive, "ifdef") || lexeme_is(reader, directive, "ifndef")) {
        open_condition(reader, false, false);
    } else if (reader->condition_count == 0) {
        return;
    } else if (lexeme_is(reader, directive, "endif")) {
        reader->condition_count--;
        if (top < CONDITIONS_MAX) {
            set_dead(reader, top, false);
        }
    } else if (top < CONDITIONS_MAX &&
               (lexeme_is(reader, directive, "else") || lexeme_is(reader, directive, "elif"))) {
        set_dead(reader, top, reader->was_true[top]);
    }
}

static void read_include(struct reader *reader)
{
    struct source_tokens *out = reader->out;

    if (reader->lexeme.kind == SOURCE_LITERAL && lexeme_text(reader).text[0] == '"') {
        arena_grow(reader->arena, &out->includes, &reader->include_capacity, out->include_count + 1,
                   sizeof *out->includes);
        out->includes[out->include_count++] = text_in_quotes(reader);
    }
}

static void read_macro(struct reader *reader)
{
    struct source_tokens *out = reader->out;

    if (reader->lexeme.kind == SOURCE_WORD) {
        arena_grow(reader->arena, &out->macros, &reader->macro_capacity, out->macro_count + 1,
                   sizeof *out->macros);
        out->macros[out->macro_count++] = lexeme_text(reader);
    }
}

static void read_directive(struct reader *reader)
{
    next(reader);
    const struct source_lexeme directive = reader->lexeme;
    next_in_directive(reader);
    read_condition(reader, &directive);
    if (reader->dead_count == 0 && !reader->counts_only) {
        if (lexeme_is(reader, &directive, "define") || lexeme_is(reader, &directive, "undef")) {
            read_macro(reader);
        } else if (lexeme_is(reader, &directive, "include")) {
            read_include(reader);
        }
    }
    while (reader->lexer.in_directive) {
        next(reader);
    }
}

static void read_lexeme(struct reader *reader)
{
    const size_t start = reader->lexeme.start;

    switch (reader->lexeme.kind) {
    case SOURCE_DIRECTIVE:
        read_directive(reader);
        break;
    case SOURCE_WORD:
        push(reader, TOKEN_NAME, start, lexeme_text(reader));
        break;
    case SOURCE_NUMBER:
        push(reader, TOKEN_NUMBER, start, lexeme_text(reader));
        break;
    case SOURCE_LITERAL: {
        size_t quote = opening_quote(reader);
        push(reader, reader->lexer.text[quote] == '"' ? TOKEN_STRING : TOKEN_CHARACTER, quote,
             text_in_quotes(reader));
        break;
    }
    default:
        if (reader->lexeme.symbol != '\0' && reader->lexeme.symbol != '\\') {
            read_sign(reader);
        }
        break;
    }
}

/* One pass over the whole text. */
static void read_text(struct arena *arena, const struct source_file *file, bool counts_only,
                      struct source_tokens *out)
{
    struct reader reader = {.arena = arena, .line = 1, .out = out, .counts_only = counts_only};

    source_lexer_init(&reader.lexer, file->text, file->length);
    for (next(&reader); reader.lexeme.kind != SOURCE_END; next(&reader)) {
        read_lexeme(&reader);
    }
}

size_t source_tokens_count(const struct source_file *file)
{
    struct source_tokens counted = {.count = 0};

    read_text(NULL, file, true, &counted);
    return counted.count;
}

static int compare_names(const void *left, const void *right)
{
    const struct source_name *one = left;
    const struct source_name *other = right;
    size_t common = one->length < other->length ? one->length : other->length;
    int order = memcmp(one->text, other->text, common);

    return order != 0 ? order : (one->length > other->length) - (one->length < other->length);
}

static void sort_macros(struct source_tokens *tokens)
{
    size_t count = 0;

    if (tokens->macro_count > 0) {
        qsort(tokens->macros, tokens->macro_count, sizeof *tokens->macros, compare_names);
    }
    for (size_t i = 0; i < tokens->macro_count; i++) {
        if (count == 0 || compare_names(&tokens->macros[count - 1], &tokens->macros[i]) != 0) {
            tokens->macros[count++] = tokens->macros[i];
        }
    }
    tokens->macro_count = count;
}

/* The bracket that a token is, or NUL. */
static char bracket_of(const struct source_token *token)
{
    return token->kind == TOKEN_SIGN && token->length == 1 &&
                   character_is_of(token->text[0], "([{)]}")
               ? token->text[0]
               : '\0';
}

/* Brackets of all kinds count alike, as in text that may be no C++. While one is open, its place
 * holds the one around it. */
static void pair_brackets(struct arena *arena, struct source_tokens *tokens)
{
    uint32_t *partners = arena_array(arena, tokens->count, sizeof *partners);
    const uint32_t none = (uint32_t)tokens->count;
    uint32_t open = none;

    for (uint32_t i = 0; i < none; i++) {
        char bracket = bracket_of(&tokens->tokens[i]);
        partners[i] = none;
        if (character_is_of(bracket, "([{")) {
            partners[i] = open;
            open = i;
        } else if (bracket != '\0' && open != none) {
            uint32_t around = partners[open];
            partners[open] = i;
            partners[i] = open;
            open = around;
        }
    }
    while (open != none) {
        uint32_t around = partners[open];
        partners[open] = none;
        open = around;
    }
    tokens->partners = partners;
}

/* From the end to the start: a statement ends where the one behind its first token ends. */
static void end_statements(struct arena *arena, struct source_tokens *tokens)
{
    uint32_t *ends = arena_array(arena, tokens->count, sizeof *ends);
    const uint32_t none = (uint32_t)tokens->count;

    for (uint32_t i = none; i-- > 0;) {
        const struct source_token *token = &tokens->tokens[i];
        bool is_sign = token->kind == TOKEN_SIGN && token->length == 1;
        char sign = is_sign ? token->text[0] : '\0';
        uint32_t behind = i + 1;
        if (character_is_of(sign, "{([")) {
            behind = tokens->partners[i] == none ? none : tokens->partners[i] + 1;
        }
        bool is_end = character_is_of(sign, "{;}") || behind == none;
        ends[i] = is_end ? behind : ends[behind];
    }
    tokens->ends = ends;
}

void source_tokens_read(struct arena *arena, const struct source_file *file,
                        struct source_tokens *out_tokens)
{
    size_t count = file->length < UINT32_MAX ? source_tokens_count(file) : 0;

    memset(out_tokens, 0, sizeof *out_tokens);
    out_tokens->file = file;
    out_tokens->tokens = arena_array(arena, count, sizeof *out_tokens->tokens);
    if (file->length < UINT32_MAX) {
        read_text(arena, file, false, out_tokens);
    }
    sort_macros(out_tokens);
    pair_brackets(arena, out_tokens);
    end_statements(arena, out_tokens);
}

bool token_is(const struct source_tokens *tokens, size_t index, enum token_kind kind,
              const char *text)
{
    const struct source_token *token = index < tokens->count ? &tokens->tokens[index] : NULL;

    /* most tokens begin with another letter, which is found at once */
    return token != NULL && token->kind == kind &&
           (token->length == 0 || token->text[0] == text[0]) && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

bool token_assigns(const struct source_tokens *tokens, size_t index)
{
    static const char *const whole[] = {"=", "+=", "-=", "*=", "/="};
    static const char *const halves[] = {"%", "&", "|", "^", "<<", ">>"};
    const bool is_half = token_is(tokens, index + 1, TOKEN_SIGN, "=");

    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        if (token_is(tokens, index, TOKEN_SIGN, whole[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof halves / sizeof halves[0] && is_half; i++) {
        if (token_is(tokens, index, TOKEN_SIGN, halves[i])) {
            return true;
        }
    }
    return false;
}

bool token_same_name(const struct source_tokens *tokens, size_t left, size_t right)
{
    const struct source_token *a = &tokens->tokens[left];
    const struct source_token *b = &tokens->tokens[right];

    return a->kind == TOKEN_NAME && b->kind == TOKEN_NAME && a->length == b->length &&
           memcmp(a->text, b->text, a->length) == 0;
}

size_t token_close(const struct source_tokens *tokens, size_t open)
{
    bool is_open = open < tokens->count && tokens->partners[open] < tokens->count &&
                   tokens->partners[open] > open;

    return is_open ? tokens->partners[open] + (size_t)1 : tokens->count;
}

size_t source_statement_end(const struct source_tokens *tokens, size_t at)
{
    return at < tokens->count ? tokens->ends[at] : tokens->count;
}

size_t source_line_start(const struct source_tokens *tokens, int line)
{
    size_t low = 0;
    size_t high = tokens->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tokens->tokens[middle].line < line) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool source_has_macro_named(const struct source_tokens *tokens, struct source_name name)
{
    return tokens->macro_count > 0 && bsearch(&name, tokens->macros, tokens->macro_count,
                                              sizeof *tokens->macros, compare_names) != NULL;
}

bool source_has_macro(const struct source_tokens *tokens, const char *name)
{
    return source_has_macro_named(tokens, (struct source_name){name, strlen(name)});
}
