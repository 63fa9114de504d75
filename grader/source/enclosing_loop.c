/* enclosing_loop.c: see enclosing_loop.h. */
#include "source/enclosing_loop.h"

#include <string.h>

/* How names of barriers begin. */
static const char SYNC[] = "__sync";

enum {
    ACCESS_LINES = 4, /* how far above its line an access may go by another one */
    /* Bounds for sources that no person writes, in tokens: */
    CONDITION_MAX = 64,
    LINE_MAX_LOOKED_AT = 64,
    STEPS_MAX = 1 << 22,
};

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

bool find_loop_at(const struct source_tokens *tokens, int line, struct source_loop *out_loop)
{
    bool found = false;

    for (size_t i = 0; i < tokens->count && tokens->tokens[i].line <= line; i++) {
        if (!is_loop(tokens, i)) {
            continue;
        }
        const struct source_loop loop = {i, i + 1, token_close(tokens, i + 1),
                                         source_statement_end(tokens, token_close(tokens, i + 1))};
        if (loop.close < loop.end && tokens->tokens[loop.end - 1].line >= line) {
            *out_loop = loop;
            found = true;
        }
    }
    return found;
}

static bool is_sign_of(const struct source_tokens *tokens, size_t index, const char *const *signs)
{
    for (; *signs != NULL; signs++) {
        if (token_is(tokens, index, TOKEN_SIGN, *signs)) {
            return true;
        }
    }
    return false;
}

/* True if the name at a token is set there. */
static bool is_set_at(const struct source_tokens *tokens, size_t at)
{
    static const char *const steps[] = {"++", "--", NULL};

    return token_assigns(tokens, at + 1) || is_sign_of(tokens, at + 1, steps) ||
           (at > 0 && is_sign_of(tokens, at - 1, steps));
}

/* True if a token may set a name, or give it to something that does: `&n`, `f(n)`, `in >> n`. */
static bool may_set(const struct source_tokens *tokens, size_t at)
{
    static const char *const before[] = {"&", ">>", NULL};
    bool is_argument = at > 1 && tokens->tokens[at - 2].kind == TOKEN_NAME &&
                       token_is(tokens, at - 1, TOKEN_SIGN, "(") && !is_loop(tokens, at - 2) &&
                       !token_is(tokens, at - 2, TOKEN_NAME, "if");

    return is_set_at(tokens, at) || (at > 0 && is_sign_of(tokens, at - 1, before)) || is_argument;
}

/* The tokens [*out_first, *out_end) of a loop's condition. */
static void condition_of(const struct source_tokens *tokens, const struct source_loop *loop,
                         size_t *out_first, size_t *out_end)
{
    size_t semicolons = 0;

    *out_first = loop->open + 1;
    *out_end = loop->close - 1;
    for (size_t i = loop->open + 1; i + 1 < loop->close; i++) {
        if (!token_is(tokens, i, TOKEN_SIGN, ";")) {
            continue;
        }
        semicolons++;
        *out_first = semicolons == 1 ? i + 1 : *out_first;
        *out_end = semicolons == 2 ? i : *out_end;
    }
    *out_end = *out_end - *out_first > CONDITION_MAX ? *out_first : *out_end;
}

/* True if a name is a variable that its function sets before the loop, or the loop's head. */
static bool is_set_before(const struct source_tokens *tokens, const struct source_loop *loop,
                          size_t name)
{
    for (size_t i = loop->close; i > 0 && !token_is(tokens, i, TOKEN_NAME, "__global__"); i--) {
        bool is_constant = i > 2 && (token_is(tokens, i - 2, TOKEN_NAME, "const") ||
                                     token_is(tokens, i - 2, TOKEN_NAME, "constexpr"));
        if (token_same_name(tokens, i, name) && is_set_at(tokens, i)) {
            return !is_constant;
        }
    }
    return false;
}

