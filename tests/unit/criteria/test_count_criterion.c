/* test_count_criterion.c: the criterion count: what is counted, against bounds of the rubric. */
#include "../criteria_fixture.h"

static struct fixture fixture;
static struct launch_run reference;
static struct observation others[TOY_SHAPES];
static struct sample other_samples[TOY_SHAPES][TOY_PROBES];
static const struct line_count lines[] = {
    {"multiply.cu", 20, 5, COUNT_GLOBAL, COUNT_READ, {.bytes = 900, .lanes = 225, .requests = 8}},
    {"multiply.cu", 21, 9, COUNT_GLOBAL, COUNT_READ, {.bytes = 100, .lanes = 25}},
    {"multiply.cu", 22, 1, COUNT_SHARED, COUNT_WRITE, {.wavefronts = 40, .least_wavefronts = 8}},
};
static const struct branch_count branch = {"multiply.cu", 30, 3, 50, 7};

static void count(struct sample *sample)
{
    struct launch_counts *counts = &sample->counts;

    counts->is_counted = true;
    counts->lane_instructions = 4800;
    counts->warp_instructions = 200;
    counts->operands[OPERAND_A][COUNT_READ] = (struct access_sum){.bytes = 600, .lanes = 150};
    counts->operands[OPERAND_B][COUNT_READ] = (struct access_sum){.bytes = 300, .lanes = 75};
    counts->operands[OPERAND_B][COUNT_ATOMIC] = (struct access_sum){.bytes = 40, .lanes = 10};
    counts->totals[COUNT_GLOBAL][COUNT_READ] = (struct access_sum){.bytes = 1000, .lanes = 250};
    counts->totals[COUNT_GLOBAL][COUNT_ATOMIC] = (struct access_sum){.bytes = 40, .lanes = 10};
    counts->totals[COUNT_SHARED][COUNT_WRITE] =
        (struct access_sum){.wavefronts = 40, .least_wavefronts = 8};
    counts->lines = lines;
    counts->line_count = 3;
    counts->branches = &branch;
    counts->branch_count = 1;
}

static void set(const char *measure, const char *at_most, const char *at_least)
{
    struct rubric_criterion *criterion = &fixture.criterion;

    criterion->measure = toy_expression(&fixture, measure);
    criterion->at_most = at_most == NULL ? NULL : toy_expression(&fixture, at_most);
    criterion->at_least = at_least == NULL ? NULL : toy_expression(&fixture, at_least);
}

static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_COUNTED);
    fixture.criterion.fails_with =
        (struct rubric_fault){CODE_COUNTED_LOADS, "loaded too often", "load each element once"};
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        others[i] = fixture.observations[i];
        others[i].samples = other_samples[i];
        for (size_t j = 0; j < TOY_PROBES; j++) {
            count(&fixture.samples[i][j]);
            other_samples[i][j] = fixture.samples[i][j];
        }
    }
    reference = fixture.run;
    reference.observations = others;
    return 0;
}

/* What each name counts, by a bound that only the right number keeps. */
static void test_measures(void **state)
{
    static const struct {
        const char *measure;
        const char *value;
    } rows[] = {
        {"A.loaded_bytes", "600"},        {"B.loaded_bytes", "340"},
        {"B.stored_bytes", "40"},         {"B.atomics", "10"},
        {"A.loads + B.loads", "235"},     {"global.loaded_bytes", "1040"},
        {"other.loaded_bytes", "100"},    {"other.loads", "25"},
        {"shared.wavefronts", "40"},      {"bank_conflicts", "32"},
        {"constant.loads", "0"},          {"lane_instructions", "4800"},
        {"active_share", "0.75"},         {"branches + divergent_branches", "57"},
        {"C.elements", "height * width"}, {"A.loaded_bytes / 60", "block + threads / 32"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(state);
        set(rows[i].measure, rows[i].value, rows[i].value);
        fixture_judge(&fixture);
        if (fixture.verdict.status != STATUS_PASSED) {
            fail_msg("%s: %s", rows[i].measure, fixture.verdict.cause.message);
        }
    }
}

static void test_too_much(void **state)
{
    (void)state;
    fixture.samples[2][PROBE_FLOAT].counts.operands[OPERAND_A][COUNT_READ].bytes = 900;
    set("A.loaded_bytes", "80 * block", NULL);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "loaded too often");
    assert_string_equal(fixture.verdict.cause.hint, "load each element once");
    assert_int_equal(fixture.verdict.cause.line, 20); /* it makes exactly these */
    assert_string_equal(fixture.verdict.cause.label, "most bytes loaded from A");
    assert_true(fixture_evidence(&fixture, "value")->number == 900.0);
    expect_failure(&fixture, CODE_COUNTED_LOADS,
                   "`multiply`: bytes loaded from A: 900, expected at most 640 (80 * block = 80 * "
                   "8) for A 16x2, B 2x8");
}

