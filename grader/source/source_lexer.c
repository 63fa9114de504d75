/* source_lexer.c: see source_lexer.h. */
#include "source/source_lexer.h"

#include <stdint.h>
#include <string.h>

enum { PREFIX_MAX = 3, DELIMITER_MAX = 16 }; /* [lex.string]: a raw string's delimiter */

void source_lexer_init(struct source_lexer *lexer, const char *text, size_t length)
{
    /* A byte order mark is no part of the text. */
    bool has_mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;

    *lexer = (struct source_lexer){
        .text = text,
        .length = length,
        .position = has_mark ? 3 : 0,
        .at_line_start = true,
    };
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Bytes of UTF-8 characters count as letters. */
static bool is_word_character(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '$' || c >= 0x80;
}

size_t source_skip_splices(const struct source_lexer *lexer, size_t position)
{
    /* g++ accepts blanks between the backslash and the end of the line. */
    while (position < lexer->length && lexer->text[position] == '\\') {
        size_t end = position + 1;
        while (end < lexer->length && is_blank(lexer->text[end])) {
            end++;
        }
        if (end >= lexer->length || lexer->text[end] != '\n') {
            break;
        }
        position = end + 1;
    }
    return position;
}

/* The character at a position, which moves behind splices; -1 at the end. */
static int character_at(const struct source_lexer *lexer, size_t *position)
{
    *position = source_skip_splices(lexer, *position);
    return *position < lexer->length ? (unsigned char)lexer->text[*position] : -1;
}

static int current(struct source_lexer *lexer)
{
    return character_at(lexer, &lexer->position);
}

/* The character behind the current one. */
static int following(struct source_lexer *lexer)
{
    size_t position = source_skip_splices(lexer, lexer->position) + 1;

    return position <= lexer->length ? character_at(lexer, &position) : -1;
}

static void advance(struct source_lexer *lexer)
{
    lexer->position = source_skip_splices(lexer, lexer->position);
    lexer->position += lexer->position < lexer->length ? 1 : 0;
}

bool source_lexeme_is(const struct source_lexer *lexer, const struct source_lexeme *token,
                      const char *word)
{
    size_t position = token->start;

    for (; *word != '\0'; word++) {
        int c = character_at(lexer, &position);
        if (position >= token->end || c != (unsigned char)*word) {
            return false;
        }
        position++;
    }
    return source_skip_splices(lexer, position) >= token->end;
}

static void skip_block_comment(struct source_lexer *lexer)
{
    advance(lexer);
    advance(lexer);
    while (current(lexer) >= 0 && !(current(lexer) == '*' && following(lexer) == '/')) {
        advance(lexer);
    }
    advance(lexer);
    advance(lexer);
}

static void skip_line_comment(struct source_lexer *lexer)
{
    while (current(lexer) >= 0 && current(lexer) != '\n') {
        advance(lexer);
    }
}

/* Blanks and comments; ends of lines too, unless they end a directive. */
static void skip_blanks(struct source_lexer *lexer)
{
    for (;;) {
        int c = current(lexer);
        if (c == '/' && following(lexer) == '*') {
            skip_block_comment(lexer);
        } else if (c == '/' && following(lexer) == '/') {
            skip_line_comment(lexer);
        } else if (is_blank(c)) {
            advance(lexer);
        } else if (c == '\n' && !lexer->in_directive) {
            lexer->at_line_start = true;
            advance(lexer);
        } else {
            return;
        }
    }
}

/* To the quote that ends it, or to the end of the line. */
static void take_quoted(struct source_lexer *lexer, int quote)
{
    advance(lexer);
    while (current(lexer) >= 0 && current(lexer) != '\n') {
        int c = current(lexer);
        advance(lexer);
        if (c == quote) {
            return;
        }
        if (c == '\\' && current(lexer) >= 0 && current(lexer) != '\n') {
            advance(lexer);
        }
    }
}

/* From the quote of R"delimiter(...)delimiter"; splices are no splices there. */
static void take_raw_string(struct source_lexer *lexer)
{
    const char *text = lexer->text;
    size_t start = source_skip_splices(lexer, lexer->position) + 1;
    size_t open = start;

    while (open < lexer->length && open - start <= DELIMITER_MAX &&
           strchr("(\\)\" \t\v\f\r\n", text[open]) == NULL) {
        open++;
    }
    if (open >= lexer->length || text[open] != '(' || open - start > DELIMITER_MAX) {
        take_quoted(lexer, '"');
        return;
    }
    char ending[DELIMITER_MAX + 2];
    size_t length = open - start + 2;
    ending[0] = ')';
    memcpy(ending + 1, text + start, open - start);
    ending[length - 1] = '"';
    const char *found = memmem(text + open, lexer->length - open, ending, length);
    lexer->position = found == NULL ? lexer->length : (size_t)(found - text) + length;
}

/* A string's prefix has no more characters than this; longer words are not compared. */
static bool is_prefix(const struct source_lexer *lexer, const struct source_lexeme *word,
                      bool *out_is_raw)
{
    static const struct {
        const char *word;
        bool is_raw;
    } prefixes[] = {
        {"R", true},  {"LR", true}, {"uR", true}, {"UR", true},  {"u8R", true},
        {"L", false}, {"u", false}, {"U", false}, {"u8", false},
    };

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (source_lexeme_is(lexer, word, prefixes[i].word)) {
            *out_is_raw = prefixes[i].is_raw;
            return true;
        }
    }
    return false;
}

