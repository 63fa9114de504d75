/* newer_code.c: see newer_code.h. */
#include "source/newer_code.h"

#include "source/source_lexer.h"

#include <stdbool.h>

enum {
    CONDITIONS_MAX = 64,     /* open #if; what is deeper is not looked at */
    ARCHITECTURE_END = 9999, /* from here on a number means "never" */
};

/* The left side of a comparison and its sign, as far as they were read. */
struct comparison {
    enum { SIDE_NONE, SIDE_NAME, SIDE_NUMBER } left;
    uint32_t number;
    int sign;      /* '<', '>', '!' or SYMBOL_EQUAL; 0: none yet */
    bool or_equal; /* "<=", ">=", "!=" */
};

struct reader {
    struct source_lexer lexer;
    size_t counted; /* `line` is that of this position */
    int line;
    size_t depth;                   /* open #if */
    uint32_t older[CONDITIONS_MAX]; /* [depth] what is not under it is for this and newer; 0: no */
    struct comparison comparison;
    struct newer_code newest;
};

static void note(struct reader *reader, uint32_t architecture, size_t position)
{
    for (; reader->counted < position; reader->counted++) {
        reader->line += reader->lexer.text[reader->counted] == '\n';
    }
    if (architecture > reader->newest.architecture) {
        reader->newest = (struct newer_code){architecture, reader->line};
    }
}

/* The condition at the top of the open ones; NULL: none, or one that is too deep. */
static uint32_t *innermost(struct reader *reader)
{
    return reader->depth > 0 && reader->depth <= CONDITIONS_MAX ? &reader->older[reader->depth - 1]
                                                                : NULL;
}

/* `is_left`: the number is to the left of the sign. */
static void compare(struct reader *reader, uint32_t number, bool is_left, bool is_condition,
                    size_t position)
{
    const struct comparison *comparison = &reader->comparison;
    int sign = comparison->sign;

    if (number == 0) {
        return;
    }
    if (is_left && (sign == '<' || sign == '>')) {
        sign = sign == '<' ? '>' : '<';
    }
    if (sign == '>' || sign == SYMBOL_EQUAL) {
        note(reader, number + (sign == '>' && !comparison->or_equal), position);
    } else if (is_condition && innermost(reader) != NULL) {
        *innermost(reader) = number + (sign == '<' && comparison->or_equal);
    }
}

/* Of a decimal number; 0: it is none, or too great. */
static uint32_t value_of(const struct source_lexer *lexer, const struct source_lexeme *number)
{
    uint32_t value = 0;

    for (size_t i = number->start; i < number->end && value < ARCHITECTURE_END; i++) {
        char c = lexer->text[i];
        if (c < '0' || c > '9') {
            break; /* as the "u" of 800u */
        }
        value = 10 * value + (uint32_t)(c - '0');
    }
    return value < ARCHITECTURE_END ? value : 0;
}

static bool is_sign(int symbol)
{
    return symbol == '<' || symbol == '>' || symbol == '!' || symbol == SYMBOL_EQUAL;
}

/* Goes on with a comparison; `is_condition`: of #if or #elif. */
static void read_comparison(struct reader *reader, const struct source_lexeme *lexeme,
                            bool is_condition)
{
    struct comparison *comparison = &reader->comparison;
    bool is_name =
        lexeme->kind == SOURCE_WORD && source_lexeme_is(&reader->lexer, lexeme, "__CUDA_ARCH__");

    if (is_name || lexeme->kind == SOURCE_NUMBER) {
        uint32_t number = is_name ? 0 : value_of(&reader->lexer, lexeme);
        if (comparison->sign != 0 && comparison->left == (is_name ? SIDE_NUMBER : SIDE_NAME)) {
            compare(reader, is_name ? comparison->number : number, is_name, is_condition,
                    lexeme->start);
        }
        *comparison =
            (struct comparison){.left = is_name ? SIDE_NAME : SIDE_NUMBER, .number = number};
    } else if (comparison->sign == 0 && is_sign(lexeme->symbol)) {
        comparison->sign = lexeme->symbol;
    } else if (comparison->sign != 0 && lexeme->symbol == '=' && !comparison->or_equal) {
        comparison->or_equal = true;
    } else if (lexeme->symbol != '(' && lexeme->symbol != ')') {
        comparison->left = SIDE_NONE;
    }
}

static void read_directive(struct reader *reader)
{
    const struct source_lexer *lexer = &reader->lexer;
    struct source_lexeme lexeme = source_lexer_next(&reader->lexer);
    const bool is_elif = source_lexeme_is(lexer, &lexeme, "elif");
    const bool is_if = source_lexeme_is(lexer, &lexeme, "if");
    const bool opens = is_if || source_lexeme_is(lexer, &lexeme, "ifdef") ||
                       source_lexeme_is(lexer, &lexeme, "ifndef");
    const bool is_other = is_elif || source_lexeme_is(lexer, &lexeme, "else");

    reader->depth += opens;
    if (innermost(reader) != NULL && (is_other || source_lexeme_is(lexer, &lexeme, "error"))) {
        note(reader, *innermost(reader), lexeme.start);
    }
    if (innermost(reader) != NULL && (opens || is_other)) {
        *innermost(reader) = 0;
    }
    reader->depth -= reader->depth > 0 && source_lexeme_is(lexer, &lexeme, "endif");
    reader->comparison = (struct comparison){.left = SIDE_NONE};
    while (lexeme.kind != SOURCE_DIRECTIVE_END && lexeme.kind != SOURCE_END) {
        lexeme = source_lexer_next(&reader->lexer);
        read_comparison(reader, &lexeme, is_if || is_elif);
    }
    reader->comparison = (struct comparison){.left = SIDE_NONE};
}

struct newer_code source_newer_code(const char *text, size_t length)
{
    struct reader reader = {.line = 1};
    struct source_lexeme lexeme;

    source_lexer_init(&reader.lexer, text, length);
    while ((lexeme = source_lexer_next(&reader.lexer)).kind != SOURCE_END) {
        if (lexeme.kind == SOURCE_DIRECTIVE) {
            read_directive(&reader);
        } else {
            read_comparison(&reader, &lexeme, false);
        }
    }
    return reader.newest;
}