static void test_the_worst_by_its_bound(void **state)
{
    (void)state;
    set("A.loads", "height * width", NULL); /* 128, 192, 128 */
    fixture.samples[1][0].counts.operands[OPERAND_A][COUNT_READ].lanes = 210;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 20); /* at most 100 of its 225 are elsewhere */
    expect_failure(&fixture, CODE_COUNTED_LOADS,
                   "loads from A: 150, expected at most 128 (height * width = 8 * 16)");
}

static void test_too_little(void **state)
{
    (void)state;
    set("active_share", NULL, "0.8");
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 0); /* no line has a part of the idle lanes */
    expect_failure(&fixture, CODE_COUNTED_LOADS,
                   "average share of a warp's threads that are active: 0.75, expected at least 0.8 "
                   "for A 8x2");
}

/* Two measures are read aloud, and their numbers stand beside the value. */
static void test_words(void **state)
{
    (void)state;
    set("(A.loads + B.loads) / shared.wavefronts", "0.7 * 2", NULL);
    fixture_judge(&fixture);
    assert_string_equal(fixture_evidence(&fixture, "measure")->text,
                        "(loads from A plus loads from B), divided by passes over shared memory");
    expect_failure(&fixture, CODE_COUNTED_LOADS,
                   "`multiply`: (loads from A plus loads from B), divided by passes over shared "
                   "memory: 5.875 ((150 + 85) / 40), expected at most 1.4 for A 8x2");
}

static void test_lines(void **state)
{
    static const struct {
        const char *measure;
        int line;
    } rows[] = {{"global.loads", 20},   {"bank_conflicts", 22},    {"divergent_branches", 30},
                {"A.loaded_bytes", 20}, {"other.loaded_bytes", 0}, {"warp_instructions", 30},
                {"B.loaded_bytes", 20}, {"lane_instructions", 0},  {"height + branches", 30}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(state);
        set(rows[i].measure, "0", NULL);
        assert_int_equal(fixture_judge(&fixture)->status, STATUS_FAILED);
        if (fixture.verdict.cause.line != rows[i].line) {
            fail_msg("%s: line %d", rows[i].measure, fixture.verdict.cause.line);
        }
    }
}

static void test_only_some_cases(void **state)
{
    (void)state;
    set("A.loaded_bytes", "599", NULL);
    fixture.criterion.from = toy_expression(&fixture, "width > 30");
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "no shape to judge");
    fixture.criterion.from = toy_expression(&fixture, "width > 20 and height > 7");
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.message, "A 8x2, B 2x24"));
    expect_failure(&fixture, CODE_COUNTED_LOADS, "expected at most 599 for");
}

/* What divides by nothing that was done is not within bounds. */
static void test_no_value(void **state)
{
    (void)state;
    set("A.loads / constant.loads", "1", NULL);
    fixture_judge(&fixture);
    expect_failure(&fixture, CODE_COUNTED_LOADS,
                   "loads from A, divided by loads from constant memory: there is nothing to count "
                   "for A 8x2, B 2x16, expected at most 1");
}

