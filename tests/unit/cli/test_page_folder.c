/* test_page_folder.c: the names of pages, whatever students are called. */
#include "cli/page_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *student;
    const char *name;
} rows[] = {
    {"s000001", "s000001.html"},
    {"a.b-c_D", "a.b-c_D.html"},
    {"../../etc/passwd", "_._.._etc_passwd~8.html"},
    {".hidden", "_hidden~8.html"},
    {"-o", "_o~8.html"},
    {"two words", "two_words~8.html"},
    {"a/b", "a_b~8.html"},
    {"", "~8.html"},
    {"\xC3\xA9", "__~8.html"},
    {"a~8", "a_8~8.html"},
    {"x\n", "x_~8.html"},
};

static void test_names(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(page_file_name(arena, rows[i].student, 7, false), rows[i].name);
    }
    arena_free(arena);
}

static void test_twins(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_string_equal(page_file_name(arena, "Anna", 0, true), "Anna~1.html");
    assert_string_equal(page_file_name(arena, "anna", 1, true), "anna~2.html");
    arena_free(arena);
}

static void test_long_name(void **state)
{
    struct arena *arena = arena_new();
    char *student = arena_alloc(arena, 5001);

    (void)state;
    memset(student, 'x', 5000);
    const char *name = page_file_name(arena, student, 0, false);
    assert_true(strlen(name) < 200);
    assert_true(strcmp(name, page_file_name(arena, student, 1, false)) != 0);
    arena_free(arena);
}

static void test_platform_names(void **state)
{
    static const struct {
        enum page_reader reader;
        const char *moodle_id, *file, *name;
    } named[] = {
        {PAGES_FOR_MOODLE, "Participant 1234", "x",
         "Participant_1234_assignfeedback_file_feedback.html"},
        {PAGES_FOR_MOODLE, "7781", "x", NULL},
        {PAGES_FOR_MOODLE, "Participant ../7", "x", NULL},
        {PAGES_FOR_MOODLE, "", "x", NULL},
        {PAGES_FOR_CANVAS, "", "doejane_12_34_lab.zip", "doejane_12_34_feedback.html"},
        {PAGES_FOR_CANVAS, "", "doejane_LATE_12_34_a_5.cu", "doejane_LATE_12_34_feedback.html"},
        {PAGES_FOR_CANVAS, "", "doejane_12_34", NULL},
        {PAGES_FOR_CANVAS, "", "jane", NULL},
        {PAGES_FOR_CANVAS, "", "", NULL},
    };
    struct arena *arena = arena_new();
    (void)state;

    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        const struct class_row row = {.moodle_id = named[i].moodle_id, .file = named[i].file};
        const char *name = page_platform_name(arena, &row, named[i].reader);
        if (named[i].name == NULL) {
            assert_null(name);
        } else {
            assert_string_equal(name, named[i].name);
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_platform_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
