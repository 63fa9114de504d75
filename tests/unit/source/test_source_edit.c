/* test_source_edit.c: changes of lines, and the text that they give. */
#include "source/source_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *applied(struct arena *arena, const struct line_fixes *fixes, const char *text)
{
    const struct source_file file = {.name = "a.cu", .text = text, .length = strlen(text)};
    size_t length = 0;
    const char *made = line_fixes_apply(arena, fixes, &file, &length);

    if (made != NULL) {
        assert_int_equal(length, strlen(made));
    }
    return made;
}

static bool replace(struct arena *arena, struct line_fixes *fixes, size_t from, size_t to,
                    const char *text)
{
    static const char line[] = "f(a, b);";
    const struct line_edit edit = {"a.cu", 2, from, to, text, strlen(text)};

    return line_fixes_replace(arena, fixes, &edit, line, sizeof line - 1);
}

static void lines_change_together(void **state)
{
    struct arena *arena = arena_new();
    struct line_fixes fixes = {.count = 0};
    (void)state;

    assert_true(replace(arena, &fixes, 2, 3, "bcd"));
    assert_true(replace(arena, &fixes, 5, 6, "a")); /* moves with the change before it */
    assert_int_equal(fixes.count, 1);
    assert_false(replace(arena, &fixes, 1, 3, "x")); /* touches it */
    assert_true(line_fixes_add(&fixes, &(struct line_fix){"a.cu", 2, NULL, "g();"}));
    assert_true(line_fixes_add(&fixes, &(struct line_fix){"a.cu", 3, "}", NULL}));
    assert_false(line_fixes_add(&fixes, &(struct line_fix){"a.cu", 1, NULL, "h();"}));
    assert_string_equal(applied(arena, &fixes, "{\nf(a, b);\n}\n"), "{\nf(bcd, a);\ng();\n");
    assert_string_equal(applied(arena, &fixes, "{\r\nf(a, b);\r\n}\r\nx"),
                        "{\r\nf(bcd, a);\r\ng();\r\nx");
    assert_null(applied(arena, &fixes, "{\nf(a, c);\n}\n")); /* not what it was */
    assert_null(applied(arena, &fixes, "{\nf(a, b);\n"));    /* a line less */
    arena_free(arena);
}

static void the_last_line_may_have_no_end(void **state)
{
    struct arena *arena = arena_new();
    struct line_fixes fixes = {.count = 0};
    (void)state;

    assert_true(line_fixes_add(&fixes, &(struct line_fix){"a.cu", 1, NULL, "b"}));
    assert_string_equal(applied(arena, &fixes, "a"), "a\nb");
    assert_true(line_fixes_add(&fixes, &(struct line_fix){"other.cu", 7, NULL, "b"}));
    assert_string_equal(applied(arena, &fixes, "a\n"), "a\nb\n");
    arena_free(arena);
}

static void what_cannot_be_shown_is_refused(void **state)
{
    struct arena *arena = arena_new();
    struct line_fixes fixes = {.count = 0};
    (void)state;

    assert_false(replace(arena, &fixes, 0, 1, "\033"));
    assert_false(replace(arena, &fixes, 0, 1, "\xff"));
    assert_false(replace(arena, &fixes, 0, 1, "f")); /* changes nothing */
    assert_false(replace(arena, &fixes, 3, 99, "x"));
    assert_false(replace(arena, &fixes, 3, 2, "x"));
    assert_false(line_fixes_add(&fixes, &(struct line_fix){"a.cu", 1, NULL, "a\nb"}));
    assert_int_equal(fixes.count, 0);
    arena_free(arena);
}

static void equal_fixes_are_known(void **state)
{
    const struct line_fixes one = {{{"a.cu", 1, "a", "b"}}, 1};
    const struct line_fixes same = {{{"a.cu", 1, "a", "b"}}, 1};
    const struct line_fixes removed = {{{"a.cu", 1, "a", NULL}}, 1};
    const struct line_fixes none = {.count = 0};
    (void)state;

    assert_true(line_fixes_equal(&one, &same));
    assert_false(line_fixes_equal(&one, &removed));
    assert_false(line_fixes_equal(&one, &none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_change_together),
        cmocka_unit_test(the_last_line_may_have_no_end),
        cmocka_unit_test(what_cannot_be_shown_is_refused),
        cmocka_unit_test(equal_fixes_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
