/* test_trace_request.c: which results are worth tracing, and which case and element of them. */
#include "../criteria_fixture.h"

#include "diagnosis/diagnosis.h"

static struct fixture fixture;
static struct trace_request request;

static size_t toy_needs(const struct oracle_problem *problem, size_t element,
                        struct oracle_need *out_needs, size_t capacity)
{
    (void)problem;
    (void)element;
    (void)out_needs;
    (void)capacity;
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_CORRECT);
    fixture.oracle.needs = toy_needs;
    request = (struct trace_request){.element = 77};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_free(&fixture);
    return 0;
}

static bool wants(void)
{
    fixture_judge(&fixture);
    return diagnosis_wants_trace(&fixture.input, fixture.arena, &fixture.verdict, &request);
}

static void spoil(size_t shape, enum probe_kind kind, size_t element)
{
    *fixture_element(&fixture, shape, kind, element) += 100.0f;
}

static void test_right_results(void **state)
{
    (void)state;
    assert_false(wants());
    assert_int_equal(request.element, 77);
}

static void test_first_wrong_element(void **state)
{
    (void)state;
    spoil(1, PROBE_EXACT, 31);
    spoil(1, PROBE_EXACT, 25);
    assert_true(wants());
    assert_int_equal(request.launch, 0);
    assert_int_equal(request.operand, OPERAND_C);
    assert_int_equal(request.element, 25);
    assert_int_equal(request.parameters[0], 8);
    assert_int_equal(request.parameters[1], 24);
    assert_int_equal(request.block, TOY_BLOCK);
}

/* 8x16 and 16x8 have as many sizes of one block; of equal cases the first is taken. */
static void test_plainest_case(void **state)
{
    (void)state;
    spoil(2, PROBE_EXACT, 3);
    spoil(1, PROBE_EXACT, 4);
    spoil(0, PROBE_EXACT_SWAPPED, 5);
    assert_true(wants());
    assert_int_equal(request.element, 5);
    fixture_shape(&fixture, 2, 16, 24);
    spoil(2, PROBE_EXACT, 3);
    assert_true(wants());
    assert_int_equal(request.element, 3);
    assert_int_equal(request.parameters[0], 16);
}

/* Exact values come first: their differences are plainer. */
static void test_float_probe(void **state)
{
    (void)state;
    spoil(1, PROBE_FLOAT, 4);
    assert_true(wants());
    assert_int_equal(request.element, 4);
    spoil(1, PROBE_EXACT, 9);
    assert_true(wants());
    assert_int_equal(request.element, 9);
}

static void test_second_launch(void **state)
{
    (void)state;
    spoil(1, PROBE_AGAIN, 6);
    assert_true(wants());
    assert_int_equal(request.element, 6);
}

static void test_hidden_case(void **state)
{
    (void)state;
    spoil(1, PROBE_EXACT, 4);
    fixture.cases[0].hidden = true;
    assert_false(wants());
    spoil(2, PROBE_EXACT, 9);
    assert_true(wants());
    assert_int_equal(request.element, 9);
}

static void test_race_explains_it(void **state)
{
    (void)state;
    spoil(1, PROBE_EXACT, 4);
    fixture.finding = (struct finding){.code = CODE_SHARED_RACE,
                                       .severity = SEVERITY_ERROR,
                                       .message = "a race",
                                       .kernel = "multiply",
                                       .launch = "launch",
                                       .count = 1,
                                       .places = {{.role = "read", .file = "multiply.cu"}},
                                       .place_count = 1};
    fixture.samples[1][PROBE_EXACT].findings = &fixture.finding;
    fixture.samples[1][PROBE_EXACT].finding_count = 1;
    assert_false(wants());
}

static void test_nothing_to_trace(void **state)
{
    (void)state;
    spoil(1, PROBE_EXACT, 4);
    fixture.input.is_emulated = false;
    assert_false(wants());
    fixture.input.is_emulated = true;
    fixture.oracle.needs = NULL;
    assert_false(wants());
    fixture.oracle.needs = toy_needs;
    fixture.criterion.kind = CRITERION_RACE_FREE;
    assert_false(wants());
    fixture.criterion.kind = CRITERION_CORRECT;
    assert_true(wants());
}

/* Leaves an element as it was before the launch. */
static void unwrite(size_t shape, enum probe_kind kind, size_t element)
{
    const float *before = fixture.samples[shape][kind].before[OPERAND_C];

    memcpy(fixture_element(&fixture, shape, kind, element), &before[element], sizeof *before);
}

/* C of the second shape is 8 x 24: one row of tiles of 8 x 8. A block that writes something of the
 * tile is watched, if there is one. */
static void test_unwritten_element(void **state)
{
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        unwrite(1, PROBE_EXACT, i * 24 + 9);
    }
    assert_true(wants());
    assert_int_equal(request.element, 8);
    assert_true(request.is_beside);
    for (size_t i = 0; i < 64; i++) {
        unwrite(1, PROBE_EXACT, i / 8 * 24 + 8 + i % 8);
    }
    assert_true(wants());
    assert_int_equal(request.element, 8);
    assert_false(request.is_beside);
    spoil(1, PROBE_EXACT, 3);
    assert_true(wants());
    assert_int_equal(request.element, 3);
    assert_false(request.is_beside);
}

/* Sizes that no whole number of blocks covers, or that are 1, are told of last. */
static void test_cut_case(void **state)
{
    (void)state;
    fixture_shape(&fixture, 1, 8, 12);
    fixture_shape(&fixture, 2, 16, 24);
    spoil(1, PROBE_EXACT, 5);
    spoil(2, PROBE_EXACT, 3);
    assert_true(wants());
    assert_int_equal(request.element, 3);
    fixture_shape(&fixture, 1, 1, 12);
    fixture_shape(&fixture, 2, 9, 30);
    spoil(1, PROBE_EXACT, 5);
    spoil(2, PROBE_EXACT, 3);
    assert_true(wants());
    assert_int_equal(request.element, 3);
}

/* A kernel that changes its inputs has a cause of its own. */
static void test_changed_inputs(void **state)
{
    (void)state;
    spoil(1, PROBE_EXACT, 4);
    ((float *)fixture.samples[1][PROBE_EXACT].after[OPERAND_A])[0] += 1.0f;
    assert_false(wants());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_right_results),    TEST(test_first_wrong_element),
        TEST(test_plainest_case),    TEST(test_float_probe),
        TEST(test_second_launch),    TEST(test_hidden_case),
        TEST(test_race_explains_it), TEST(test_nothing_to_trace),
        TEST(test_changed_inputs),   TEST(test_unwritten_element),
        TEST(test_cut_case),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
