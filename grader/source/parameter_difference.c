/* parameter_difference.c: see parameter_difference.h.
 *
 *   message  "float const*"        --words--> parameter_read_word --> struct parameter
 *   source   "const float *d_A"   --tokens-->
 *
 * Only types of words, * and & are known; whatever else a type has makes it one that is not.
 */
#include "source/parameter_difference.h"

#include <ctype.h>
#include <string.h>

enum { PARAMETERS_MAX = 32 };

struct word {
    const char *text; /* [length] */
    size_t length;
};

struct parameter {
    bool is_unknown;
    bool is_const;       /* what it points or refers to */
    bool ends_const;     /* so is the pointer that was read last */
    bool is_unsigned;    /* or has no sign of its own: char */
    int longs, shorts;   /* how often it says so */
    struct word builtin; /* "float", also "int" where it is left out; empty: none */
    struct word own;     /* the name of a type that is not built in; empty: none */
    struct word name;    /* of the parameter itself; empty: none */
    int pointers;
    bool is_reference;
};

struct parameter_list {
    struct parameter items[PARAMETERS_MAX];
    size_t count;
    bool is_certain; /* all were read, whatever they are */
};

static bool word_is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static bool word_is_of(struct word word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (word_is(word, words[i])) {
            return true;
        }
    }
    return false;
}

static bool same_word(struct word left, struct word right)
{
    return left.length == right.length && memcmp(left.text, right.text, left.length) == 0;
}

static bool has_type(const struct parameter *parameter)
{
    return parameter->builtin.length > 0 || parameter->own.length > 0 || parameter->longs > 0 ||
           parameter->shorts > 0 || parameter->is_unsigned;
}

static void read_name(struct parameter *parameter, struct word word)
{
    if (!has_type(parameter)) {
        parameter->own = word;
    } else if (parameter->name.length == 0) {
        parameter->name = word;
    } else {
        parameter->is_unknown = true;
    }
}

static void read_sign(struct parameter *parameter, struct word word)
{
    if (word_is(word, "*") && !parameter->is_reference && parameter->name.length == 0) {
        parameter->is_unknown = parameter->is_unknown || parameter->ends_const;
        parameter->pointers++;
    } else if (word_is(word, "&") && parameter->name.length == 0) {
        parameter->is_reference = true;
    } else {
        parameter->is_unknown = true;
    }
}

/* Adds one word or sign of its declaration to what is known of a parameter. */
static void read_word(struct parameter *parameter, struct word word)
{
    static const char *const builtins[] = {"int", "char", "float", "double", "bool", "void"};
    static const char *const skipped[] = {"struct",       "class",      "enum",    "signed",
                                          "__restrict__", "__restrict", "restrict"};

    if (word_is(word, "const")) {
        parameter->is_const = parameter->is_const || parameter->pointers == 0;
        parameter->ends_const = parameter->ends_const || parameter->pointers > 0;
    } else if (word_is(word, "unsigned")) {
        parameter->is_unsigned = true;
    } else if (word_is(word, "long")) {
        parameter->longs++;
    } else if (word_is(word, "short")) {
        parameter->shorts++;
    } else if (word_is_of(word, builtins, sizeof builtins / sizeof builtins[0])) {
        parameter->is_unknown = parameter->is_unknown || parameter->builtin.length > 0;
        parameter->builtin = word;
    } else if (isalpha((unsigned char)word.text[0]) || word.text[0] == '_') {
        if (!word_is_of(word, skipped, sizeof skipped / sizeof skipped[0])) {
            read_name(parameter, word);
        }
    } else {
        read_sign(parameter, word);
    }
}

/* Gives "unsigned" its int; a copy's own const is no part of a signature. */
static void finish(struct parameter *parameter)
{
    static const struct word integer = {"int", 3};

    if (parameter->builtin.length == 0 && parameter->own.length == 0) {
        parameter->is_unknown = parameter->is_unknown || !has_type(parameter);
        parameter->builtin = integer;
    }
    parameter->is_unknown = parameter->is_unknown || parameter->longs > 2 ||
                            parameter->shorts > 1 ||
                            (parameter->builtin.length > 0 && parameter->own.length > 0);
    parameter->is_const =
        parameter->is_const && (parameter->pointers > 0 || parameter->is_reference);
}

/* Puts a word into the list; a comma outside of brackets begins the next parameter. */
static void list_read(struct parameter_list *list, struct word word, int *depth)
{
    *depth += word_is(word, "<") || word_is(word, "(") || word_is(word, "[") ? 1 : 0;
    *depth -= word_is(word, ">") || word_is(word, ")") || word_is(word, "]") ? 1 : 0;
    *depth -= word_is(word, ">>") ? 2 : 0;
    list->is_certain = list->is_certain && !word_is(word, "="); /* any expression may follow */
    if (word_is(word, ",") && *depth == 0) {
        finish(&list->items[list->count - 1]);
        list->is_certain = list->is_certain && list->count < PARAMETERS_MAX;
        list->count += list->count < PARAMETERS_MAX ? 1 : 0;
        return;
    }
    read_word(&list->items[list->count - 1], word);
}

