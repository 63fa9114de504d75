/* enclosing_loop.c: see enclosing_loop.h. */
#include "source/enclosing_loop.h"

#include <string.h>

/* How names of barriers begin. */
static const char SYNC[] = "__sync";

/* How far above its line an access may go by another one. */
enum { ACCESS_LINES = 4 };

static bool is_loop(const struct source_tokens *tokens, size_t index)
{
    return (token_is(tokens, index, TOKEN_NAME, "for") ||
            token_is(tokens, index, TOKEN_NAME, "while")) &&
           token_is(tokens, index + 1, TOKEN_SIGN, "(");
}

bool find_enclosing_loop(const struct source_tokens *tokens, struct line_span body, int *out_line,
                         int *out_column)
{
    bool found = false;

    for (size_t i = 0; i < tokens->count && tokens->tokens[i].line <= body.first; i++) {
        if (!is_loop(tokens, i)) {
            continue;
        }
        size_t start = token_close(tokens, i + 1);
        size_t end = source_statement_end(tokens, start);
        if (start < end && tokens->tokens[start].line <= body.first &&
            tokens->tokens[end - 1].line >= body.last) {
            *out_line = tokens->tokens[i].line;
            *out_column = tokens->tokens[i].column;
            found = true;
        }
    }
    return found;
}

/* The index of the name that a line adds to, or sets; tokens->count if there is none. */
static size_t name_of_sum(const struct source_tokens *tokens, int line, bool *out_is_set)
{
    for (size_t i = source_line_start(tokens, line);
         i + 1 < tokens->count && tokens->tokens[i].line == line; i++) {
        if (tokens->tokens[i].kind != TOKEN_NAME) {
            continue;
        }
        if (token_is(tokens, i + 1, TOKEN_SIGN, "+=") || token_is(tokens, i + 1, TOKEN_SIGN, "=")) {
            *out_is_set = token_is(tokens, i + 1, TOKEN_SIGN, "=");
            return i;
        }
    }
    return tokens->count;
}

/* True if the name of a token stands anywhere in its own statement, to the right. */
static bool is_used_behind(const struct source_tokens *tokens, size_t name)
{
    const struct source_token *left = &tokens->tokens[name];

    for (size_t i = name + 1; i < tokens->count && !token_is(tokens, i, TOKEN_SIGN, ";"); i++) {
        const struct source_token *token = &tokens->tokens[i];
        if (token->kind == TOKEN_NAME && token->length == left->length &&
            memcmp(token->text, left->text, left->length) == 0) {
            return true;
        }
    }
    return false;
}

bool find_sum_set(const struct source_tokens *tokens, int line, int *out_line, int *out_column)
{
    bool is_set = false;
    size_t sum = name_of_sum(tokens, line, &is_set);
    if (sum == tokens->count) {
        return false;
    }
    size_t at = sum;
    if (!is_set || is_used_behind(tokens, sum)) {
        const struct source_token *name = &tokens->tokens[sum];
        do {
            if (at == 0 || token_is(tokens, at, TOKEN_NAME, "__global__")) {
                return false;
            }
            at--;
        } while (tokens->tokens[at].kind != TOKEN_NAME ||
                 tokens->tokens[at].length != name->length ||
                 memcmp(tokens->tokens[at].text, name->text, name->length) != 0 ||
                 !token_is(tokens, at + 1, TOKEN_SIGN, "="));
    }
    *out_line = tokens->tokens[at].line;
    *out_column = tokens->tokens[at].column;
    return true;
}

/* True if a token may be part of an access: an index, a pointer, a call of anything but a barrier.
 */
static bool is_access(const struct source_tokens *tokens, size_t index)
{
    const struct source_token *token = &tokens->tokens[index];

    if (token_is(tokens, index, TOKEN_SIGN, "[") || token_is(tokens, index, TOKEN_SIGN, "*") ||
        token_is(tokens, index, TOKEN_SIGN, "->")) {
        return true;
    }
    return token->kind == TOKEN_NAME && token_is(tokens, index + 1, TOKEN_SIGN, "(") &&
           !is_loop(tokens, index) && !token_is(tokens, index, TOKEN_NAME, "if") &&
           (token->length < sizeof SYNC - 1 || memcmp(token->text, SYNC, sizeof SYNC - 1) != 0);
}

bool find_access_line(const struct source_tokens *tokens, int line, int *out_line, int *out_column)
{
    size_t first = source_line_start(tokens, line);

    for (size_t i = first; i < tokens->count && tokens->tokens[i].line <= line + ACCESS_LINES;
         i++) {
        first = tokens->tokens[i].line != tokens->tokens[first].line ? i : first;
        if (is_access(tokens, i)) {
            if (tokens->tokens[i].line != line) {
                *out_line = tokens->tokens[i].line;
                *out_column = tokens->tokens[first].column;
            }
            return true;
        }
    }
    return false;
}
