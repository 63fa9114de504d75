/* test_term.c: the file of a term, and totals over several classes. */
#include "batch/term_file.h"
#include "batch/term_totals.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;
static char *folder;
static const char *path;
static struct diagnostic diagnostic;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    path = arena_printf(arena, "%s/term.json", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(folder);
    arena_free(arena);
    return 0;
}

static enum error read_term(const char *text, struct term *out_term)
{
    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
    return term_file_read(arena, path, out_term, &diagnostic);
}

static void a_file_is_read(void **state)
{
    struct term term;

    (void)state;
    assert_int_equal(
        read_term("{\"title\": \"T\", \"out_of\": 60, \"parts\": ["
                  "{\"title\": \"Labs\", \"weight\": 40, \"best\": 1, \"courseworks\":"
                  " [{\"results\": \"a\"}, {\"results\": \"/b\", \"weight\": 2.5}]},"
                  "{\"title\": \"Project\", \"courseworks\": [{\"results\": \"c\"}]}]}",
                  &term),
        ERROR_NONE);
    assert_true(term.out_of == 60);
    assert_int_equal(term.part_count, 2);
    assert_int_equal(term.parts[0].best, 1);
    assert_true(term.parts[0].weight == 40 && term.parts[1].weight == 1);
    assert_int_equal(term.coursework_count, 3);
    assert_string_equal(term.courseworks[0].folder, arena_printf(arena, "%s/a", folder));
    assert_string_equal(term.courseworks[1].folder, "/b");
    assert_true(term.courseworks[1].weight == 2.5);
    assert_int_equal(term.courseworks[2].part, 1);
}

static void what_is_no_term_is_refused(void **state)
{
    static const char *const texts[] = {
        "[]",
        "{\"title\": \"T\"}",
        "{\"title\": \"T\", \"parts\": []}",
        "{\"title\": \"\", \"parts\": [{\"title\": \"P\", \"courseworks\": [{\"results\": "
        "\"a\"}]}]}",
        "{\"title\": \"T\", \"parts\": [{\"title\": \"P\", \"courseworks\": []}]}",
        "{\"title\": \"T\", \"parts\": [{\"title\": \"P\", \"courseworks\": [\"a\"]}]}",
        "{\"title\": \"T\", \"parts\": [{\"title\": \"P\", \"courseworks\": [{\"results\": \"a\","
        " \"weight\": 0}]}]}",
        "{\"title\": \"T\", \"parts\": [{\"title\": \"P\", \"best\": 2, \"courseworks\":"
        " [{\"results\": \"a\"}]}]}",
        "{\"title\": \"T\", \"parts\": [{\"title\": \"P\", \"best\": 0.5, \"courseworks\":"
        " [{\"results\": \"a\"}]}]}",
        "{\"title\": \"T\", \"wieght\": 1, \"parts\": [{\"title\": \"P\", \"courseworks\":"
        " [{\"results\": \"a\"}]}]}",
    };
    struct term term;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(read_term(texts[i], &term), ERROR_RANGE);
        assert_int_equal(diagnostic.blame, BLAME_USAGE);
    }
    assert_non_null(strstr(diagnostic.message, "unknown key 'wieght'"));
}

static struct class_row row_of(const char *student, const char *email, enum class_state state,
                               double mark)
{
    return (struct class_row){
        .student = student, .name = "", .email = email, .state = state, .final = {.mark = mark}};
}

/* Three labs, of which two count, and a project; the second lab is out of 50. */
static struct term_results made_term(void)
{
    static const struct term_part parts[] = {{"Labs", 40, 2}, {"Project", 60, 0}};
    static struct class_row first[3], second[3], third[2], project[3];
    static struct class_results classes[4];
    static struct term_coursework courseworks[4];
    static struct term term;
    struct term_results results;

