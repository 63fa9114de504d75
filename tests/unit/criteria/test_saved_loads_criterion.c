/* test_saved_loads_criterion.c: the criterion saved-loads: bytes of a given kernel over bytes of
 * the kernel in question, exactly. */
#include "../criteria_fixture.h"

enum { LAUNCHES = 2, BASELINE = 1 };

static struct fixture fixture;
static struct rubric_launch launches[LAUNCHES];
static struct launch_run runs[LAUNCHES];
static struct kernel_resources resources[LAUNCHES];
static struct observation others[TOY_SHAPES];
static struct sample other_samples[TOY_SHAPES][TOY_PROBES];
static struct line_count line = {"multiply.cu", 20, 5, COUNT_GLOBAL, COUNT_READ, {.bytes = 1}};

/* What each kernel loads: the simple one 2 values of A and of B for each element. */
static uint64_t simple_bytes(size_t shape)
{
    const int64_t *size = fixture.observations[shape].parameters;

    return (uint64_t)(2 * sizeof(float) * 2 * (size_t)size[0] * (size_t)size[1]);
}

static void count(struct sample *sample, uint64_t bytes)
{
    struct launch_counts *counts = &sample->counts;

    counts->is_counted = true;
    counts->operands[OPERAND_A][COUNT_READ].bytes = bytes / 2;
    counts->operands[OPERAND_B][COUNT_READ].bytes = bytes - bytes / 2;
    counts->operands[OPERAND_C][COUNT_WRITE].bytes = 0;
    counts->totals[COUNT_GLOBAL][COUNT_READ].bytes = bytes;
    counts->totals[COUNT_SHARED][COUNT_READ].requests = 1;
    counts->lines = &line;
    counts->line_count = 1;
}

static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_SAVED_LOADS);
    fixture.criterion.baseline = BASELINE;
    fixture.criterion.ratio = toy_expression(&fixture, "block");
    launches[0] = fixture.launch;
    launches[BASELINE] = fixture.launch;
    launches[BASELINE].id = "simple";
    launches[BASELINE].kernel = "simple";
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        others[i] = fixture.observations[i];
        others[i].samples = other_samples[i];
        for (size_t j = 0; j < TOY_PROBES; j++) {
            other_samples[i][j] = fixture.samples[i][j];
            count(&other_samples[i][j], simple_bytes(i));
            count(&fixture.samples[i][j], simple_bytes(i) / TOY_BLOCK);
        }
    }
    runs[0] = fixture.run;
    runs[BASELINE] = fixture.run;
    runs[BASELINE].observations = others;
    resources[0] = resources[BASELINE] = fixture.resources;
    fixture.rubric.launches = launches;
    fixture.rubric.launch_count = LAUNCHES;
    fixture.evidence.launch_runs = runs;
    fixture.input.launch_resources = resources;
    return 0;
}

static void test_exactly_the_ratio(void **state)
{
    (void)state;
    fixture_judge(&fixture);
    assert_true(fixture_evidence(&fixture, "ratio")->number == TOY_BLOCK);
    assert_true(fixture_evidence(&fixture, "expected_ratio")->number == TOY_BLOCK);
    assert_int_equal(fixture_evidence(&fixture, "baseline_bytes")->integer, 2048);
    assert_int_equal(fixture_evidence(&fixture, "bytes")->integer, 256);
    assert_string_equal(fixture_evidence(&fixture, "baseline")->text, "simple");
    assert_string_equal(fixture.verdict.summary, "exactly 8 times fewer bytes");
    expect_pass(&fixture);
}

static void test_fewer_loads(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        count(&fixture.samples[i / TOY_PROBES][i % TOY_PROBES],
              simple_bytes(i / TOY_PROBES) / (2 * (size_t)TOY_BLOCK));
    }
    fixture_judge(&fixture);
    assert_true(fixture_evidence(&fixture, "ratio")->number == 2 * TOY_BLOCK);
    assert_string_equal(fixture.verdict.summary, "16 times fewer bytes");
    expect_pass(&fixture);
}

