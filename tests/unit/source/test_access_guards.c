/* test_access_guards.c: the conditions that decide whether a place in a function is reached. */
#include "source/access_guards.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The guards of y[0] in a body, "+condition" or "-condition" with / between them. */
static const char *guards_of(struct arena *arena, const char *body)
{
    struct access_guard guards[ACCESS_GUARDS_MAX];
    struct source_functions functions;
    struct source_tokens tokens;
    struct source_file file = {.name = "a.cu"};
    const char *all = "";
    size_t at = 0;

    file.text = arena_printf(arena, "__global__ void f(float *y, int n) { %s }", body);
    file.length = strlen(file.text);
    source_tokens_read(arena, &file, &tokens);
    source_functions_read(arena, &tokens, &functions);
    for (size_t i = functions.items[0].open; i < tokens.count; i++) {
        at = token_is(&tokens, i, TOKEN_NAME, "y") ? i : at;
    }
    const size_t count = source_find_guards(&tokens, &functions.items[0], at, guards);
    for (size_t i = 0; i < count; i++) {
        const struct source_token *first = &tokens.tokens[guards[i].condition.first];
        const struct source_token *last = &tokens.tokens[guards[i].condition.end - 1];
        all =
            arena_printf(arena, "%s%s%s%.*s", all, i > 0 ? "/" : "", guards[i].is_true ? "+" : "-",
                         (int)(last->text + last->length - first->text), first->text);
    }
    return all;
}

static void places(void **state)
{
    static const struct {
        const char *body, *expected;
    } rows[] = {
        {"y[0] = 1;", ""},
        {"if (n > 1) { y[0] = 1; }", "+n > 1"},
        {"if (n > 1) y[0] = 1;", "+n > 1"},
        {"if (n > 1) { n; } y[0] = 1;", ""},
        {"if (n > 1) { n; } else { y[0] = 1; }", "-n > 1"},
        {"if (n > 1) { n; } else if (n) { y[0] = 1; }", "-n > 1/+n"},
        {"if (n > 1) { n; } else if (n) { n; } else { y[0] = 1; }", "-n > 1/-n"},
        {"if (n > 1) return; y[0] = 1;", "-n > 1"},
        {"if (n > 1) { n--; return; } y[0] = 1;", "-n > 1"},
        {"for (int k = 0; k < n; k++) { if (k == 3) continue; y[0] = 1; }", "+k < n/-k == 3"},
        {"while (n > 2) y[0] = 1;", "+n > 2"},
        {"x = n > 1 ? y[0] : 2;", "+n > 1"},
        {"x = n > 1 ? 2 : y[0];", "-n > 1"},
        {"x = n > 1 ? n > 2 ? 3 : 4 : y[0];", "-n > 1"},
        {"x = n > 1 ? 3 : n > 2 ? y[0] : 4;", "-n > 1/+n > 2"},
        {"x = g(n > 1 ? 2 : 3, y[0]);", ""},
        {"x = n > 1 ? g(2, y[0]) : 3;", "+n > 1"},
        {"if (n) { x = n > 1 ? y[0] : 2; }", "+n/+n > 1"},
        /* What does not decide it: */
        {"if (n) { if (n > 1) return; } y[0] = 1;", ""},
        {"if (n) if (n > 1) return; y[0] = 1;", ""},
        {"if (n > 1) { if (n) return; } y[0] = 1;", ""},
        {"if (n > 1) if (n) { n; } else { y[0] = 1; }", "-n"},
        {"do { n--; } while (n > 1); y[0] = 1;", ""},
        {"if (y[0] > 1) { n; }", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const char *found = guards_of(arena, rows[i].body);
        if (strcmp(found, rows[i].expected) != 0) {
            fail_msg("%s: %s", rows[i].body, found);
        }
        arena_free(arena);
    }
}

/* `if` [count], each the `else` of the one before it, of which the last has y[0]. */
static const char *chain(struct arena *arena, size_t count, const char *last)
{
    static const char link[] = "if (n > 1) n; else ";
    char *body = arena_array(arena, count * (sizeof link - 1) + strlen(last) + 1, 1);

    for (size_t i = 0; i < count; i++) {
        memcpy(body + i * (sizeof link - 1), link, sizeof link - 1);
    }
    memcpy(body + count * (sizeof link - 1), last, strlen(last) + 1);
    return body;
}

/* Time is linear in the length of a chain of `else if`: quadratic time would take minutes here. */
static void long_chains(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_string_equal(guards_of(arena, chain(arena, 2, "y[0] = 1;")), "-n > 1/-n > 1");
    assert_string_equal(guards_of(arena, chain(arena, 100000, "n; y[0] = 1;")), "");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(long_chains)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
