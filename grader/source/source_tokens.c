/* source_tokens.c: see source_tokens.h.
 *
 *   text --characters; comments, strings--> tokens, directives
 *   directives --> macros, includes, and whether what follows is dead (#if 0)
 *
 * A line that ends with a backslash goes on in the next one: between tokens it is a blank, and
 * inside of one it ends the token, which no sane source does.
 */
#include "source/source_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { CONDITIONS_MAX = 64, RAW_DELIMITER_MAX = 16 };

/* The word is put together here because unfinished marks are forbidden in this tree. */
static const char open_step[] = "TO"
                                "DO";

struct lexer {
    struct arena *arena;
    const char *text; /* [length] */
    size_t length, at;
    int line;
    size_t line_start;
    bool starts_line; /* nothing but blanks since the line began */
    struct source_tokens *out;
    bool counts_only; /* the first of two passes: nothing is kept */
    size_t macro_capacity, include_capacity, mark_capacity;
    size_t condition_count; /* open #if; those beyond the array count as live */
    size_t dead_count;      /* of them, those whose text is dead */
    bool is_dead[CONDITIONS_MAX];
    bool was_true[CONDITIONS_MAX]; /* a branch of it is certainly taken: the others are dead */
};

static char peek(const struct lexer *lexer, size_t ahead)
{
    size_t at = lexer->at + ahead;

    return at < lexer->length ? lexer->text[at] : '\0';
}

static void advance(struct lexer *lexer)
{
    if (lexer->text[lexer->at] == '\n') {
        lexer->line++;
        lexer->line_start = lexer->at + 1;
        lexer->starts_line = true;
    }
    lexer->at++;
}

static void advance_by(struct lexer *lexer, size_t count)
{
    for (size_t i = 0; i < count && lexer->at < lexer->length; i++) {
        advance(lexer);
    }
}

bool character_is_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool in_dead_text(const struct lexer *lexer)
{
    return lexer->dead_count > 0;
}

static void set_dead(struct lexer *lexer, size_t condition, bool is_dead)
{
    lexer->dead_count -= lexer->is_dead[condition] ? 1 : 0;
    lexer->dead_count += is_dead ? 1 : 0;
    lexer->is_dead[condition] = is_dead;
}

static void push(struct lexer *lexer, enum token_kind kind, size_t start, size_t length,
                 const struct source_token *place)
{
    struct source_tokens *out = lexer->out;

    if (in_dead_text(lexer)) {
        return;
    }
    if (!lexer->counts_only) {
        out->tokens[out->count] = (struct source_token){
            .kind = kind,
            .text = lexer->text + start,
            .length = (uint32_t)length,
            .line = place->line,
            .column = place->column,
        };
    }
    out->count++;
}

static struct source_token here(const struct lexer *lexer)
{
    return (struct source_token){
        .line = lexer->line,
        .column = (int)(lexer->at - lexer->line_start) + 1,
    };
}

/* Notes an open step that a comment names. */
static void look_for_mark(struct lexer *lexer)
{
    struct source_tokens *out = lexer->out;
    size_t length = strlen(open_step);

    if (!lexer->counts_only && lexer->length - lexer->at >= length &&
        memcmp(lexer->text + lexer->at, open_step, length) == 0) {
        struct source_token place = here(lexer);
        arena_grow(lexer->arena, &out->marks, &lexer->mark_capacity, out->mark_count + 1,
                   sizeof *out->marks);
        out->marks[out->mark_count++] = (struct source_mark){place.line, place.column};
    }
}

static bool skip_comment(struct lexer *lexer)
{
    bool is_block = peek(lexer, 0) == '/' && peek(lexer, 1) == '*';

    if (!is_block && !(peek(lexer, 0) == '/' && peek(lexer, 1) == '/')) {
        return false;
    }
    bool starts_line = lexer->starts_line;
    advance_by(lexer, 2);
    while (lexer->at < lexer->length) {
        if (is_block && peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
            advance_by(lexer, 2);
            break;
        }
        if (!is_block && peek(lexer, 0) == '\n' && lexer->text[lexer->at - 1] != '\\') {
            break;
        }
        look_for_mark(lexer);
        advance(lexer);
    }
    lexer->starts_line = lexer->starts_line || starts_line;
    return true;
}

/* Moves to the quote that ends a string or a character, or to the end of its line. */
static void find_quote(struct lexer *lexer, char quote)
{
    while (lexer->at < lexer->length && peek(lexer, 0) != quote && peek(lexer, 0) != '\n') {
        advance_by(lexer, peek(lexer, 0) == '\\' ? 2 : 1);
    }
}

static void read_quoted(struct lexer *lexer, char quote)
{
    struct source_token place = here(lexer);

    advance(lexer);
    size_t start = lexer->at;
    find_quote(lexer, quote);
    push(lexer, quote == '"' ? TOKEN_STRING : TOKEN_CHARACTER, start, lexer->at - start, &place);
    if (peek(lexer, 0) == quote) {
        advance(lexer);
    }
}