/* What is not there, or only `void`, is no parameter. */
static void list_finish(struct parameter_list *list)
{
    const struct parameter *only = &list->items[0];

    if (list->count == 1 && only->pointers == 0 && only->own.length == 0 && !only->is_unknown &&
        (!has_type(only) || word_is(only->builtin, "void"))) {
        list->count = 0;
        return;
    }
    finish(&list->items[list->count - 1]);
}

/* Of "undefined reference to `f(float const*, int)'". */
static bool read_wanted(const char *message, struct parameter_list *out_list)
{
    const char *quoted = strstr(message, "undefined reference to `");
    const char *open = quoted == NULL ? NULL : strchr(quoted, '(');
    const char *end = open == NULL ? NULL : strstr(open, ")'");
    int depth = 0;

    *out_list = (struct parameter_list){.count = 1, .is_certain = true};
    for (const char *at = open == NULL ? NULL : open + 1; end != NULL && at < end;) {
        size_t length = 0;
        while (at + length < end && (isalnum((unsigned char)at[length]) || at[length] == '_')) {
            length++;
        }
        if (length > 0 || !isspace((unsigned char)*at)) {
            list_read(out_list, (struct word){at, length > 0 ? length : 1}, &depth);
        }
        at += length > 0 ? length : 1;
    }
    list_finish(out_list);
    return end != NULL && out_list->is_certain;
}

static bool read_defined(const struct source_tokens *tokens, size_t name,
                         struct parameter_list *out_list)
{
    int depth = 0;

    *out_list = (struct parameter_list){.count = 1, .is_certain = true};
    if (!token_is(tokens, name + 1, TOKEN_SIGN, "(")) {
        return false;
    }
    size_t end = token_close(tokens, name + 1);
    if (end >= tokens->count) {
        return false;
    }
    for (size_t i = name + 2; i + 1 < end; i++) {
        list_read(out_list, (struct word){tokens->tokens[i].text, tokens->tokens[i].length},
                  &depth);
    }
    list_finish(out_list);
    return out_list->is_certain;
}

/* True if two types are certainly not the same. */
static bool differ(const struct parameter *wanted, const struct parameter *defined)
{
    if (wanted->is_unknown || defined->is_unknown) {
        return false;
    }
    if (defined->own.length > 0) { /* it may stand for anything else than itself */
        return same_word(wanted->own, defined->own) &&
               (wanted->pointers != defined->pointers || wanted->is_const != defined->is_const ||
                wanted->is_reference != defined->is_reference);
    }
    return wanted->own.length > 0 || !same_word(wanted->builtin, defined->builtin) ||
           wanted->is_unsigned != defined->is_unsigned || wanted->longs != defined->longs ||
           wanted->shorts != defined->shorts || wanted->pointers != defined->pointers ||
           wanted->is_const != defined->is_const || wanted->is_reference != defined->is_reference;
}

/* "const float *" */
static const char *type_text(struct arena *arena, const struct parameter *parameter)
{
    const bool is_long_or_short = parameter->longs > 0 || parameter->shorts > 0;
    const bool is_left_out = is_long_or_short && word_is(parameter->builtin, "int");
    const struct word base = parameter->own.length > 0 ? parameter->own : parameter->builtin;
    const char *text = arena_printf(arena, "%s%s%s%s%.*s", parameter->is_const ? "const " : "",
                                    parameter->is_unsigned ? "unsigned " : "",
                                    parameter->shorts > 0   ? "short"
                                    : parameter->longs == 2 ? "long long"
                                    : parameter->longs == 1 ? "long"
                                                            : "",
                                    is_long_or_short && !is_left_out ? " " : "",
                                    is_left_out ? 0 : (int)base.length, base.text);

    if (parameter->pointers > 0) {
        char *stars = arena_alloc(arena, (size_t)parameter->pointers + 1);
        memset(stars, '*', (size_t)parameter->pointers);
        text = arena_printf(arena, "%s %s", text, stars);
    }
    return parameter->is_reference ? arena_printf(arena, "%s &", text) : text;
}

const char *parameter_difference(struct arena *arena, const char *message,
                                 const struct source_tokens *tokens, size_t name)
{
    struct parameter_list wanted, defined;

    if (!read_wanted(message, &wanted) || !read_defined(tokens, name, &defined)) {
        return NULL;
    }
    if (wanted.count != defined.count) {
        return arena_printf(arena, "has %zu parameter%s here, but %zu where it is called",
                            defined.count, defined.count == 1 ? "" : "s", wanted.count);
    }
    for (size_t i = 0; i < wanted.count; i++) {
        const struct parameter *own = &defined.items[i];
        if (!differ(&wanted.items[i], own)) {
            continue;
        }
        const char *which =
            own->name.length > 0
                ? arena_printf(arena, "`%.*s`", (int)own->name.length, own->name.text)
                : arena_printf(arena, "parameter %zu", i + 1);
        return arena_printf(arena, "%s is `%s` here, but `%s` where it is called", which,
                            type_text(arena, own), type_text(arena, &wanted.items[i]));
    }
    return NULL;
}