/* A single element too many in a single probe. */
static void test_one_load_too_many(void **state)
{
    (void)state;
    count(&fixture.samples[2][PROBE_FLOAT], simple_bytes(2) / TOY_BLOCK + sizeof(float));
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 0); /* no line alone loads that much */
    expect_failure(&fixture, CODE_TOO_MANY_LOADS,
                   "`multiply` loads 260 bytes, expected at most 256 (without tiles: 2048)");
}

static void test_no_shared_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        fixture.samples[i / TOY_PROBES][i % TOY_PROBES]
            .counts.totals[COUNT_SHARED][COUNT_READ]
            .requests = 0;
    }
    expect_failure(&fixture, CODE_NO_SHARED_READS, "never reads shared memory");
}

/* The bytes are compared with those of the same case and probe, wherever they stand. */
static void test_other_order_of_cases(void **state)
{
    struct observation swapped = others[1];

    (void)state;
    others[1] = others[2];
    others[2] = swapped;
    expect_pass(&fixture);
}

/* The baseline loads more because it does something else: its results show it. */
static void test_wrong_baseline(void **state)
{
    static float spoilt[64 * 64];
    const struct observation *last = &others[TOY_SHAPES - 1];
    const size_t bytes = last->element_counts[OPERAND_C] * sizeof(float);
    struct sample *sample = &other_samples[TOY_SHAPES - 1][PROBE_FLOAT];

    (void)state;
    assert_true(bytes <= sizeof spoilt);
    memcpy(spoilt, sample->after[OPERAND_C], bytes);
    spoilt[0] += 1.0f;
    sample->after[OPERAND_C] = spoilt;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "leave the given kernel"));
    expect_failure(&fixture, CODE_MISMATCH,
                   "`simple`, the kernel that your loads are compared with, is wrong here: ");
}

/* The same kernel in twice as many blocks computes the same twice. */
static void test_baseline_that_writes_twice(void **state)
{
    struct launch_counts *counts = &other_samples[1][PROBE_FLOAT].counts;
    const uint64_t bytes = others[1].element_counts[OPERAND_C] * sizeof(float);

    counts->operands[OPERAND_C][COUNT_WRITE].bytes = bytes;
    expect_pass(&fixture);
    set_up(state);
    counts->operands[OPERAND_C][COUNT_WRITE].bytes = bytes;
    counts->operands[OPERAND_C][COUNT_ATOMIC].bytes = sizeof(float);
    expect_failure(&fixture, CODE_BAD_OPERAND, "bytes to C, which has");
}

static void test_other_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        others[i].block = 16;
    }
    expect_failure(&fixture, CODE_WRONG_BLOCK,
                   "blocks of `multiply` are 8 threads wide, those of `simple` 16");
}

static void test_baseline_not_launched(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        others[i].launched = false;
    }
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "`simple` never");
}

static void test_other_sizes_are_an_error(void **state)
{
    (void)state;
    others[1].parameters[0] += 1;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_ERROR);
    assert_non_null(strstr(fixture.verdict.cause.message, "not launched for the same sizes"));
    fixture_free(&fixture);
}

static void test_baseline_without_loads(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOY_PROBES; i++) {
        count(&other_samples[0][i], 0);
    }
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_ERROR);
    fixture_free(&fixture);
}

static void test_unwatched(void **state)
{
    (void)state;
    fixture.input.is_emulated = false;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_SKIPPED);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_exactly_the_ratio, set_up),
        cmocka_unit_test_setup(test_fewer_loads, set_up),
        cmocka_unit_test_setup(test_one_load_too_many, set_up),
        cmocka_unit_test_setup(test_no_shared_memory, set_up),
        cmocka_unit_test_setup(test_other_order_of_cases, set_up),
        cmocka_unit_test_setup(test_wrong_baseline, set_up),
        cmocka_unit_test_setup(test_baseline_that_writes_twice, set_up),
        cmocka_unit_test_setup(test_other_blocks, set_up),
        cmocka_unit_test_setup(test_baseline_not_launched, set_up),
        cmocka_unit_test_setup(test_other_sizes_are_an_error, set_up),
        cmocka_unit_test_setup(test_baseline_without_loads, set_up),
        cmocka_unit_test_setup(test_unwatched, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
