/* access_guards.c: see access_guards.h. */
#include "source/access_guards.h"

#include <string.h>

/* Longer expressions, and chains of `else if`, are no one's handwriting: they are not read. */
enum { EXPRESSION_TOKENS_MAX = 256, ELSE_MAX = 64 };

/* Guards that are being collected. */
struct guard_list {
    struct access_guard *items; /* [ACCESS_GUARDS_MAX] */
    size_t count;
};

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

static bool word_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_NAME, text);
}

/* Adds one; the outermost goes if there is no room. */
static void add_guard(struct guard_list *list, struct access_guard guard)
{
    if (list->count == ACCESS_GUARDS_MAX) {
        memmove(list->items, list->items + 1, (ACCESS_GUARDS_MAX - 1) * sizeof *list->items);
        list->count--;
    }
    list->items[list->count++] = guard;
}

/* Statements ***********************************************************************************/

static bool is_control(const struct source_tokens *tokens, size_t at)
{
    return word_is(tokens, at, "if") || word_is(tokens, at, "for") ||
           word_is(tokens, at, "while") || word_is(tokens, at, "do") ||
           word_is(tokens, at, "switch");
}

/* Where what follows an `else` ends, with all that follows in `else if`; 0 if that is too much. */
static size_t else_end(const struct source_tokens *tokens, size_t at)
{
    size_t first = at + 1;
    size_t count = 0;

    while (word_is(tokens, first, "if") && sign_is(tokens, first + 1, "(")) {
        const size_t body = token_close(tokens, first + 1);
        const size_t end = source_statement_end(tokens, body);
        if (is_control(tokens, body) || !word_is(tokens, end, "else")) {
            return end;
        }
        if (++count == ELSE_MAX) {
            return 0;
        }
        first = end + 1;
    }
    return source_statement_end(tokens, first);
}

/* True if the statement [first, end) does nothing more after its last token but leave. */
static bool is_exit(const struct source_tokens *tokens, size_t first, size_t end)
{
    const size_t after = sign_is(tokens, first, "{") ? end - 1 : end; /* of the last statement */

    if (end < first + 2 || after < first + 2 || !sign_is(tokens, after - 1, ";")) {
        return false;
    }
    const size_t last = after - 2;
    const bool is_alone = after == end
                              ? last == first
                              : sign_is(tokens, last - 1, "{") || sign_is(tokens, last - 1, ";") ||
                                    sign_is(tokens, last - 1, "}");
    return is_alone && (word_is(tokens, last, "return") || word_is(tokens, last, "continue"));
}

struct token_range source_for_condition(const struct source_tokens *tokens, size_t open)
{
    const size_t close = token_close(tokens, open) - 1;
    struct token_range condition = {close, close};
    size_t found = 0;

    for (size_t i = open + 1; i < close && found < 2; i++) {
        const size_t partner = tokens->partners[i];
        i = partner > i && partner < close ? partner : i;
        if (sign_is(tokens, i, ";")) {
            condition.first = found == 0 ? i + 1 : condition.first;
            condition.end = i;
            found++;
        }
    }
    return found == 2 ? condition : (struct token_range){close, close};
}

/* Adds what an `if`, `for` or `while` at a token says of the place `at`. */
static void add_statement(const struct source_tokens *tokens, size_t keyword, size_t at,
                          struct guard_list *list)
{
    const size_t open = keyword + 1;
    const size_t body = token_close(tokens, open);

    if (body > at || body <= open) {
        return;
    }
    const size_t end = source_statement_end(tokens, body);
    const bool is_if = word_is(tokens, keyword, "if");
    const struct token_range condition = word_is(tokens, keyword, "for")
                                             ? source_for_condition(tokens, open)
                                             : (struct token_range){open + 1, body - 1};
    if (condition.end <= condition.first ||
        condition.end - condition.first > EXPRESSION_TOKENS_MAX) {
        return;
    }
    if (at < end) {
        add_guard(list, (struct access_guard){condition, true, !is_if});
        return;
    }
    if (!is_if || is_control(tokens, body)) {
        return;
    }
    const bool is_statement = sign_is(tokens, keyword - 1, ";") ||
                              sign_is(tokens, keyword - 1, "{") ||
                              sign_is(tokens, keyword - 1, "}");
    if ((word_is(tokens, end, "else") && at < else_end(tokens, end)) ||
        (is_statement && is_exit(tokens, body, end))) {
        add_guard(list, (struct access_guard){condition, false, false});
    }
}

