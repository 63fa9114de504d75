/* source_lexer.h: splits a C++ source into tokens, to find definitions and includes in it without
 * compiling it.
 *
 * It knows only what decides where a token begins and ends: comments, string and character
 * literals, raw strings, numbers with digit separators, digraphs, lines joined by a backslash
 * ("splices"), both kinds of line ends, and directives, whose end is a token of its own. Macros are
 * not expanded and no part is skipped. Any bytes are accepted: what fits nothing else is a symbol,
 * and an unfinished literal ends with its line. The time is linear in the length.
 */
#ifndef GPUGRADE_SOURCE_SOURCE_LEXER_H
#define GPUGRADE_SOURCE_SOURCE_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum source_lexeme_kind {
    SOURCE_END,
    SOURCE_WORD,          /* an identifier or a keyword */
    SOURCE_NUMBER,        /* a preprocessing number */
    SOURCE_LITERAL,       /* a string or a character, with its prefix */
    SOURCE_HEADER,        /* <...> after #include */
    SOURCE_SYMBOL,        /* everything else, see `symbol` */
    SOURCE_DIRECTIVE,     /* the # that begins one */
    SOURCE_DIRECTIVE_END, /* of its last line */
};

/* Symbols of two characters; any other symbol is its character, a digraph the one it stands for. */
enum { SYMBOL_EQUAL = 1, SYMBOL_ARROW, SYMBOL_SCOPE }; /* ==, ->, :: */

struct source_lexeme {
    enum source_lexeme_kind kind;
    int symbol;        /* of SOURCE_SYMBOL, else 0 */
    size_t start, end; /* in bytes of the source; splices may lie within */
};

struct source_lexer {
    const char *text; /* [length] */
    size_t length;
    size_t position;
    bool at_line_start;  /* only blanks and comments since the line began */
    bool in_directive;   /* what comes next belongs to one */
    bool is_first_word;  /* of a directive */
    bool expects_header; /* <...> is one token */
};

void source_lexer_init(struct source_lexer *lexer, const char *text, size_t length);

/* Takes the next token; at the end, always SOURCE_END. To look ahead, use a copy of the lexer. */
struct source_lexeme source_lexer_next(struct source_lexer *lexer);

/* True if the token is spelt like this, ignoring splices. */
bool source_lexeme_is(const struct source_lexer *lexer, const struct source_lexeme *token,
                      const char *word);

/* The position of the next character that is not part of a splice, from `position` on; the length
 * at the end. */
size_t source_skip_splices(const struct source_lexer *lexer, size_t position);

#endif
