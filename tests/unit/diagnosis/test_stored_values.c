/* test_stored_values.c: whether the index of a store can be what makes a result wrong, and what
 * calls and places of wrong results have in common. */
#include "../criteria_fixture.h"

#include "diagnosis/dataflow/value_mark.h"
#include "diagnosis/patterns/stored_values.h"

static struct fixture fixture;

static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_CORRECT);
    fixture.launch.call = "multiply";
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_free(&fixture);
    return 0;
}

/* Each sample counts as if its elements were stored so often. */
static void store(uint64_t times)
{
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        for (size_t j = 0; j < TOY_PROBES; j++) {
            struct launch_counts *counts = &fixture.samples[i][j].counts;
            counts->is_counted = true;
            counts->operands[OPERAND_C][COUNT_WRITE].bytes =
                times * fixture.observations[i].element_counts[OPERAND_C] * sizeof(float);
        }
    }
}

static const struct wrong_result *judged(void)
{
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.subject.kind, SUBJECT_RESULT);
    return fixture.verdict.cause.subject.result;
}

static void test_values_that_no_order_makes_right(void **state)
{
    (void)state;
    *fixture_element(&fixture, 1, PROBE_EXACT, 3) += 100.0f;
    store(1);
    assert_int_equal(stored_values_find(judged()).kind, STORED_WRONG);
    store(2);
    assert_int_equal(stored_values_find(judged()).kind, STORED_ANYHOW);
}

static void test_values_in_another_order(void **state)
{
    (void)state;
    float *left = fixture_element(&fixture, 1, PROBE_EXACT, 3);
    float *right = fixture_element(&fixture, 1, PROBE_EXACT, 4);
    const float kept = *left;

    store(1);
    assert_true(*left != *right);
    *left = *right;
    *right = kept;
    assert_int_equal(stored_values_find(judged()).kind, STORED_ANYHOW);
}

static void test_calls_of_more_launches(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        for (size_t j = 0; j < TOY_PROBES; j++) {
            fixture.samples[i][j].call.launches = i == 2 ? 3 : 2;
        }
    }
    *fixture_element(&fixture, 2, PROBE_EXACT, 3) += 100.0f;
    assert_int_equal(right_launches_find(judged()), 0); /* one wrong shape is too few */
}

static void test_the_mark_is_the_value(void **state)
{
    (void)state;
    static const char text[] = "__global__ void multiply(const float *A, float *C) {\n"
                               "    C[A[0] == 1] = f(A[1], 7) + 2;\n"
                               "    f(C);\n"
                               "    C[0] = (f)(1) + (unsigned char)2.5f * A[0];\n"
                               "    C[0] = (unsigned char)2.0f * (float)2.5f + (int)A[0];\n"
                               "}\n";
    const struct source_file source = {"multiply.cu", text, strlen(text)};
    static const struct {
        int line, column, end;
        const char *label;
    } rows[] = {{2, 20, 34, "the value of C(0,3), which is wrong"},
                {3, 5, 0, "stores"},
                {4, 21, 40, "is 2"},
                {5, 12, 57, "the value of C(0,3), which is wrong"},
                {9, 5, 0, "stores"}};

    fixture.input.sources = &source;
    fixture.input.source_count = 1;
    *fixture_element(&fixture, 1, PROBE_EXACT, 3) += 100.0f;
    store(1);
    judged();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cause cause = fixture.verdict.cause;
        cause.file = "multiply.cu";
        cause.line = rows[i].line;
        cause.column = 5;
        cause.label = "stores";
        mark_stored_value(&fixture.input, fixture.arena, "C(0,3)", false, &cause);
        assert_int_equal(cause.mark_end, rows[i].end);
        assert_int_equal(cause.column, rows[i].column);
        assert_string_equal(cause.label, rows[i].label);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values_that_no_order_makes_right, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values_in_another_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_calls_of_more_launches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_mark_is_the_value, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
