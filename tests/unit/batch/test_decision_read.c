/* test_decision_read.c: decisions about students from words and from tables. */
#include "batch/decision_read.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct rubric_criterion criteria[] = {
    {.id = "compile", .points = 5},
    {.id = "talk", .points = 10, .kind = CRITERION_MANUAL},
};
static const struct rubric rubric = {.criteria = criteria, .criterion_count = 2};

static const struct decision_terms terms = {&rubric, NULL};

static struct arena *arena;
static char *folder;
static struct diagnostic diagnostic;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return folder_make_temporary(arena, &folder, NULL) == ERROR_NONE ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(folder);
    arena_free(arena);
    return 0;
}

static void words_say_what_is_decided(void **state)
{
    static const struct {
        enum decision_kind kind;
        const char *word;
        double value;
        const char *about, *text;
    } rows[] = {
        {DECISION_UNTIL, "2026-11-22T23:59:00+01:00", 1795388340, "", ""},
        {DECISION_DAYS, "2", 2, "", ""},
        {DECISION_DAYS, "0,5", 0.5, "", ""},
        {DECISION_EXCUSE, "", 0, "", ""},
        {DECISION_DROP, "ann (2).zip", 0, "ann (2).zip", ""},
        {DECISION_POINTS, "-2.5", -2.5, "", ""},
        {DECISION_POINTS, "+3", 3, "", ""},
        {DECISION_GRADE, "talk=0", 0, "talk", ""},
        {DECISION_GRADE, "Talk=7.5", 7.5, "talk", ""},
        {DECISION_COMMENT, "Well done", 0, "", "Well done"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct class_decision read;
        assert_int_equal(
            decision_read(arena, &terms, rows[i].kind, rows[i].word, &read, &diagnostic),
            ERROR_NONE);
        assert_int_equal(read.kind, rows[i].kind);
        assert_true(read.value == rows[i].value);
        assert_string_equal(read.about, rows[i].about);
        assert_string_equal(read.text, rows[i].text);
    }
}

static void what_makes_no_sense_is_refused(void **state)
{
    static const struct {
        enum decision_kind kind;
        const char *word, *says;
    } rows[] = {
        {DECISION_UNTIL, "tomorrow", "a time such as"},
        {DECISION_DAYS, "-1", "a number of days"},
        {DECISION_DAYS, "1e3", "a number of days"},
        {DECISION_DAYS, "nan", "a number of days"},
        {DECISION_POINTS, "0", "points to add"},
        {DECISION_POINTS, "0x10", "points to add"},
        {DECISION_POINTS, "", "points to add"},
        {DECISION_GRADE, "compile=5", "of the kind manual"},
        {DECISION_GRADE, "tlak=5", "did you mean 'talk'?"},
        {DECISION_GRADE, "talk=11", "0 to 10 points for 'talk'"},
        {DECISION_GRADE, "talk", "CRITERION=POINTS"},
        {DECISION_COMMENT, "", "a comment"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct class_decision read;
        assert_int_equal(
            decision_read(arena, &terms, rows[i].kind, rows[i].word, &read, &diagnostic),
            ERROR_RANGE);
        if (strstr(diagnostic.message, rows[i].says) == NULL) {
            fail_msg("'%s' does not say '%s'", diagnostic.message, rows[i].says);
        }
    }
}

static enum error read_table(const char *bytes, const struct read_decision **out, size_t *out_count,
                             const char **out_unused)
{
    const char *path = arena_printf(arena, "%s/table.csv", folder);

    assert_int_equal(file_write_atomic(path, bytes, strlen(bytes), NULL), ERROR_NONE);
    return decision_table_read(arena, &terms, path, out, out_count, out_unused, &diagnostic);
}

static void a_table_decides_about_many(void **state)
{
    const struct read_decision *read = NULL;
    const char *unused = NULL;
    size_t count = 0;
    (void)state;

    assert_int_equal(read_table("name;Student;Days;points;reason;TALK;excuse;comment\n"
                                "Ann;1001;2;;ill;;no;\n"
                                "Bo;1002;;-0,5;late copy;8;;Come and see me\n"
                                "Cy;1003;;;;;;\n"
                                "Di;1004;;;;;yes;\n",
                                &read, &count, &unused),
                     ERROR_NONE);
    assert_string_equal(unused, "name");
    assert_int_equal(count, 5);
    assert_string_equal(read[0].who, "1001");
    assert_int_equal(read[0].decision.kind, DECISION_DAYS);
    assert_string_equal(read[0].decision.text, "ill");
    assert_int_equal(read[1].decision.kind, DECISION_POINTS);
    assert_true(read[1].decision.value == -0.5);
    assert_int_equal(read[2].decision.kind, DECISION_GRADE);
    assert_true(read[2].decision.value == 8);
    assert_string_equal(read[2].decision.text, "");
    assert_int_equal(read[3].decision.kind, DECISION_COMMENT);
    assert_string_equal(read[3].decision.text, "Come and see me");
    assert_int_equal(read[4].decision.kind, DECISION_EXCUSE);
    assert_int_equal(read[4].line, 5);
}

static void a_mistake_in_a_table_has_its_line(void **state)
{
    static const struct {
        const char *bytes, *says;
        int line;
    } rows[] = {
        {"student,days\na,1\nb,x\n", "column 'days': expected a number of days, found 'x'", 3},
        {"student,excuse\na,maybe\n", "expected yes or no", 2},
        {"student,days\n,1\n", "expected a student", 2},
        {"who,days\na,1\n", "no column says who", 1},
        {"student,dayz\na,1\n", "no column decides anything", 1},
    };
    const struct read_decision *read;
    const char *unused;
    size_t count;
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_not_equal(read_table(rows[i].bytes, &read, &count, &unused), ERROR_NONE);
        assert_int_equal(diagnostic.line, rows[i].line);
        if (strstr(diagnostic.message, rows[i].says) == NULL) {
            fail_msg("'%s' does not say '%s'", diagnostic.message, rows[i].says);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(words_say_what_is_decided, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_makes_no_sense_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_table_decides_about_many, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_mistake_in_a_table_has_its_line, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