/* Choices **************************************************************************************/

static bool ends_choice(const struct source_tokens *tokens, size_t at)
{
    static const char *const signs[] = {"=", ",", ";",  "{",  "}",  "(", "[",
                                        "?", ":", "+=", "-=", "*=", "/="};

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (sign_is(tokens, at, signs[i])) {
            return true;
        }
    }
    return word_is(tokens, at, "return");
}

/* Where the condition before a ? starts. */
static size_t choice_start(const struct source_tokens *tokens, size_t question, size_t least)
{
    size_t at = question;

    while (at > least && question - at < EXPRESSION_TOKENS_MAX && !ends_choice(tokens, at - 1)) {
        const size_t partner = tokens->partners[at - 1];
        at = partner < at - 1 ? partner : at - 1;
    }
    return at;
}

/* Adds the choices around a place in its statement, the inner ones first. */
static void add_choices(const struct source_tokens *tokens, const struct source_function *function,
                        size_t at, struct guard_list *list)
{
    size_t colons = 0;
    bool is_apart = false; /* what is before a comma or an assignment decides nothing */

    for (size_t i = at; i > function->open + 1 && at - i < EXPRESSION_TOKENS_MAX;) {
        const size_t before = i - 1;
        const size_t partner = tokens->partners[before];
        i = partner < before ? partner : before;
        if (partner < before) {
            if (sign_is(tokens, before, "}")) {
                return;
            }
        } else if (sign_is(tokens, before, ";") || sign_is(tokens, before, "{") ||
                   list->count == ACCESS_GUARDS_MAX) {
            return;
        } else if (sign_is(tokens, before, "(") || sign_is(tokens, before, "[")) {
            colons = 0;
            is_apart = false;
        } else if (sign_is(tokens, before, ",") || sign_is(tokens, before, "=")) {
            is_apart = true;
        } else if (sign_is(tokens, before, ":") && !is_apart) {
            colons++;
        } else if (sign_is(tokens, before, "?") && !is_apart && colons > 1) {
            colons--; /* of a choice that ends before the place */
        } else if (sign_is(tokens, before, "?") && !is_apart) {
            const size_t first = choice_start(tokens, before, function->open + 1);
            add_guard(list, (struct access_guard){{first, before}, colons == 0, false});
            colons = 0;
        }
    }
}

size_t source_find_guards(const struct source_tokens *tokens,
                          const struct source_function *function, size_t at,
                          struct access_guard out_guards[ACCESS_GUARDS_MAX])
{
    struct guard_list list = {out_guards, 0};
    struct access_guard choices[ACCESS_GUARDS_MAX];
    struct guard_list inner = {choices, 0};

    for (size_t i = function->open + 1; i < at; i++) {
        if (sign_is(tokens, i, "{") && token_close(tokens, i) <= at) {
            i = token_close(tokens, i) - 1;
        } else if ((word_is(tokens, i, "if") || word_is(tokens, i, "for") ||
                    word_is(tokens, i, "while")) &&
                   sign_is(tokens, i + 1, "(")) {
            add_statement(tokens, i, at, &list);
        }
    }
    add_choices(tokens, function, at, &inner);
    for (size_t i = inner.count; i > 0; i--) {
        add_guard(&list, choices[i - 1]);
    }
    return list.count;
}

/* Parts ****************************************************************************************/

size_t source_condition_parts(const struct source_tokens *tokens, const struct access_guard *guard,
                              struct token_range out_parts[CONDITION_PARTS_MAX])
{
    struct token_range range = guard->condition;
    const char *between = guard->is_true ? "&&" : "||";
    const char *other = guard->is_true ? "||" : "&&";
    size_t count = 0;

    while (sign_is(tokens, range.first, "(") && token_close(tokens, range.first) == range.end) {
        range = (struct token_range){range.first + 1, range.end - 1};
    }
    size_t first = range.first;
    for (size_t i = range.first; i <= range.end; i++) {
        if (i < range.end && (sign_is(tokens, i, other) || sign_is(tokens, i, "?"))) {
            out_parts[0] = range;
            return 1;
        }
        if (i == range.end || sign_is(tokens, i, between)) {
            if (count == CONDITION_PARTS_MAX) {
                return 0;
            }
            out_parts[count++] = (struct token_range){first, i};
            first = i + 1;
        } else if (tokens->partners[i] > i && tokens->partners[i] < range.end) {
            i = tokens->partners[i];
        }
    }
    return count;
}
