/* test_output_criterion.c: the criterion output: what a program prints, line by line. */
#include "../criteria_fixture.h"

static struct fixture fixture;
static struct print_run reference[2];

static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_OUTPUT);
    fixture.criterion.has_launch = false;
    fixture.criterion.has_bytes_printout = false;
    fixture.criterion.has_scalar = false;
    memset(reference, 0, sizeof reference);
    return 0;
}

static void test_lines(void **state)
{
    static const struct {
        const char *expected[3];
        double tolerance;
        const char *printed;
        const char *message; /* NULL: it passes */
    } rows[] = {
        {{"a", "b c"}, 0, "a\nb c\n", NULL},
        {{"a", "b c"}, 0, "a  \r\nb c\n\n \n", NULL},
        {{"a", "", ""}, 0, "a", NULL},
        {{"a", "b"}, 0, "a\nc\n", "line 2 is `c`, expected `b`"},
        {{"a", "b"}, 0, "a\n", "line 2 is missing, expected `b`"},
        {{"a", "b"}, 0, "", "line 1 is missing, expected `a`"},
        {{"a"}, 0, "a\n\nb\n", "line 2 is one too many: ``"},
        {{"b c"}, 0, "b  c\n", "line 1 is `b  c`, expected `b c`"},
        {{"b c"}, 0.1, " b   c\n", NULL},
        {{"1.0"}, 0, "1\n", "line 1 is `1`, expected `1.0`"},
        {{"1.0"}, 1e-6, "1\n", NULL},
        {{"x = 1000"}, 1e-3, "x = 1000.9\n", NULL},
        {{"x = 1000"}, 1e-3, "x = 1001.1\n", "line 1 is `x = 1001.1`, expected `x = 1000`"},
        {{"0"}, 1e-3, "5e-4\n", NULL},
        {{"1 2"}, 1e-3, "1\n", "line 1 is `1`, expected `1 2`"},
        {{"1 2"}, 1e-3, "1 2 3\n", "line 1 is `1 2 3`, expected `1 2`"},
        {{"nan"}, 1e-3, "nan\n", NULL},
        {{"5"}, 1, "nan\n", "line 1 is `nan`, expected `5`"},
        {{"5"}, 1, "inf\n", "line 1 is `inf`, expected `5`"},
        {{"5"}, 1, "0x5\n", "line 1 is `0x5`, expected `5`"},
        {{"a"}, 0, "\033[2J\n", "line 1 is `\\x1B[2J`, expected `a`"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t count = 0;
        while (count < 3 && rows[i].expected[count] != NULL) {
            count++;
        }
        set_up(state);
        fixture.criterion.expected = rows[i].expected;
        fixture.criterion.expected_count = count;
        fixture.criterion.tolerance = rows[i].tolerance;
        fixture_print(&fixture, 0, rows[i].printed);
        fixture_judge(&fixture);
        if (rows[i].message == NULL && fixture.verdict.status != STATUS_PASSED) {
            fail_msg("row %zu: %s", i, fixture.verdict.cause.message);
        }
        if (rows[i].message != NULL) {
            assert_int_equal(fixture.verdict.cause.code, CODE_OUTPUT_DIFFERS);
            assert_string_equal(fixture.verdict.cause.message, rows[i].message);
        }
    }
    fixture_free(&fixture);
}

static void test_the_reference(void **state)
{
    (void)state;
    fixture.criterion.needs_reference = true;
    fixture_print(&fixture, 0, "seven\n8\n");
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_SKIPPED);
    fixture.evidence.reference_print_runs = reference;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_SKIPPED);
    reference[0].activity = (struct program_activity){
        .ran = true, .output = "seven \n8\n\n", .output_length = strlen("seven \n8\n\n")};
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_PASSED);
    assert_string_equal(fixture.verdict.summary, "2 lines, by the program's own word");
    assert_string_equal(fixture_evidence(&fixture, "rests_on")->text, "what the program prints");
    fixture_print(&fixture, 0, "seven\n9\n");
    expect_failure(&fixture, CODE_OUTPUT_DIFFERS, "line 2 is `9`, expected `8`");
}

/* A right output does not help a program that ends badly, or that is the template's. */
static void test_what_comes_first(void **state)
{
    static const char *const expected[] = {"a"};

    fixture.criterion.expected = expected;
    fixture.criterion.expected_count = 1;
    fixture_print(&fixture, 0, "a\n");
    fixture.prints[0].activity.end =
        (struct program_end){.ending = ENDING_EXITED, .exit_status = 1};
    expect_failure(&fixture, CODE_EXIT_STATUS, "1");
    set_up(state);
    fixture.criterion.expected = expected;
    fixture.criterion.expected_count = 1;
    fixture_print(&fixture, 0, "a\n");
    fixture.is_template = true;
    assert_int_equal(fixture_judge(&fixture)->cause.code, CODE_TEMPLATE_UNCHANGED);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test_setup(test_the_reference, set_up),
        cmocka_unit_test_setup(test_what_comes_first, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
