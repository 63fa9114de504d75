/* test_evidence_of_gpu.c: evidence from a real GPU: criteria that need the emulated device,
 * findings without a place, and what a program prints there.
 */
#include "../criteria_fixture.h"

static struct fixture fixture;
static struct finding found;
static struct print_run gpu_prints[2];
static struct gpu_model gpu;

static void set_up(enum criterion_kind kind)
{
    fixture_init(&fixture, kind);
    fixture.input.is_emulated = false;
    fixture.criterion.maximum_bytes = toy_expression(&fixture, "height * width");
    fixture.criterion.maximum_ratio = 1;
}

/* Only the emulated device watches **************************************************************/

static const enum criterion_kind watched[] = {CRITERION_RACE_FREE, CRITERION_TILED,
                                              CRITERION_BANK_CONFLICTS, CRITERION_COALESCING};

enum { WATCHED_COUNT = sizeof watched / sizeof watched[0] };

static void test_needs_the_emulated_device(void **state)
{
    (void)state;
    for (size_t i = 0; i < WATCHED_COUNT; i++) {
        set_up(watched[i]);
        fixture_judge(&fixture);
        assert_int_equal(fixture.verdict.status, STATUS_SKIPPED);
        assert_string_equal(fixture.verdict.summary, "needs the emulated device");
        assert_true(fixture.verdict.points == 0);
        assert_int_equal(fixture.verdict.evidence_count, 0);
        assert_string_equal(fixture.verdict.measured[0].key, "why");
        fixture_free(&fixture);
    }
}

static void test_what_blocks_comes_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < WATCHED_COUNT; i++) {
        set_up(watched[i]);
        fixture.is_template = true;
        expect_failure(&fixture, CODE_TEMPLATE_UNCHANGED, "still the template");
        set_up(watched[i]);
        fixture.observations[1].failure = CODE_BAD_OPERAND;
        fixture.observations[1].failure_message = "C is too small";
        expect_failure(&fixture, CODE_BAD_OPERAND, "C is too small");
    }
}

/* A fault that the driver tells of: no line, no thread. */
static void put_fault(enum code code)
{
    found = (struct finding){
        .code = code,
        .severity = SEVERITY_ERROR,
        .message = "the GPU met an illegal address",
        .kernel = "multiply",
        .count = 1,
    };
    fixture.samples[1][0].status = SAMPLE_FAULT;
    fixture.samples[1][0].findings = &found;
    fixture.samples[1][0].finding_count = 1;
}

static void test_fault_without_a_place(void **state)
{
    static const enum criterion_kind kinds[] = {CRITERION_CORRECT, CRITERION_RACE_FREE,
                                                CRITERION_TILED, CRITERION_BANK_CONFLICTS};

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        set_up(kinds[i]);
        put_fault(CODE_GLOBAL_OUT_OF_BOUNDS);
        fixture_judge(&fixture);
        assert_int_equal(fixture.verdict.cause.line, 0);
        assert_non_null(strstr(fixture.verdict.cause.hint, "check the index"));
        assert_non_null(strstr(fixture.verdict.cause.hint,
                               "; run the check with --device emulated: it names the line"));
        expect_failure(&fixture, CODE_GLOBAL_OUT_OF_BOUNDS,
                       "in `multiply`: the GPU met an illegal address");
    }
    set_up(CRITERION_CORRECT);
    put_fault(CODE_DEVICE_ASSERT);
    fixture_judge(&fixture);
    assert_null(strstr(fixture.verdict.cause.hint, "--device emulated"));
    expect_failure(&fixture, CODE_DEVICE_ASSERT, "illegal address");
}

static void test_refused_launch_is_no_failure(void **state)
{
    (void)state;
    set_up(CRITERION_CORRECT);
    put_fault(CODE_LAUNCH_REFUSED);
    fixture.samples[1][0].status = SAMPLE_UNSUPPORTED;
    expect_failure(&fixture, CODE_LAUNCH_REFUSED, "in `multiply`");
}

static void test_deadline_of_the_gpu(void **state)
{
    (void)state;
    set_up(CRITERION_CORRECT);
    fixture.rubric.limits.launch_cuda_ns = 2000000000;
    fixture.samples[1][0].status = SAMPLE_DEADLINE;
    expect_failure(&fixture, CODE_LAUNCH_DEADLINE, "`multiply` runs for more than 2 s");
}

static void test_results_count_alike(void **state)
{
    (void)state;
    set_up(CRITERION_CORRECT);
    expect_pass(&fixture);
    set_up(CRITERION_CORRECT);
    *fixture_element(&fixture, 1, PROBE_EXACT, 3) += 1;
    expect_failure(&fixture, CODE_MISMATCH, "C is wrong in 1 of 3 shapes");
}

/* Printouts of both *****************************************************************************/