static void take_word(struct source_lexer *lexer, struct source_lexeme *token)
{
    bool is_raw = false;

    while (is_word_character(current(lexer))) {
        advance(lexer);
        token->end = lexer->position;
    }
    token->kind = SOURCE_WORD;
    int c = current(lexer);
    if ((c == '"' || c == '\'') && is_prefix(lexer, token, &is_raw)) {
        token->kind = SOURCE_LITERAL;
        if (is_raw && c == '"') {
            take_raw_string(lexer);
        } else {
            take_quoted(lexer, c);
        }
        token->end = lexer->position;
    }
}

/* pp-number: digits, letters, points, separators, and signs behind an exponent. */
static void take_number(struct source_lexer *lexer, struct source_lexeme *token)
{
    int before = 0;

    for (;;) {
        int c = current(lexer);
        bool is_sign = (c == '+' || c == '-') && before != 0 && strchr("eEpP", before) != NULL;
        bool is_separator = c == '\'' && is_word_character(following(lexer));
        if (!is_word_character(c) && c != '.' && !is_sign && !is_separator) {
            break;
        }
        before = c < 0x80 ? c : 0;
        advance(lexer);
        token->end = lexer->position;
    }
    token->kind = SOURCE_NUMBER;
}

/* [lex.pptoken]: in A<::B> the angle is no part of a digraph. */
static bool is_angle_before_scope(const struct source_lexer *lexer)
{
    struct source_lexer ahead = *lexer;
    int characters[4];

    for (size_t i = 0; i < 4; i++) {
        characters[i] = current(&ahead);
        advance(&ahead);
    }
    return characters[0] == '<' && characters[1] == ':' && characters[2] == ':' &&
           characters[3] != ':' && characters[3] != '>';
}

static void take_symbol(struct source_lexer *lexer, struct source_lexeme *token)
{
    static const struct {
        char first, second;
        char symbol;
    } pairs[] = {
        {'=', '=', SYMBOL_EQUAL}, {'-', '>', SYMBOL_ARROW}, {':', ':', SYMBOL_SCOPE},
        {'<', '%', '{'},          {'%', '>', '}'},          {'<', ':', '['},
        {':', '>', ']'},          {'%', ':', '#'},
    };
    int first = current(lexer);
    int second = is_angle_before_scope(lexer) ? -1 : following(lexer);

    token->kind = SOURCE_SYMBOL;
    token->symbol = first;
    advance(lexer);
    token->end = lexer->position;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (pairs[i].first == first && pairs[i].second == second) {
            token->symbol = (unsigned char)pairs[i].symbol;
            advance(lexer);
            token->end = lexer->position;
            break;
        }
    }
    if (token->symbol == '#' && lexer->at_line_start && !lexer->in_directive) {
        token->kind = SOURCE_DIRECTIVE;
        lexer->in_directive = true;
        lexer->is_first_word = true;
    }
}

/* <...> in one line; a symbol if it has no end. */
static bool take_header(struct source_lexer *lexer, struct source_lexeme *token)
{
    struct source_lexer ahead = *lexer;

    while (current(&ahead) >= 0 && current(&ahead) != '\n' && current(&ahead) != '>') {
        advance(&ahead);
    }
    if (current(&ahead) != '>') {
        return false;
    }
    advance(&ahead);
    lexer->position = ahead.position;
    token->kind = SOURCE_HEADER;
    token->end = lexer->position;
    return true;
}

/* The first word of a directive says whether a header comes. */
static void note_directive_word(struct source_lexer *lexer, const struct source_lexeme *token)
{
    static const char *const words[] = {"include", "include_next", "import", "embed"};

    lexer->expects_header = false;
    for (size_t i = 0; lexer->is_first_word && i < sizeof words / sizeof words[0]; i++) {
        lexer->expects_header |=
            token->kind == SOURCE_WORD && source_lexeme_is(lexer, token, words[i]);
    }
    lexer->is_first_word = false;
}

struct source_lexeme source_lexer_next(struct source_lexer *lexer)
{
    struct source_lexeme token = {.kind = SOURCE_END};

    skip_blanks(lexer);
    int c = current(lexer);
    token.start = lexer->position;
    token.end = lexer->position;
    if (c < 0 || c == '\n') { /* skip_blanks stops at an end of a line only in a directive */
        token.kind = lexer->in_directive ? SOURCE_DIRECTIVE_END : SOURCE_END;
        lexer->in_directive = false;
        lexer->expects_header = false;
        return token;
    }
    bool begins = false;
    if (is_digit(c) || (c == '.' && is_digit(following(lexer)))) {
        take_number(lexer, &token);
    } else if (is_word_character(c)) {
        take_word(lexer, &token);
    } else if (c == '"' || c == '\'') {
        take_quoted(lexer, c);
        token.kind = SOURCE_LITERAL;
        token.end = lexer->position;
    } else if (!(c == '<' && lexer->expects_header && take_header(lexer, &token))) {
        take_symbol(lexer, &token);
        begins = token.kind == SOURCE_DIRECTIVE;
    }
    if (lexer->in_directive && !begins) {
        note_directive_word(lexer, &token);
    }
    lexer->at_line_start = false;
    return token;
}
