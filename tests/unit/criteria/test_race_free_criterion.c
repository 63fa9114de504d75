/* test_race_free_criterion.c: which findings fail a launch, which are only told, and which is told
 * first. */
#include "../criteria_fixture.h"

static struct fixture fixture;
static struct finding findings[4];

static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_RACE_FREE);
    memset(findings, 0, sizeof findings);
    return 0;
}

/* A finding of one or two places in a sample; `slot` tells findings of one test apart. */
static struct finding *put(size_t slot, enum code code, enum severity severity, size_t shape,
                           size_t probe)
{
    findings[slot] = (struct finding){
        .code = code,
        .severity = severity,
        .message = "something is wrong",
        .kernel = "multiply",
        .count = 10,
        .places =
            {{"write", "multiply.cu", 27 + (int)slot, 9, true, {1, 2, 0}, {3, 5, 0}, NULL, false},
             {"read", "multiply.cu", 31 + (int)slot, 13, true, {1, 2, 0}, {3, 0, 0}, NULL, false}},
        .place_count = 2,
        .main_place = code_cause(code) == CAUSE_RACE ? 1 : 0,
    };
    fixture.samples[shape][probe].findings = &findings[slot];
    fixture.samples[shape][probe].finding_count = 1;
    return &findings[slot];
}

static void test_nothing_found(void **state)
{
    (void)state;
    fixture_judge(&fixture);
    assert_int_equal(fixture_evidence(&fixture, "findings")->integer, 0);
    assert_int_equal(fixture_evidence(&fixture, "shapes")->integer, 3);
    assert_null(fixture_evidence(&fixture, "places"));
    expect_pass(&fixture);
}

/* A kernel cannot be said to write nothing where nothing was looked at. */
static void test_not_probed_is_no_failure(void **state)
{
    (void)state;
    for (size_t i = 0; i < fixture.run.observation_count; i++) {
        fixture.observations[i].sample_count = 0;
    }
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_ERROR);
    assert_non_null(strstr(fixture.verdict.cause.message, "launched but not probed"));
}

static void test_errors_fail(void **state)
{
    static const enum code codes[] = {
        CODE_SHARED_RACE,          CODE_GLOBAL_RACE,       CODE_UNINITIALISED_SHARED,
        CODE_GLOBAL_OUT_OF_BOUNDS, CODE_MISALIGNED_ACCESS, CODE_BARRIER_MISMATCH,
        CODE_BARRIER_DIVERGENT,    CODE_USE_AFTER_FREE,
    };

    (void)state;
    fixture_free(&fixture);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        set_up(state);
        put(0, codes[i], SEVERITY_ERROR, i % TOY_SHAPES, i % TOY_PROBES);
        expect_failure(&fixture, codes[i], "in `multiply`: something is wrong");
    }
}

/* What is left out of a code is judged as the code is. */
static void test_rests_count(void **state)
{
    (void)state;
    struct finding *rest = put(0, CODE_GLOBAL_RACE, SEVERITY_ERROR, 0, 0);
    rest->is_rest = true;
    rest->place_count = 0;
    expect_failure(&fixture, CODE_GLOBAL_RACE, "in `multiply`: something is wrong");
    assert_int_equal(fixture_evidence(&fixture, "not_listed")->integer, 10);
    assert_int_equal(fixture_evidence(&fixture, "findings")->integer, 0);
    fixture_free(&fixture);
    set_up(state);
    rest = put(0, CODE_BARRIER_INCOMPLETE, SEVERITY_WARNING, 0, 0);
    rest->is_rest = true;
    rest->place_count = 0;
    fixture_judge(&fixture);
    expect_pass(&fixture);
    assert_int_equal(fixture_evidence(&fixture, "not_listed")->integer, 10);
}

static void test_own_data_counts(void **state)
{
    (void)state;
    fixture.run.activity.findings = put(0, CODE_SHARED_RACE, SEVERITY_ERROR, 0, 0);
    fixture.run.activity.finding_count = 1;
    fixture.samples[0][0].finding_count = 0;
    fixture_judge(&fixture);
    assert_int_equal(fixture_evidence(&fixture, "shapes_with_findings")->integer, 0);
    assert_null(fixture_evidence(&fixture, "first_shape"));
    expect_failure(&fixture, CODE_SHARED_RACE, "something is wrong");
}