/* The emulated device prints one number, the GPU of the same figures another. */
static void set_up_prints(enum criterion_kind kind, const char *emulated, const char *real)
{
    fixture_init(&fixture, kind);
    fixture_print(&fixture, 0, emulated);
    if (kind == CRITERION_BLOCK_SIZE) {
        fixture.printouts[0].label = "Block size:";
        fixture.printouts[0].form = PRINTOUT_INTEGER;
        fixture.blocks[1] = 32;
        char *table = arena_strdup(fixture.arena, "");
        for (int threads = 32; threads <= 1024; threads += 32) {
            table =
                arena_printf(fixture.arena, "%srequiredSM(%d) = %d\n", table, threads, threads * 8);
        }
        fixture_print(&fixture, 1, table);
    }
    gpu = fixture.model;
    memcpy(gpu_prints, fixture.prints, sizeof gpu_prints);
    gpu_prints[0].activity.output = real;
    gpu_prints[0].activity.output_length = strlen(real);
    fixture.evidence.gpu_print_runs = gpu_prints;
    fixture.input.timing_model = &gpu;
}

static void test_both_print_alike(void **state)
{
    (void)state;
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 1.0\n", "Occupancy: 1.0\n");
    fixture_judge(&fixture);
    assert_string_equal(fixture_evidence(&fixture, "printed")->text, "1.0");
    assert_string_equal(fixture_evidence(&fixture, "printed_emulated")->text, "1.0");
    expect_pass(&fixture);
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 7\n", "Occupancy: 7\n");
    fixture_judge(&fixture);
    assert_null(strstr(fixture.verdict.cause.message, "on the real"));
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "printed 7, expected");
    set_up_prints(CRITERION_BLOCK_SIZE, "Block size: 32\n", "Block size: 32\n");
    expect_pass(&fixture);
}

static void test_the_gpu_counts(void **state)
{
    (void)state;
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 7\n", "Occupancy: 1.0\n");
    expect_pass(&fixture);
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 1.0\n", "Occupancy: 7\n");
    fixture_judge(&fixture);
    assert_string_equal(fixture_evidence(&fixture, "printed")->text, "7");
    assert_string_equal(fixture_evidence(&fixture, "printed_emulated")->text, "1.0");
    assert_non_null(fixture_evidence(&fixture, "card.threads"));
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "on the real NVIDIA H200: printed 7, expected");
    set_up_prints(CRITERION_BLOCK_SIZE, "Block size: 32\n", "Block size: 7\n");
    expect_failure(&fixture, CODE_PRINTOUT_WRONG,
                   "on the real NVIDIA H200: printed 7, expected 32");
    set_up_prints(CRITERION_BLOCK_SIZE, "Block size: 32\n", "");
    expect_failure(&fixture, CODE_PRINTOUT_MISSING, "on the real NVIDIA H200: no line");
    set_up_prints(CRITERION_BLOCK_SIZE, "Block size: 7\n", "Block size: 32\n");
    expect_pass(&fixture);
}

static void test_machine_at_odds(void **state)
{
    (void)state;
    /* 64 threads: 32 blocks give 1; 24 blocks would give 0.75 */
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 1.0\n", "Occupancy: 0.75\n");
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.measured_count, 1);
    assert_string_equal(fixture.verdict.measured[0].text,
                        "the GPU's driver fits 24 blocks on a multiprocessor, the occupancy "
                        "calculator does not");
    assert_string_equal(fixture_evidence(&fixture, "printed")->text, "1.0");
    expect_pass(&fixture);
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 7\n", "Occupancy: 0.75\n");
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "printed 0.75"); /* wrong both times */
    set_up_prints(CRITERION_BLOCK_SIZE, "Block size: 32\n", "Block size: 8\n");
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.measured_count, 1);
    expect_pass(&fixture);
    set_up_prints(CRITERION_BLOCK_SIZE, "Block size: 8\n", "Block size: 8\n");
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "printed 8, expected 32");
}

static void test_nothing_to_compare(void **state)
{
    (void)state;
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 1.0\n", "Occupancy: 7\n");
    fixture.evidence.gpu_print_runs = NULL;
    expect_pass(&fixture);
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 1.0\n", "Occupancy: 7\n");
    gpu_prints[0].activity.ran = false;
    expect_pass(&fixture);
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 1.0\n", "Occupancy: 7\n");
    gpu_prints[1].activity.ran = false; /* the table of the same program */
    expect_pass(&fixture);
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 1.0\n", "Occupancy: 7\n");
    gpu.multiprocessors = 40; /* --gpu-model names another one */
    expect_pass(&fixture);
    set_up_prints(CRITERION_OCCUPANCY, "Occupancy: 1.0\n", "Occupancy: 7\n");
    fixture.input.timing_model = NULL;
    expect_pass(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needs_the_emulated_device),
        cmocka_unit_test(test_what_blocks_comes_first),
        cmocka_unit_test(test_fault_without_a_place),
        cmocka_unit_test(test_refused_launch_is_no_failure),
        cmocka_unit_test(test_deadline_of_the_gpu),
        cmocka_unit_test(test_results_count_alike),
        cmocka_unit_test(test_both_print_alike),
        cmocka_unit_test(test_the_gpu_counts),
        cmocka_unit_test(test_machine_at_odds),
        cmocka_unit_test(test_nothing_to_compare),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
