/* ptx_lexer.h: PTX text as tokens.
 *
 * One token of lookahead: `token` is the current one. Words keep their dots, so "ld.global.f32"
 * and "%tid.x" are one token each, but ".reg.b32" is two. Comments and white space are dropped.
 * Nothing is read at or after `end`; the text needs no NUL.
 */
#ifndef GPUGRADE_PTX_PTX_LEXER_H
#define GPUGRADE_PTX_PTX_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_token_kind {
    PTX_TOKEN_END,
    PTX_TOKEN_WORD,
    PTX_TOKEN_INTEGER, /* bits: the value */
    PTX_TOKEN_FLOAT32, /* bits: the 32 bits of "0f3F800000" */
    PTX_TOKEN_FLOAT64, /* bits: the 64 bits of "0d..." or of a decimal number */
    PTX_TOKEN_STRING,  /* start and length are those of what is between the quotes, as written */
    PTX_TOKEN_SIGN,    /* one character */
    PTX_TOKEN_BAD,     /* complaint says why */
};

struct ptx_token {
    enum ptx_token_kind kind;
    const char *start; /* [length] within the text */
    size_t length;
    uint64_t bits;
    uint32_t line;
};

struct ptx_lexer {
    const char *next;
    const char *end;
    uint32_t line;
    struct ptx_token token;
    const char *complaint; /* a constant, for PTX_TOKEN_BAD */
};

/* Starts at the first token of text [length]. */
void ptx_lexer_init(struct ptx_lexer *lexer, const char *text, size_t length);

/* Goes to the next token; stays at the end and at a bad token. */
void ptx_lexer_next(struct ptx_lexer *lexer);

/* Whether the token is this word, or this sign. */
bool ptx_token_is_word(const struct ptx_token *token, const char *word);
bool ptx_token_is_sign(const struct ptx_token *token, char sign);

#endif