    first[0] = row_of("ann", "Ann@example.org", CLASS_GRADED, 80);
    first[1] = row_of("bob", "", CLASS_GRADED, 50);
    first[2] = row_of("eve", "", CLASS_PENDING, 0);
    second[0] = row_of("ann", "", CLASS_GRADED, 50);
    second[1] = row_of("bob", "", CLASS_MISSING, 0);
    second[2] = row_of("eve", "", CLASS_NOTHING, 0);
    third[0] = row_of("a.nn", "ann@EXAMPLE.org", CLASS_GRADED, 90); /* another key, one address */
    third[1] = row_of("bob", "", CLASS_GRADED, 100);
    project[0] = row_of("ann", "", CLASS_GRADED, 70);
    project[1] = row_of("bob", "", CLASS_TROUBLE, 0);
    project[2] = row_of("zoe", "", CLASS_GRADED, 110); /* with a bonus */
    classes[0] = (struct class_results){.maximum = 100, .rows = first, .row_count = 3};
    classes[1] = (struct class_results){.maximum = 50, .rows = second, .row_count = 3};
    classes[2] = (struct class_results){.maximum = 100, .rows = third, .row_count = 2};
    classes[3] = (struct class_results){.maximum = 100, .rows = project, .row_count = 3};
    for (size_t i = 0; i < 4; i++) {
        courseworks[i] =
            (struct term_coursework){.part = i / 3, .weight = 1, .results = &classes[i]};
    }
    term = (struct term){.out_of = 100,
                         .parts = parts,
                         .part_count = 2,
                         .courseworks = courseworks,
                         .coursework_count = 4};
    term_totals(&term, arena, &results);
    return results;
}

static void totals_are_weighted(void **state)
{
    struct term_results results = made_term();
    const struct term_student *students = results.students;

    (void)state;
    assert_int_equal(results.student_count, 4);
    assert_string_equal(students[0].student, "ann");
    /* 50/50 and 90/100 of the labs; 80/100 is dropped: 40 * 0.95 + 60 * 0.7 */
    assert_float_equal(students[0].total, 80, 1e-9);
    assert_true(students[0].is_complete);
    assert_false(students[0].cells[0].is_taken);
    assert_true(students[0].cells[2].is_taken);
    /* The project has no mark yet: only the labs count, 100 and 50 of them. */
    assert_string_equal(students[1].student, "bob");
    assert_float_equal(students[1].total, 75, 1e-9);
    assert_false(students[1].is_complete);
    /* No mark yet, nothing to grade, and in neither of the other classes. */
    assert_string_equal(students[2].student, "eve");
    assert_float_equal(students[2].total, 0, 1e-9);
    assert_false(students[2].is_complete);
    assert_int_equal(students[2].cells[0].state, TERM_OPEN);
    assert_int_equal(students[2].cells[1].state, TERM_MARK);
    assert_int_equal(students[2].cells[3].state, TERM_MISSING);
    assert_string_equal(students[3].student, "zoe");
    assert_float_equal(students[3].total, 66, 1e-9);
    assert_true(students[3].is_complete);
}

/* Excused, whether something was handed in or not: the other coursework weighs all. */
static void what_is_excused_does_not_count(void **state)
{
    static const struct term_part part = {"Labs", 1, 0};
    struct class_row first[] = {row_of("ann", "", CLASS_GRADED, 80),
                                row_of("bob", "", CLASS_GRADED, 50)};
    struct class_row second[] = {row_of("ann", "", CLASS_MISSING, 0),
                                 row_of("bob", "", CLASS_GRADED, 10)};
    const struct class_results classes[] = {
        {.maximum = 100, .rows = first, .row_count = 2},
        {.maximum = 100, .rows = second, .row_count = 2},
    };
    struct term_coursework courseworks[] = {{.weight = 1, .results = &classes[0]},
                                            {.weight = 1, .results = &classes[1]}};
    const struct term term = {.out_of = 100,
                              .parts = &part,
                              .part_count = 1,
                              .courseworks = courseworks,
                              .coursework_count = 2};
    struct term_results results;
    (void)state;

    second[0].final.is_excused = second[1].final.is_excused = true;
    term_totals(&term, arena, &results);
    assert_float_equal(results.students[0].total, 80, 1e-9);
    assert_float_equal(results.students[1].total, 50, 1e-9);
    assert_int_equal(results.students[0].cells[1].state, TERM_EXCUSED);
    assert_int_equal(results.students[1].cells[1].state, TERM_EXCUSED);
    assert_true(results.students[0].is_complete && results.students[1].is_complete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_term_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(totals_are_weighted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_excused_does_not_count, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