/* R"delimiter( ... )delimiter": the lexer stands at the quote. */
static void read_raw_string(struct lexer *lexer)
{
    struct source_token place = here(lexer);
    char end[RAW_DELIMITER_MAX + 2] = {')'};
    size_t length = 1;

    advance(lexer);
    while (length <= RAW_DELIMITER_MAX && peek(lexer, 0) != '(' && peek(lexer, 0) != '\0') {
        end[length++] = peek(lexer, 0);
        advance(lexer);
    }
    end[length++] = '"';
    advance_by(lexer, 1);
    size_t start = lexer->at;
    while (lexer->at < lexer->length && (lexer->length - lexer->at < length ||
                                         memcmp(lexer->text + lexer->at, end, length) != 0)) {
        advance(lexer);
    }
    push(lexer, TOKEN_STRING, start, lexer->at - start, &place);
    advance_by(lexer, length);
}

/* A name, or the prefix of a string. */
static void read_name(struct lexer *lexer)
{
    static const char *const raw[] = {"R", "u8R", "uR", "UR", "LR"};
    static const char *const plain[] = {"u8", "u", "U", "L"};
    struct source_token place = here(lexer);
    size_t start = lexer->at;

    while (is_word(peek(lexer, 0))) {
        advance(lexer);
    }
    size_t length = lexer->at - start;
    if (peek(lexer, 0) == '"') {
        for (size_t i = 0; i < sizeof raw / sizeof raw[0]; i++) {
            if (length == strlen(raw[i]) && memcmp(lexer->text + start, raw[i], length) == 0) {
                read_raw_string(lexer);
                return;
            }
        }
        for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
            if (length == strlen(plain[i]) && memcmp(lexer->text + start, plain[i], length) == 0) {
                return;
            }
        }
    }
    push(lexer, TOKEN_NAME, start, length, &place);
}

/* Digits, and what may stand in a number: letters, points, digit separators, signs of exponents. */
static void read_number(struct lexer *lexer)
{
    struct source_token place = here(lexer);
    size_t start = lexer->at;

    while (is_word(peek(lexer, 0)) || peek(lexer, 0) == '.' ||
           (peek(lexer, 0) == '\'' && is_word(peek(lexer, 1))) ||
           ((peek(lexer, 0) == '+' || peek(lexer, 0) == '-') && lexer->at > start &&
            character_is_of(lexer->text[lexer->at - 1], "eEpP"))) {
        advance(lexer);
    }
    push(lexer, TOKEN_NUMBER, start, lexer->at - start, &place);
}

static void read_sign(struct lexer *lexer)
{
    static const char *const signs[] = {"<<<", ">>>", "::", "->", "==", "!=", "<=", ">=", "&&",
                                        "||",  "++",  "--", "+=", "-=", "*=", "/=", "<<", ">>"};
    struct source_token place = here(lexer);
    size_t start = lexer->at;
    size_t length = 1;

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t candidate = strlen(signs[i]);
        if (lexer->length - start >= candidate &&
            memcmp(lexer->text + start, signs[i], candidate) == 0) {
            length = candidate;
            break;
        }
    }
    advance_by(lexer, length);
    push(lexer, TOKEN_SIGN, start, length, &place);
}

/* Directives ***********************************************************************************/

static void skip_blanks_in_line(struct lexer *lexer)
{
    while (lexer->at < lexer->length) {
        char c = peek(lexer, 0);
        if (c == '\\' && (peek(lexer, 1) == '\n' || peek(lexer, 1) == '\r')) {
            advance_by(lexer, peek(lexer, 1) == '\r' ? 3 : 2);
        } else if (c == ' ' || c == '\t' || c == '\r') {
            advance(lexer);
        } else if (c == '/' && peek(lexer, 1) == '*') {
            skip_comment(lexer);
        } else {
            return;
        }
    }
}

static struct source_name word_here(struct lexer *lexer)
{
    size_t start = lexer->at;

    while (is_word(peek(lexer, 0))) {
        advance(lexer);
    }
    return (struct source_name){lexer->text + start, lexer->at - start};
}

static bool name_is(struct source_name name, const char *word)
{
    return name.length == strlen(word) && memcmp(name.text, word, name.length) == 0;
}

static void open_condition(struct lexer *lexer, bool is_dead, bool was_true)
{
    if (lexer->condition_count < CONDITIONS_MAX) {
        set_dead(lexer, lexer->condition_count, is_dead);
        lexer->was_true[lexer->condition_count] = was_true;
    }
    lexer->condition_count++;
}