static void test_races_point_at_the_second_access(void **state)
{
    (void)state;
    put(0, CODE_SHARED_RACE, SEVERITY_ERROR, 1, 0);
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 31);
    assert_int_equal(fixture.verdict.cause.column, 13);
    expect_failure(&fixture, CODE_SHARED_RACE, "something");
    set_up(state);
    put(0, CODE_BARRIER_MISMATCH, SEVERITY_ERROR, 1, 0);
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 27);
    expect_failure(&fixture, CODE_BARRIER_MISMATCH, "something");
}

static void test_evidence(void **state)
{
    (void)state;
    put(0, CODE_SHARED_RACE, SEVERITY_ERROR, 1, 0);
    put(1, CODE_SHARED_RACE, SEVERITY_ERROR, 1, 1);
    put(2, CODE_SHARED_RACE, SEVERITY_ERROR, 2, 3);
    findings[2].places[0].line = findings[0].places[0].line; /* the same two lines again */
    findings[2].places[1].line = findings[0].places[1].line;
    put(3, CODE_BARRIER_INCOMPLETE, SEVERITY_WARNING, 0, 0);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "2 races");
    assert_int_equal(fixture_evidence(&fixture, "findings")->integer, 2);
    assert_int_equal(fixture_evidence(&fixture, "warnings")->integer, 1);
    assert_int_equal(fixture_evidence(&fixture, "places")->integer, 30);
    assert_int_equal(fixture_evidence(&fixture, "shapes_with_findings")->integer, 2);
    assert_string_equal(fixture_evidence(&fixture, "first_shape")->text, "A 8x2, B 2x24");
    assert_string_equal(fixture_evidence(&fixture, "first_block")->text, "(1,2)");
    expect_failure(&fixture, CODE_SHARED_RACE, "something");
}

static void test_hidden_shape_stays_hidden(void **state)
{
    (void)state;
    fixture.cases[0].hidden = true;
    put(0, CODE_SHARED_RACE, SEVERITY_ERROR, 1, 0);
    fixture_judge(&fixture);
    assert_null(fixture_evidence(&fixture, "first_shape"));
    expect_failure(&fixture, CODE_SHARED_RACE, "something");
}

/* Accesses, then barriers, then races, then reads of what nobody wrote. */
static void test_the_root_is_told_first(void **state)
{
    (void)state;
    put(0, CODE_UNINITIALISED_SHARED, SEVERITY_ERROR, 0, 0);
    put(1, CODE_SHARED_RACE, SEVERITY_ERROR, 1, 0);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "1 race and 1 more");
    expect_failure(&fixture, CODE_SHARED_RACE, "something");
    set_up(state);
    put(0, CODE_SHARED_RACE, SEVERITY_ERROR, 0, 0);
    put(1, CODE_BARRIER_DIVERGENT, SEVERITY_ERROR, 1, 0);
    expect_failure(&fixture, CODE_BARRIER_DIVERGENT, "something");
    set_up(state);
    put(0, CODE_BARRIER_DIVERGENT, SEVERITY_ERROR, 0, 0);
    put(1, CODE_SHARED_OUT_OF_BOUNDS, SEVERITY_ERROR, 1, 0);
    expect_failure(&fixture, CODE_SHARED_OUT_OF_BOUNDS, "something");
}

static void test_within_a_warp(void **state)
{
    (void)state;
    put(0, CODE_WARP_RACE, SEVERITY_WARNING, 1, 0);
    expect_failure(&fixture, CODE_WARP_RACE, "something");
    set_up(state);
    fixture.criterion.allows_warp_races = true;
    put(0, CODE_WARP_RACE, SEVERITY_WARNING, 1, 0);
    assert_string_equal(fixture_judge(&fixture)->summary, "3 shapes, 1 warning");
    expect_pass(&fixture);
    set_up(state);
    fixture.criterion.allows_warp_races = true;
    put(0, CODE_SHARED_RACE, SEVERITY_ERROR, 1, 0);
    expect_failure(&fixture, CODE_SHARED_RACE, "something");
}

static void test_warnings_pass(void **state)
{
    (void)state;
    put(0, CODE_BARRIER_INCOMPLETE, SEVERITY_WARNING, 1, 0);
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_PASSED);
    assert_int_equal(fixture_evidence(&fixture, "warnings")->integer, 1);
    expect_pass(&fixture);
}

/* Results are another criterion's business. */
static void test_wrong_results_pass(void **state)
{
    (void)state;
    *fixture_element(&fixture, 1, PROBE_EXACT, 25) += 1.0f;
    expect_pass(&fixture);
}

