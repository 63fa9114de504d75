/* printf_format.c: see printf_format.h. */
#include "source/printf_format.h"

#include <string.h>

enum { VALUES_MAX = 16 };

enum value_kind { VALUE_UNKNOWN, VALUE_INT, VALUE_DOUBLE, VALUE_OTHER };

/* A conversion of the format, "%.4f"; what it prints. */
struct conversion {
    const char *text; /* [length] */
    size_t length;
    enum value_kind kind;
};

struct format {
    struct conversion values[VALUES_MAX];
    size_t count;
    struct conversion stray; /* length 0: there is none */
};

static size_t span(const char *text, size_t length, size_t from, const char *set)
{
    while (from < length && character_is_of(text[from], set)) {
        from++;
    }
    return from;
}

/* False if the format has more values than one person prints, or takes a width from an argument. */
static bool read_format(const struct source_token *string, struct format *out)
{
    *out = (struct format){.count = 0};
    for (size_t i = 0; i < string->length; i++) {
        if (string->text[i] != '%') {
            continue;
        }
        size_t end = span(string->text, string->length, i + 1, "-+ #0");
        end = span(string->text, string->length, end, "0123456789.");
        end = span(string->text, string->length, end, "hlLjzt");
        char last = end < string->length ? string->text[end] : '\0';
        struct conversion found = {string->text + i, end - i + 1, VALUE_OTHER};
        if (last == '*' || out->count == VALUES_MAX) {
            return false;
        }
        if (last == '%') {
            i = end;
            continue;
        }
        if (!character_is_of(last, "diouxXcspnfFeEgGaA")) {
            out->stray = (struct conversion){string->text + i, 1, VALUE_OTHER};
            return true;
        }
        found.kind = character_is_of(last, "dioux")     ? VALUE_INT
                     : character_is_of(last, "fFeEgGa") ? VALUE_DOUBLE
                                                        : VALUE_OTHER;
        out->values[out->count++] = found;
        i = end;
    }
    return true;
}

static bool is_one_of(const struct source_tokens *tokens, size_t at, enum token_kind kind,
                      const char *const *words)
{
    for (; *words != NULL; words++) {
        if (token_is(tokens, at, kind, *words)) {
            return true;
        }
    }
    return false;
}

/* What a name was declared as last, before a token. */
static enum value_kind declared_kind(const struct source_tokens *tokens, size_t name)
{
    static const char *const doubles[] = {"float", "double", NULL};
    static const char *const ints[] = {"int", "unsigned", NULL};

    for (size_t i = name; i > 1; i--) {
        if (!token_same_name(tokens, i - 1, name)) {
            continue;
        }
        if (is_one_of(tokens, i - 2, TOKEN_NAME, doubles) &&
            !token_is(tokens, i, TOKEN_SIGN, "[")) {
            return VALUE_DOUBLE;
        }
        if (is_one_of(tokens, i - 2, TOKEN_NAME, ints) && !token_is(tokens, i, TOKEN_SIGN, "[")) {
            return VALUE_INT;
        }
        if (tokens->tokens[i - 2].kind == TOKEN_NAME || token_is(tokens, i - 2, TOKEN_SIGN, "*") ||
            token_is(tokens, i - 2, TOKEN_SIGN, "&")) {
            return VALUE_UNKNOWN;
        }
    }
    return VALUE_UNKNOWN;
}

/* What the tokens [first, end) are for sure: a name by its declaration, or a sum or quotient that
 * begins with a cast to double. */
static enum value_kind kind_of(const struct source_tokens *tokens, size_t first, size_t end)
{
    static const char *const doubles[] = {"float", "double", NULL};
    static const char *const choices[] = {
        "?", "<", ">", "<=", ">=", "==", "!=", "&&", "||", ".", "->", NULL};

    if (end == first + 1 && tokens->tokens[first].kind == TOKEN_NAME) {
        return declared_kind(tokens, first);
    }
    bool is_cast = end > first + 3 && token_is(tokens, first, TOKEN_SIGN, "(") &&
                   is_one_of(tokens, first + 1, TOKEN_NAME, doubles) &&
                   token_is(tokens, first + 2, TOKEN_SIGN, ")");
    for (size_t i = first; i < end && is_cast; i++) {
        is_cast = !is_one_of(tokens, i, TOKEN_SIGN, choices);
    }
    return is_cast ? VALUE_DOUBLE : VALUE_UNKNOWN;
}

static bool check_kind(struct arena *arena, const struct conversion *conversion,
                       enum value_kind given, struct printf_mistake *out)
{
    static const char *const names[] = {[VALUE_INT] = "an int", [VALUE_DOUBLE] = "a double"};
    static const char *const words[] = {[VALUE_INT] = "%d", [VALUE_DOUBLE] = "%f"};
    const enum value_kind wanted = conversion->kind;

    if (given == wanted || wanted == VALUE_OTHER || given == VALUE_UNKNOWN) {
        return false;
    }
    out->label = arena_printf(arena, "`%.*s` prints %s, but %s is given", (int)conversion->length,
                              conversion->text, names[wanted], names[given]);
    out->hint = arena_printf(arena, "print %s with `%s`", names[given], words[given]);
    return true;
}

/* Compares the values after the format, from the token `at` on, with its conversions. */
static bool check_values(struct arena *arena, const struct source_tokens *tokens, size_t at,
                         size_t close, const struct format *format, struct printf_mistake *out)
{
    size_t given = 0;

    while (at + 1 < close && token_is(tokens, at, TOKEN_SIGN, ",")) {
        size_t first = ++at;
        while (at + 1 < close && !token_is(tokens, at, TOKEN_SIGN, ",")) {
            size_t after = token_close(tokens, at);
            at = after < close ? after : at + 1;
        }
        if (given < format->count &&
            check_kind(arena, &format->values[given], kind_of(tokens, first, at), out)) {
            return true;
        }
        given++;
    }
    if (given >= format->count) {
        return false;
    }
    out->label = arena_printf(arena, "this prints %zu value%s, but %zu %s given", format->count,
                              format->count == 1 ? "" : "s", given, given == 1 ? "is" : "are");
    out->hint = "give printf a value for each %, after the format";
    return true;
}

bool printf_mistake_find(struct arena *arena, const struct source_tokens *tokens, size_t at,
                         struct printf_mistake *out_mistake)
{
    struct format format;

    if (at < 2 || at >= tokens->count || tokens->tokens[at].kind != TOKEN_STRING ||
        !token_is(tokens, at - 1, TOKEN_SIGN, "(") ||
        !token_is(tokens, at - 2, TOKEN_NAME, "printf")) {
        return false;
    }
    size_t close = token_close(tokens, at - 1);
    bool is_whole =
        token_is(tokens, at + 1, TOKEN_SIGN, ",") || token_is(tokens, at + 1, TOKEN_SIGN, ")");
    if (close == tokens->count || !is_whole || !read_format(&tokens->tokens[at], &format)) {
        return false;
    }
    if (format.stray.length > 0) {
        out_mistake->label = "a `%` here starts no value";
        out_mistake->hint = "delete it; to print a percentage, multiply by 100 and end with `%%`";
        return true;
    }
    return check_values(arena, tokens, at + 1, close, &format, out_mistake);
}
