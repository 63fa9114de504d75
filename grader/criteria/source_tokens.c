/* source_tokens.c: see source_tokens.h.
 *
 *   text --characters; comments, strings--> tokens, directives
 *   directives --> macros, includes, and whether what follows is dead (#if 0)
 *
 * A line that ends with a backslash goes on in the next one: between tokens it is a blank, and
 * inside of one it ends the token, which no sane source does.
 */
#include "criteria/source_tokens.h"

#include <ctype.h>
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
    size_t capacity, macro_capacity, include_capacity, mark_capacity;
    size_t condition_count; /* open #if; those beyond the array count as live */
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
    for (size_t i = 0; i < lexer->condition_count && i < CONDITIONS_MAX; i++) {
        if (lexer->is_dead[i]) {
            return true;
        }
    }
    return false;
}

static void push(struct lexer *lexer, enum token_kind kind, size_t start, size_t length,
                 const struct source_token *place)
{
    struct source_tokens *out = lexer->out;

    if (in_dead_text(lexer)) {
        return;
    }
    arena_grow(lexer->arena, &out->tokens, &lexer->capacity, out->count + 1, sizeof *out->tokens);
    out->tokens[out->count++] = (struct source_token){
        .kind = kind,
        .text = lexer->text + start,
        .length = length,
        .line = place->line,
        .column = place->column,
    };
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

    if (lexer->length - lexer->at >= length &&
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
        lexer->is_dead[lexer->condition_count] = is_dead;
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
    } else if (top < CONDITIONS_MAX && (name_is(directive, "else") || name_is(directive, "elif"))) {
        lexer->is_dead[top] = lexer->was_true[top];
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
    if (!in_dead_text(lexer)) {
        if (name_is(directive, "define") || name_is(directive, "undef")) {
            read_macro(lexer);
        } else if (name_is(directive, "include")) {
            read_include(lexer);
        }
    }
    skip_directive(lexer);
}

void source_tokens_read(struct arena *arena, const struct source_file *file,
                        struct source_tokens *out_tokens)
{
    struct lexer lexer = {
        .arena = arena,
        .text = file->text,
        .length = file->length,
        .line = 1,
        .starts_line = true,
        .out = out_tokens,
    };

    memset(out_tokens, 0, sizeof *out_tokens);
    out_tokens->file = file;
    while (lexer.at < lexer.length) {
        char c = peek(&lexer, 0);
        if (isspace((unsigned char)c) || c == '\\' || c == '\0') {
            advance(&lexer);
        } else if (c == '#' && lexer.starts_line) {
            read_directive(&lexer);
        } else if (!skip_comment(&lexer)) {
            lexer.starts_line = false;
            if (isdigit((unsigned char)c) ||
                (c == '.' && isdigit((unsigned char)peek(&lexer, 1)))) {
                read_number(&lexer);
            } else if (is_word(c)) {
                read_name(&lexer);
            } else if (c == '"' || c == '\'') {
                read_quoted(&lexer, c);
            } else {
                read_sign(&lexer);
            }
        }
    }
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
    size_t depth = 0;

    for (size_t i = open; i < tokens->count; i++) {
        const struct source_token *token = &tokens->tokens[i];
        if (token->kind != TOKEN_SIGN || token->length != 1) {
            continue;
        }
        if (strchr("([{", token->text[0]) != NULL) {
            depth++;
        } else if (strchr(")]}", token->text[0]) != NULL && --depth == 0) {
            return i + 1;
        }
    }
    return tokens->count;
}

bool source_has_macro(const struct source_tokens *tokens, const char *name)
{
    for (size_t i = 0; i < tokens->macro_count; i++) {
        if (name_is(tokens->macros[i], name)) {
            return true;
        }
    }
    return false;
}