static void kernel_does_nothing(enum probe_kind kind, const int64_t *size, const float *a,
                                const float *b, float *c)
{
    (void)kind;
    (void)size;
    (void)a;
    (void)b;
    (void)c;
}

static void test_idle_kernel(void **state)
{
    (void)state;
    fixture_compute_all(&fixture, kernel_does_nothing);
    expect_failure(&fixture, CODE_NOT_WRITTEN, "`multiply` never writes to C");
}

static void test_blocked(void **state)
{
    (void)state;
    fixture.build.linked = false;
    fixture.build.failure = CODE_COMPILE_ERROR;
    expect_failure(&fixture, CODE_COMPILE_ERROR, "nvcc rejects");
    set_up(state);
    fixture.is_template = true;
    expect_failure(&fixture, CODE_TEMPLATE_UNCHANGED, "still the template");
    set_up(state);
    fixture.run.activity.protocol_broken = true;
    put(0, CODE_SHARED_RACE, SEVERITY_ERROR, 1, 0);
    expect_failure(&fixture, CODE_PROTOCOL, "tampered");
    set_up(state);
    fixture.run.observation_count = 2;
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "the remaining shapes");
    set_up(state);
    fixture.samples[0][0].status = SAMPLE_DEADLINE;
    expect_failure(&fixture, CODE_LAUNCH_DEADLINE, "more than 10 s");
    set_up(state);
    put(0, CODE_DEVICE_ASSERT, SEVERITY_ERROR, 1, 0);
    fixture.samples[1][0].status = SAMPLE_FAULT;
    expect_failure(&fixture, CODE_DEVICE_ASSERT, "in `multiply`");
    set_up(state);
    put(0, CODE_UNKNOWN_INSTRUCTION, SEVERITY_ERROR, 1, 0);
    fixture.samples[1][0].status = SAMPLE_UNSUPPORTED;
    expect_failure(&fixture, CODE_UNKNOWN_INSTRUCTION, "in `multiply`");
    set_up(state);
    fixture.observations[1].sample_count = 0;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    fixture_free(&fixture);
}

/* A launch that is refused for a shape shows what was found in the others. */
static void test_finding_beats_a_launch_that_does_not_fit(void **state)
{
    (void)state;
    put(0, CODE_SHARED_RACE, SEVERITY_ERROR, 0, 0);
    fixture.observations[2].failure = CODE_BAD_OPERAND;
    fixture.observations[2].failure_message = "A is no device memory";
    expect_failure(&fixture, CODE_SHARED_RACE, "something");
    set_up(state);
    fixture.observations[2].failure = CODE_BAD_OPERAND;
    fixture.observations[2].failure_message = "A is no device memory";
    expect_failure(&fixture, CODE_BAD_OPERAND, "A is no device memory");
    set_up(state);
    fixture.observations[2].failure = CODE_BAD_OPERAND;
    fixture.observations[2].failure_message = "A is no device memory";
    fixture.run.activity.findings = put(0, CODE_GLOBAL_OUT_OF_BOUNDS, SEVERITY_ERROR, 0, 0);
    fixture.run.activity.finding_count = 1; /* on the program's own data: it follows from that */
    fixture.samples[0][0].finding_count = 0;
    expect_failure(&fixture, CODE_BAD_OPERAND, "A is no device memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_nothing_found, set_up),
        cmocka_unit_test_setup(test_not_probed_is_no_failure, set_up),
        cmocka_unit_test_setup(test_errors_fail, set_up),
        cmocka_unit_test_setup(test_rests_count, set_up),
        cmocka_unit_test_setup(test_own_data_counts, set_up),
        cmocka_unit_test_setup(test_races_point_at_the_second_access, set_up),
        cmocka_unit_test_setup(test_evidence, set_up),
        cmocka_unit_test_setup(test_hidden_shape_stays_hidden, set_up),
        cmocka_unit_test_setup(test_the_root_is_told_first, set_up),
        cmocka_unit_test_setup(test_within_a_warp, set_up),
        cmocka_unit_test_setup(test_warnings_pass, set_up),
        cmocka_unit_test_setup(test_wrong_results_pass, set_up),
        cmocka_unit_test_setup(test_idle_kernel, set_up),
        cmocka_unit_test_setup(test_blocked, set_up),
        cmocka_unit_test_setup(test_finding_beats_a_launch_that_does_not_fit, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