static void read_condition(struct lexer *lexer, struct source_name directive)
{
    size_t top = lexer->condition_count - 1; /* meaningful if there is one */

    if (name_is(directive, "if")) {
        struct source_name value = word_here(lexer);
        skip_blanks_in_line(lexer);
        bool is_alone = peek(lexer, 0) == '\n' || peek(lexer, 0) == '\0' ||
                        (peek(lexer, 0) == '/' && peek(lexer, 1) == '/');
        open_condition(lexer, is_alone && name_is(value, "0"), is_alone && name_is(value, "1"));
    } else if (name_is(directive, "ifdef") || name_is(directive, "ifndef")) {
        open_condition(lexer, false, false);
    } else if (lexer->condition_count == 0) {
        return;
    } else if (name_is(directive, "endif")) {
        lexer->condition_count--;
        if (top < CONDITIONS_MAX) {
            set_dead(lexer, top, false);
        }
    } else if (top < CONDITIONS_MAX && (name_is(directive, "else") || name_is(directive, "elif"))) {
        set_dead(lexer, top, lexer->was_true[top]);
    }
}

static void read_include(struct lexer *lexer)
{
    struct source_tokens *out = lexer->out;

    if (peek(lexer, 0) != '"') {
        return;
    }
    advance(lexer);
    size_t start = lexer->at;
    while (lexer->at < lexer->length && peek(lexer, 0) != '"' && peek(lexer, 0) != '\n') {
        advance(lexer);
    }
    arena_grow(lexer->arena, &out->includes, &lexer->include_capacity, out->include_count + 1,
               sizeof *out->includes);
    out->includes[out->include_count++] =
        (struct source_name){lexer->text + start, lexer->at - start};
}

static void read_macro(struct lexer *lexer)
{
    struct source_tokens *out = lexer->out;
    struct source_name name = word_here(lexer);

    if (name.length > 0) {
        arena_grow(lexer->arena, &out->macros, &lexer->macro_capacity, out->macro_count + 1,
                   sizeof *out->macros);
        out->macros[out->macro_count++] = name;
    }
}

/* To the end of a directive, which a comment may carry over several lines. */
static void skip_directive(struct lexer *lexer)
{
    while (lexer->at < lexer->length && peek(lexer, 0) != '\n') {
        char c = peek(lexer, 0);
        if (c == '/' && (peek(lexer, 1) == '*' || peek(lexer, 1) == '/')) {
            skip_comment(lexer);
        } else if (c == '\\') {
            advance_by(lexer, peek(lexer, 1) == '\r' ? 3 : 2);
        } else if (c == '"' || c == '\'') {
            advance(lexer);
            find_quote(lexer, c);
            advance_by(lexer, peek(lexer, 0) == c ? 1 : 0);
        } else {
            advance(lexer);
        }
    }
}

static void read_directive(struct lexer *lexer)
{
    advance(lexer);
    skip_blanks_in_line(lexer);
    struct source_name directive = word_here(lexer);
    skip_blanks_in_line(lexer);
    read_condition(lexer, directive);
    if (!in_dead_text(lexer) && !lexer->counts_only) {
        if (name_is(directive, "define") || name_is(directive, "undef")) {
            read_macro(lexer);
        } else if (name_is(directive, "include")) {
            read_include(lexer);
        }
    }
    skip_directive(lexer);
}

/* One pass over the whole text. */
static void read_text(struct lexer *lexer)
{
    while (lexer->at < lexer->length) {
        char c = peek(lexer, 0);
        if (isspace((unsigned char)c) || c == '\\' || c == '\0') {
            advance(lexer);
        } else if (c == '#' && lexer->starts_line) {
            read_directive(lexer);
        } else if (!skip_comment(lexer)) {
            lexer->starts_line = false;
            if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(lexer, 1)))) {
                read_number(lexer);
            } else if (is_word(c)) {
                read_name(lexer);
            } else if (c == '"' || c == '\'') {
                read_quoted(lexer, c);
            } else {
                read_sign(lexer);
            }
        }
    }
}

static struct lexer lexer_of(struct arena *arena, const struct source_file *file,
                             struct source_tokens *out)
{
    return (struct lexer){
        .arena = arena,
        .text = file->text,
        .length = file->length,
        .line = 1,
        .starts_line = true,
        .out = out,
    };
}

size_t source_tokens_count(const struct source_file *file)
{
    struct source_tokens counted = {.count = 0};
    struct lexer lexer = lexer_of(NULL, file, &counted);

    lexer.counts_only = true;
    read_text(&lexer);
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
    struct lexer lexer = lexer_of(arena, file, out_tokens);

    memset(out_tokens, 0, sizeof *out_tokens);
    out_tokens->file = file;
    out_tokens->tokens = arena_array(arena, count, sizeof *out_tokens->tokens);
    if (file->length < UINT32_MAX) {
        read_text(&lexer);
    }
    sort_macros(out_tokens);
    pair_brackets(arena, out_tokens);
    end_statements(arena, out_tokens);
}

bool token_is(const struct source_tokens *tokens, size_t index, enum token_kind kind,
              const char *text)
{
    const struct source_token *token = index < tokens->count ? &tokens->tokens[index] : NULL;
    size_t length = strlen(text);

    return token != NULL && token->kind == kind && token->length == length &&
           memcmp(token->text, text, length) == 0;
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