size_t loop_unchanged_names(const struct source_tokens *tokens, const struct source_loop *loop,
                            size_t out_names[LOOP_NAMES_MAX])
{
    size_t count = 0;
    size_t first, end;

    condition_of(tokens, loop, &first, &end);
    for (size_t i = first; i < end && count < LOOP_NAMES_MAX; i++) {
        bool is_variable = tokens->tokens[i].kind == TOKEN_NAME &&
                           !token_is(tokens, i + 1, TOKEN_SIGN, "(") &&
                           is_set_before(tokens, loop, i);
        for (size_t j = 0; j < count && is_variable; j++) {
            is_variable = !token_same_name(tokens, i, out_names[j]);
        }
        for (size_t j = first; j < loop->end && is_variable; j++) {
            is_variable = !token_same_name(tokens, i, j) || !may_set(tokens, j);
        }
        if (is_variable) {
            out_names[count++] = i;
        }
    }
    return count;
}

static bool may_differ(const struct source_tokens *tokens, struct token_range value, size_t *steps)
{
    for (size_t i = value.first; i < value.end && i < tokens->count; i++) {
        if (token_is(tokens, i, TOKEN_NAME, "threadIdx")) {
            return true;
        }
        bool is_name = tokens->tokens[i].kind == TOKEN_NAME;
        for (size_t set = i; is_name && set > 0 && !token_is(tokens, set, TOKEN_NAME, "__global__");
             set--) {
            if (*steps == 0) {
                return true;
            }
            --*steps;
            struct token_range before = {set + 2, source_statement_end(tokens, set)};
            if (before.end <= value.first && token_same_name(tokens, set, i) &&
                is_set_at(tokens, set) && may_differ(tokens, before, steps)) {
                return true;
            }
        }
    }
    return false;
}

bool depends_on_thread(const struct source_tokens *tokens, struct token_range value)
{
    size_t steps = STEPS_MAX;

    return may_differ(tokens, value, &steps);
}

size_t loop_counter(const struct source_tokens *tokens, const struct source_loop *loop)
{
    for (size_t i = loop->open + 1;
         i < loop->close && token_is(tokens, loop->keyword, TOKEN_NAME, "for") &&
         !token_is(tokens, i, TOKEN_SIGN, ";");
         i++) {
        if (tokens->tokens[i].kind == TOKEN_NAME && token_is(tokens, i + 1, TOKEN_SIGN, "=")) {
            return token_is(tokens, i + 2, TOKEN_SIGN, "-") ? tokens->count : i;
        }
    }
    return tokens->count;
}

/* True if a line is one of those of the tokens [first, end). */
static bool has_line(const struct source_tokens *tokens, size_t first, size_t end, int line)
{
    return first < end && end <= tokens->count && tokens->tokens[first].line <= line &&
           line <= tokens->tokens[end - 1].line;
}

bool find_conditional_barrier(const struct source_tokens *tokens, struct line_span accesses,
                              struct conditional_barrier *out_barrier)
{
    struct source_loop loop;
    bool in_loop = find_loop_at(tokens, accesses.last, &loop) &&
                   has_line(tokens, loop.keyword, loop.end, accesses.first);
    size_t start = in_loop ? loop.open : source_line_start(tokens, accesses.first);
    size_t steps = STEPS_MAX;

    for (size_t i = start; i < tokens->count; i++) {
        bool is_past = in_loop ? i >= loop.end : tokens->tokens[i].line > accesses.last;
        if (is_past) {
            break;
        }
        if (!token_is(tokens, i, TOKEN_NAME, "if") || !token_is(tokens, i + 1, TOKEN_SIGN, "(")) {
            continue;
        }
        size_t body = token_close(tokens, i + 1);
        size_t end = source_statement_end(tokens, body);
        if (has_line(tokens, i, end, accesses.first) || has_line(tokens, i, end, accesses.last)) {
            continue;
        }
        for (size_t j = body; j < end && j < tokens->count && steps > 0; j++, steps--) {
            if (token_is(tokens, j, TOKEN_NAME, "__syncthreads")) {
                *out_barrier = (struct conditional_barrier){j, i + 2, body - 1};
                return true;
            }
        }
    }
    return false;
}

bool line_has_name(const struct source_tokens *tokens, int line, size_t name)
{
    size_t start = source_line_start(tokens, line);

    for (size_t i = start;
         i < tokens->count && i - start < LINE_MAX_LOOKED_AT && tokens->tokens[i].line == line;
         i++) {
        if (token_same_name(tokens, i, name)) {
            return true;
        }
    }
    return false;
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
