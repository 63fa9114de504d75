/* source_tokens.h: a source of the submission as C++ tokens, for finding places in it.
 *
 * Comments, dead text (#if 0) and preprocessor directives are not tokens, so what is found is code.
 * A string is one token, a raw one too. Names that a #define defines are listed apart: a name that
 * a macro may rewrite is not a certain place. Nothing is expanded and nothing is evaluated.
 *
 * Everything lives in the arena; texts point into the source.
 */
#ifndef GPUGRADE_SOURCE_SOURCE_TOKENS_H
#define GPUGRADE_SOURCE_SOURCE_TOKENS_H

#include "base/arena.h"
#include "model/report.h"

#include <stdint.h>

enum token_kind {
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING, /* its text is what is between the quotes, as written */
    TOKEN_CHARACTER,
    TOKEN_SIGN, /* "<<<", "::", "+=", "{" */
};

struct source_token {
    const char *text; /* [length] */
    uint32_t length;
    int line, column; /* from 1; columns in bytes */
    enum token_kind kind;
};

struct source_name {
    const char *text; /* [length] */
    size_t length;
};

struct source_mark {
    int line, column;
};

struct source_tokens {
    const struct source_file *file;
    struct source_token *tokens; /* [count] */
    size_t count;
    const uint32_t *partners; /* [count]: of a bracket, the one that it belongs to; else `count` */
    const uint32_t *ends;     /* [count]: the index after the statement that starts there */
    struct source_name *macros; /* [macro_count]: names after #define and #undef, sorted, each once
                                 */
    size_t macro_count;
    struct source_name *includes; /* [include_count]: of #include "..." */
    size_t include_count;
    struct source_mark *marks; /* [mark_count]: words in comments that mark an open step */
    size_t mark_count;
};

/* Reads a source in time and memory linear in its length; a text of more than UINT32_MAX - 1 bytes
 * has no tokens. Use source_index.h instead, which reads each file of a submission only once. */
void source_tokens_read(struct arena *arena, const struct source_file *file,
                        struct source_tokens *out_tokens);

/* How many tokens that would give. */
size_t source_tokens_count(const struct source_file *file);

/* True if token `index` exists, is of that kind and has that text. */
bool token_is(const struct source_tokens *tokens, size_t index, enum token_kind kind,
              const char *text);

/* True if what ends before a token is assigned there: =, += and so on. Those that are no tokens
 * (%=, &=, |=, ^=, <<=, >>=) are a sign and a = after it. */
bool token_assigns(const struct source_tokens *tokens, size_t index);

/* True if two tokens are the same name. */
bool token_same_name(const struct source_tokens *tokens, size_t left, size_t right);

/* The index after the bracket that closes the one at `open` ("(", "[" or "{"); tokens->count if it
 * is never closed, or there is no bracket. */
size_t token_close(const struct source_tokens *tokens, size_t open);

/* The index after the statement that starts at token `at`: after its first block in braces, or its
 * first semicolon outside of brackets. */
size_t source_statement_end(const struct source_tokens *tokens, size_t at);

/* The first token of a line or of the lines below it; tokens->count if there is none. */
size_t source_line_start(const struct source_tokens *tokens, int line);

/* True if the name is defined as a macro in this file. */
bool source_has_macro(const struct source_tokens *tokens, const char *name);
bool source_has_macro_named(const struct source_tokens *tokens, struct source_name name);

/* True if a character is one of a set; NUL never is. */
bool character_is_of(char c, const char *set);

#endif