static void test_kernels_of_a_call(void **state)
{
    static struct kernel_counts kernels[2];
    static const struct {
        const char *kernel, *measure, *value;
    } rows[] = {
        {"scan*", "warp_instructions", "70"}, {"scan_blocks", "launches", "3"},
        {"scan*", "host_reads", "64"},        {NULL, "launches", "5"},
        {NULL, "warp_instructions", "200"},   {"*", "active_share", "0.5"},
    };

    kernels[0] =
        (struct kernel_counts){"_Z1", "scan_blocks", 3, 9, {.warp_instructions = 50}, NULL};
    kernels[1] = (struct kernel_counts){"_Z2", "scan_add", 1, 9, {.warp_instructions = 20}, NULL};
    kernels[1].counts.lane_instructions = 1120;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(state);
        for (size_t k = 0; k < TOY_SHAPES * TOY_PROBES; k++) {
            struct sample *sample = &fixture.samples[k / TOY_PROBES][k % TOY_PROBES];
            sample->kernels = kernels;
            sample->kernel_count = 2;
            sample->call = (struct call_work){.launches = 5, .host_reads = 64};
        }
        fixture.criterion.counted_kernel = rows[i].kernel;
        set(rows[i].measure, rows[i].value, rows[i].value);
        fixture_judge(&fixture);
        if (fixture.verdict.status != STATUS_PASSED) {
            fail_msg("%s: %s", rows[i].measure, fixture.verdict.cause.message);
        }
    }
    fixture.criterion.counted_kernel = "add*";
    set("warp_instructions", "1000", NULL);
    expect_failure(&fixture, CODE_COUNTED_LOADS,
                   "no kernel with a name like `add*` is launched for A 8x2");
}

static void test_the_reference(void **state)
{
    (void)state;
    set("warp_instructions", "2 * reference.warp_instructions", NULL);
    fixture.criterion.needs_reference = true;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_SKIPPED);
    assert_string_equal(fixture.verdict.summary, "needs the solution");
    fixture.evidence.reference_runs = &reference;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_PASSED);
    assert_string_equal(fixture.verdict.summary, "200, at most 400");
    other_samples[1][PROBE_FLOAT].counts.warp_instructions = 90;
    fixture_judge(&fixture);
    assert_non_null(
        strstr(fixture.verdict.cause.message,
               "expected at most 180 (2 times the reference solution's instructions run "
               "by warps = 2 * 90) for A 8x2, B 2x24"));
    others[1].parameters[0] = 5;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_ERROR);
    fixture_free(&fixture);
}

static void test_anbase_case(void **state)
{
    (void)state;
    set("warp_instructions", "1.5 * base.warp_instructions", NULL);
    fixture.criterion.needs_base = true;
    fixture.criterion.base_case = fixture.observations[0].case_index;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_PASSED);
    assert_string_equal(fixture.verdict.summary, "200, at most 300");
    fixture.samples[1][PROBE_FLOAT].counts.warp_instructions = 301;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.message,
                           "expected at most 300 (1.5 times the instructions run by warps for A "
                           "8x2, B 2x16 = 1.5 * 200)"));
    fixture.criterion.base_case = 77;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_ERROR);
    fixture_free(&fixture);
}

static void test_hidden_shapes(void **state)
{
    (void)state;
    fixture.cases[0].hidden = fixture.cases[1].hidden = true;
    fixture.observations[0].case_index = 0;
    set("A.loaded_bytes", "599", NULL);
    fixture_judge(&fixture);
    assert_null(strstr(fixture.verdict.cause.message, "600"));
    assert_null(fixture_evidence(&fixture, "value"));
    expect_failure(&fixture, CODE_COUNTED_LOADS,
                   "bytes loaded from A: more than expected for a hidden shape");
}

static void test_uncounted(void **state)
{
    (void)state;
    set("A.loaded_bytes", "1000", NULL);
    fixture.samples[0][0].counts.is_counted = false;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    fixture.input.is_emulated = false;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_SKIPPED);
    fixture_free(&fixture);
}

/* A person's criterion is open whatever the submission does. */
static void test_manual(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_MANUAL);
    fixture.build.linked = false;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_OPEN);
    assert_string_equal(fixture.verdict.summary, "a person gives these points");
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_measures, set_up),
        cmocka_unit_test_setup(test_too_much, set_up),
        cmocka_unit_test_setup(test_the_worst_by_its_bound, set_up),
        cmocka_unit_test_setup(test_too_little, set_up),
        cmocka_unit_test_setup(test_words, set_up),
        cmocka_unit_test_setup(test_lines, set_up),
        cmocka_unit_test_setup(test_only_some_cases, set_up),
        cmocka_unit_test_setup(test_no_value, set_up),
        cmocka_unit_test_setup(test_kernels_of_a_call, set_up),
        cmocka_unit_test_setup(test_the_reference, set_up),
        cmocka_unit_test_setup(test_anbase_case, set_up),
        cmocka_unit_test_setup(test_hidden_shapes, set_up),
        cmocka_unit_test_setup(test_uncounted, set_up),
        cmocka_unit_test(test_manual),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
