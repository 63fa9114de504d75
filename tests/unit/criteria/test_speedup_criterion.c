/* test_speedup_criterion.c: which launches are timed, what keeps a time from being judged, and the
 * arithmetic of the marks.
 *
 * The toy's launch is timed against `slowly` on an H200: 132 multiprocessors of 128 lanes at 1.98
 * GHz do 132 x 128 x 2 x 1.98e9 = 6.690816e13 operations a second, its memory moves 3.125e9 x 2 x
 * 6144 / 8 = 4.8e12 bytes a second, and its L2 cache holds 60 MiB.
 */
#include "../criteria_fixture.h"

#include "criteria/kinds/marks_again.h"
#include "occupancy/gpu_peak.h"

static struct fixture fixture;
static struct rubric_launch launches[2];
static struct launch_run runs[2];
static struct kernel_resources resources[2];
static struct timing_run timing;
static struct finding found;

static void work(const char *operations, const char *bytes)
{
    fixture.criterion.operations = toy_expression(&fixture, operations);
    fixture.criterion.least_bytes = toy_expression(&fixture, bytes);
}

/* A submission that is 1.4 times as fast as the baseline; the reference reaches 1.5. */
static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_SPEEDUP);
    launches[0] = fixture.launch;
    launches[1] = fixture.launch;
    launches[1].id = "slow";
    launches[1].title = "the slow kernel";
    runs[0] = fixture.run;
    runs[1] = (struct launch_run){0};
    resources[0] = fixture.resources;
    resources[1] = (struct kernel_resources){0};
    fixture.rubric.launches = launches;
    fixture.rubric.launch_count = 2;
    fixture.evidence.launch_runs = runs;
    fixture.input.launch_resources = resources;
    fixture.criterion.points = 10;
    fixture.criterion.baseline = 1;
    fixture.criterion.timing_shape[0] = toy_expression(&fixture, "32 * multiprocessors");
    fixture.criterion.timing_shape[1] = toy_expression(&fixture, "1000");
    fixture.criterion.full_marks = toy_expression(&fixture, "1 + 0.8 * (reference - 1)");
    fixture.criterion.no_marks = 1;
    fixture.criterion.smallest_reference = 1.05;
    fixture.criterion.step = 0.5;
    work("2 * 2 * height * width", "4 * (2 * height + 2 * width + height * width)");
    timing = (struct timing_run){
        .ran = true,
        .failure_message = "",
        .trouble = "",
        .parameters = {4224, 1000},
        .block = 8,
        .reference_block = 16,
        .student_ns = 5e6,
        .baseline_ns = 7e6,
        .reference_ns = 14e6 / 3,
        .speedup = {1.4, 1.399, 1.401},
        .reference = {1.5, 1.5, 1.502},
        .self = {1, 0.9999, 1.0001},
        .blocks = 40,
        .rejected = 2,
        .launches_per_span = 10,
        .clock_low_mhz = 1965,
        .clock_high_mhz = 1980,
        .compared = 80,
        .seconds = 2.0,
    };
    fixture.evidence.timings = &timing;
    fixture.input.timing_model = &fixture.model;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_free(&fixture);
    return 0;
}

static const struct evidence *measured(const char *key)
{
    for (size_t i = 0; i < fixture.verdict.measured_count; i++) {
        if (strcmp(fixture.verdict.measured[i].key, key) == 0) {
            return &fixture.verdict.measured[i];
        }
    }
    return NULL;
}

static double measured_number(const char *key)
{
    assert_non_null(measured(key));
    assert_int_equal(measured(key)->type, EVIDENCE_NUMBER);
    return measured(key)->number;
}

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * fabs(expected))) {
        fail_msg("expected %.12g, got %.12g", expected, got);
    }
}

static void judge_failed(enum code code, const char *words)
{
    const struct verdict *verdict = fixture_judge(&fixture);

    if (verdict->cause.code != code || strstr(verdict->cause.message, words) == NULL) {
        fail_msg("expected %s with '%s', got %s with '%s'", code_name(code), words,
                 code_name(verdict->cause.code), verdict->cause.message);
    }
    assert_int_equal(verdict->status, STATUS_FAILED);
    assert_true(verdict->points == 0);
    assert_true(verdict->cause.hint[0] != '\0');
}

static void judge_error(const char *words)
{
    const struct verdict *verdict = fixture_judge(&fixture);

    assert_int_equal(verdict->status, STATUS_ERROR);
    if (strstr(verdict->cause.message, words) == NULL) {
        fail_msg("expected '%s', got '%s'", words, verdict->cause.message);
    }
    assert_string_equal(measured("why")->text, verdict->cause.message);
    assert_true(verdict->points == 0);
}

static bool wants(void)
{
    return criterion_wants_timing(&fixture.input, fixture.arena, &fixture.criterion);
}

/* What comes before a timing ********************************************************************/

static void test_no_gpu(void **state)
{
    (void)state;
    fixture.input.timing_model = NULL;
    assert_false(wants());
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_SKIPPED);
    assert_string_equal(fixture.verdict.summary, "needs a GPU");
    assert_int_equal(fixture.verdict.cause.code, CODE_NONE);
    assert_non_null(measured("why"));
    assert_string_equal(fixture_evidence(&fixture, "baseline")->text, "slow");
    assert_string_equal(fixture_evidence(&fixture, "rule")->text,
                        "10 x (speedup - 1) / (full - 1), full = 1 + 0.8 * (reference - 1), to the "
                        "nearest 0.5");
}

static void test_no_gpu_although_wrong(void **state)
{
    (void)state;
    fixture.input.timing_model = NULL;
    *fixture_element(&fixture, 1, PROBE_EXACT, 3) += 1;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_SKIPPED);
    assert_string_equal(fixture.verdict.summary, "needs a GPU");
}

static double bound_share(void)
{
    fixture_judge(&fixture);
    return fixture_evidence(&fixture, "bound_share")->number;
}

static void set_counts(enum count_space space, struct access_sum sum)
{
    for (int i = 0; i < TOY_SHAPES; i++) {
        fixture.samples[i][0].counts.is_counted = true;
        fixture.samples[i][0].counts.totals[space][COUNT_READ] = sum;
    }
}

static void set_grid(uint32_t blocks)
{
    for (int i = 0; i < TOY_SHAPES; i++) {
        fixture.observations[i].geometry.grid[0] = blocks;
        fixture.observations[i].geometry.grid[1] = fixture.observations[i].geometry.grid[2] = 1;
    }
}

/* The roof of 4224 x 1000 is that of memory, 4 operations for 4 bytes and a little: 4.764e12. Each
 * case does 4 x height x width operations; 132 multiprocessors take a cycle for a request, for four
 * sectors, or for a wavefront lost to a conflict. */
static void test_no_gpu_bound(void **state)
{
    static const uint64_t million = 1000000;
    double most = 0; /* operations of the largest shape */
    const double cycles = 132 * 1.98e9 / (double)million;

    (void)state;
    fixture.input.timing_model = NULL;
    for (int i = 0; i < TOY_SHAPES; i++) {
        const int64_t *size = fixture.observations[i].parameters;
        most = fmax(most, 4.0 * (double)(size[0] * size[1]));
    }
    const double roof = 4.0 * 4224 * 1000 / (4 * (2 * 4224 + 2 * 1000 + 4224e3)) * 4.8e12;

    set_grid(2);
    set_counts(COUNT_GLOBAL, (struct access_sum){.requests = million, .sectors = million});
    assert_near(bound_share(), most * cycles * 2 / 132 / roof);
    fixture.observations[0].geometry.grid[0] = 3; /* large shapes may have many blocks */
    assert_near(bound_share(), most * cycles / roof);
    set_grid(1600);
    assert_near(bound_share(), most * cycles / roof);
    set_counts(COUNT_GLOBAL, (struct access_sum){.requests = million, .sectors = 8 * million});
    assert_near(bound_share(), most * cycles / 2 / roof);
    set_counts(COUNT_GLOBAL, (struct access_sum){0});
    set_counts(COUNT_SHARED, (struct access_sum){.requests = million,
                                                 .wavefronts = million,
                                                 .least_wavefronts = million,
                                                 .sectors = million});
    assert_near(bound_share(), most * cycles * 4 / roof);
    set_counts(COUNT_SHARED, (struct access_sum){.requests = million,
                                                 .wavefronts = 9 * million,
                                                 .least_wavefronts = million,
                                                 .sectors = million});
    assert_near(bound_share(), most * cycles / 2 / roof); /* 8 lost, by four joined loads */
    set_counts(COUNT_SHARED, (struct access_sum){0});
    set_counts(COUNT_LOCAL, (struct access_sum){.requests = million});
    assert_near(bound_share(), 1); /* registers on a GPU, perhaps */
}

static void test_wants_what_is_sound(void **state)
{
    (void)state;
    assert_true(wants());
    fixture.evidence.timings = NULL; /* not there yet when it is asked */
    assert_true(wants());
    fixture.criterion.kind = CRITERION_CORRECT;
    assert_false(wants());
}

static void test_wrong_result_blocks(void **state)
{
    (void)state;
    *fixture_element(&fixture, 1, PROBE_EXACT, 3) += 1;
    assert_false(wants());
    judge_failed(CODE_MISMATCH, "C is wrong in 1 of 3 shapes");
}

/* As the device tells of it in some probe. */
static void find(enum code code, enum severity severity)
{
    found = (struct finding){
        .code = code,
        .severity = severity,
        .message = "something is wrong",
        .kernel = "multiply",
        .count = 1,
        .places = {{"write", "multiply.cu", 27, 9, true, {0}, {0}, NULL, false},
                   {"read", "multiply.cu", 31, 13, true, {0}, {0}, NULL, false}},
        .place_count = 2,
        .main_place = 1,
    };
    fixture.samples[1][PROBE_FLOAT].findings = &found;
    fixture.samples[1][PROBE_FLOAT].finding_count = 1;
}

static void test_race_blocks(void **state)
{
    (void)state;
    find(CODE_SHARED_RACE, SEVERITY_ERROR);
    assert_false(wants());
    judge_failed(CODE_SHARED_RACE, "in `multiply`: something is wrong");
    assert_int_equal(fixture.verdict.cause.line, 31);
    fixture.input.is_emulated = false; /* with a real GPU nobody could have seen it */
    assert_true(wants());
}

static void test_warning_does_not_block(void **state)
{
    (void)state;
    find(CODE_BARRIER_INCOMPLETE, SEVERITY_WARNING);
    assert_true(wants());
}

static void test_races_within_a_warp(void **state)
{
    struct rubric_criterion criteria[] = {
        fixture.criterion,
        {.kind = CRITERION_RACE_FREE, .has_launch = true, .launch = 1, .allows_warp_races = true},
        {.kind = CRITERION_RACE_FREE, .has_launch = true, .launch = 0},
    };

    (void)state;
    fixture.rubric.criteria = criteria;
    fixture.rubric.criterion_count = 3;
    find(CODE_WARP_RACE, SEVERITY_WARNING);
    assert_false(wants());
    criteria[2].allows_warp_races = true;
    assert_true(wants());
}

static void test_template_and_build_block(void **state)
{
    (void)state;
    fixture.is_template = true;
    assert_false(wants());
    judge_failed(CODE_TEMPLATE_UNCHANGED, "multiply.cu is still the template");
    fixture.is_template = false;
    fixture.build.linked = false;
    fixture.build.failure = CODE_COMPILE_ERROR;
    assert_false(wants());
    judge_failed(CODE_COMPILE_ERROR, "");
}

static void test_launch_that_is_missing_blocks(void **state)
{
    (void)state;
    fixture.observations[2].launched = false;
    fixture.observations[2].sample_count = 0;
    assert_false(wants());
    judge_failed(CODE_NEVER_LAUNCHED, "`multiply` is not launched");
}

static void test_unsupported_is_for_review(void **state)
{
    (void)state;
    find(CODE_UNKNOWN_INSTRUCTION, SEVERITY_ERROR);
    fixture.samples[1][PROBE_FLOAT].status = SAMPLE_UNSUPPORTED;
    assert_false(wants());
    judge_failed(CODE_UNKNOWN_INSTRUCTION, "in `multiply`");
    assert_non_null(status_review(fixture.verdict.status, fixture.verdict.cause.code));
}

static void test_unknown_soundness(void **state)
{
    (void)state;
    fixture.input.oracle = NULL;
    assert_false(wants());
    judge_error("the coursework has no oracle");
}

/* Timings that came to nothing ******************************************************************/

static void test_not_timed(void **state)
{
    (void)state;
    timing = (struct timing_run){0};
    judge_error("the launch was not timed");
    fixture.evidence.timings = NULL;
    judge_error("the launch was not timed");
}

static void test_trouble(void **state)
{
    (void)state;
    timing.ran = false;
    timing.trouble = "the reference against itself is 1.004, expected 1";
    judge_error("the reference against itself is 1.004");
    assert_string_equal(fixture.verdict.summary, "cannot be graded");
}

static void test_failure(void **state)
{
    (void)state;
    timing.failure = CODE_LAUNCH_DEADLINE;
    timing.failure_message = "`multiply` runs for more than 2 s";
    judge_failed(CODE_LAUNCH_DEADLINE,
                 "`multiply` runs for more than 2 s (timed on the GPU, A 4224x2, B 2x1000)");
    timing.failure_message = NULL;
    judge_failed(CODE_LAUNCH_DEADLINE, "a launch took too long");
}

static void test_failure_by_a_finding(void **state)
{
    static const struct finding illegal = {
        .code = CODE_GLOBAL_OUT_OF_BOUNDS,
        .severity = SEVERITY_ERROR,
        .message = "the GPU met an illegal address",
        .kernel = "multiply",
        .count = 1,
    };

    (void)state;
    timing.failure = CODE_API_ERROR;
    timing.findings = &illegal;
    timing.finding_count = 1;
    judge_failed(CODE_GLOBAL_OUT_OF_BOUNDS, "in `multiply`: the GPU met an illegal address");
    assert_non_null(strstr(fixture.verdict.cause.hint, "--device emulated: it names the line"));
}

static void test_failure_of_the_program(void **state)
{
    (void)state;
    timing.failure = CODE_NEVER_LAUNCHED;
    timing.failure_message = "`multiply` is never launched";
    timing.activity = fixture.run.activity;
    timing.activity.ran = true;
    judge_failed(CODE_NEVER_LAUNCHED, "`multiply` is never launched (timed on the GPU");
    timing.activity.end = (struct program_end){.ending = ENDING_SIGNALLED, .signal = 11};
    judge_failed(CODE_SIGNAL, "segmentation fault");
    timing.failure = CODE_BAD_OPERAND; /* says enough by itself */
    timing.failure_message = "C is too small";
    judge_failed(CODE_BAD_OPERAND, "C is too small");
}

static void test_refused_launch_is_for_review(void **state)
{
    (void)state;
    timing.failure = CODE_LAUNCH_REFUSED;
    judge_failed(CODE_LAUNCH_REFUSED, "a launch that the GPU's driver refuses");
    assert_non_null(strstr(fixture.verdict.cause.hint, "as the template does"));
    assert_non_null(status_review(fixture.verdict.status, fixture.verdict.cause.code));
}

static void test_wrong_spans(void **state)
{
    (void)state;
    timing.wrong_spans = 3;
    timing.wrong = 17;
    timing.first_wrong = 5;
    judge_failed(CODE_WRONG_WHEN_TIMED,
                 "`multiply` is wrong in 3 of 80 timed spans that were compared, 17 elements in "
                 "the first, from element 5 on, for A 4224x2, B 2x1000");
    assert_int_equal(measured("wrong_spans")->integer, 3);
    timing.speedup = (struct timing_ratio){0, 0, 0}; /* nothing more was measured */
    judge_failed(CODE_WRONG_WHEN_TIMED, "3 of 80");
    timing.reads_back = true; /* which list of launches is right depends on the data */
    judge_failed(CODE_NOT_REPEATABLE, "`multiply` reads what kernels have computed and decides by "
                                      "it what comes next");
    assert_null(measured("speedup"));
}

static void test_changed_inputs(void **state)
{
    (void)state;
    timing.changed_spans = 2;
    timing.changed = 9;
    judge_failed(CODE_INPUT_CHANGED,
                 "`multiply` overwrites its inputs in 2 of 80 timed spans that were compared, 9 "
                 "elements in the first, for A 4224x2, B 2x1000");
    assert_int_equal(measured("changed_spans")->integer, 2);
    timing.wrong_spans = 1; /* worse */
    judge_failed(CODE_WRONG_WHEN_TIMED, "1 of 80");
}

static void test_noise_is_told(void **state)
{
    (void)state;
    fixture_judge(&fixture);
    assert_null(strstr(fixture.verdict.summary, "noise"));
    timing.is_ambiguous = true;
    timing.speedup = (struct timing_ratio){1.4, 1.34, 1.47};
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_PASSED);
    assert_non_null(
        strstr(fixture.verdict.summary, "(noise: 1.34 to 1.47, the better end counts)"));
    timing.speedup = (struct timing_ratio){1.1, 1.04, 1.16};
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_PARTIAL);
    assert_non_null(
        strstr(fixture.verdict.cause.message, "(noise: 1.04 to 1.16, the better end counts)"));
}

static void test_no_figures(void **state)
{
    (void)state;
    timing.speedup.high = INFINITY;
    judge_error("the measurement has no value");
    timing.speedup.high = 1.401;
    timing.student_ns = NAN;
    judge_error("the measurement has no value");
    timing.student_ns = 5e6;
    timing.reference.low = 1.6; /* above the value */
    judge_error("the measurement has no value");
}

/* What the GPU can do ***************************************************************************/

static void test_peaks(void **state)
{
    (void)state;
    assert_near(gpu_peak_operations(&fixture.model), 6.690816e13);
    assert_near(gpu_peak_bandwidth(&fixture.model), 4.8e12);
}

/* With an input of halves the peak is that of tensor cores, 16 times as high. */
static void test_faster_on_tensor_cores(void **state)
{
    (void)state;
    work("66908160000 * 8", "1"); /* 8 ms outside of tensor cores */
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    launches[0].operands[0].type = ELEMENT_F16;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_PASSED);
    assert_near(measured_number("least_ms"), 0.5);
}

static void test_faster_than_its_operations(void **state)
{
    (void)state;
    work("66908160000 * 4", "1"); /* 4 ms */
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_PASSED);
    assert_near(measured_number("least_ms"), 4);
    assert_near(measured_number("fraction_of_peak"), 0.8); /* in 5 ms */
    assert_near(measured_number("gflops"), 66908.16 * 4 / 5);
    timing.student_ns = 3.99e6;
    judge_failed(CODE_IMPOSSIBLE_TIME, "`multiply` takes 3.99 ms, but 267.6 GFLOP and 1e-06 MB "
                                       "take NVIDIA H200 at least 4 ms");
}

static void test_highest_clock_seen(void **state)
{
    (void)state;
    work("66908160000 * 4", "1");
    timing.student_ns = 3.7e6;
    judge_failed(CODE_IMPOSSIBLE_TIME, "at least 4 ms");
    timing.clock_high_mhz = 1980 * 1.1; /* 4 ms / 1.1 = 3.64 ms */
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_PASSED);
    assert_near(measured_number("least_ms"), 4 / 1.1);
}

static void test_faster_than_its_bytes(void **state)
{
    (void)state;
    /* 60 MiB of 10 launches may stay in the cache: 6291456 bytes each */
    work("1", "4800000000 * 4 + 6291456");
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_PASSED);
    assert_near(measured_number("least_ms"), 4);
    assert_near(measured_number("fraction_of_bandwidth"), (19.2e9 + 6291456) / 5e-3 / 4.8e12);
    timing.student_ns = 3.99e6;
    judge_failed(CODE_IMPOSSIBLE_TIME, "at least 4 ms");
    timing.launches_per_span = 1; /* all of the cache for one: 4 ms - 11.8 us */
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_PASSED);
    timing.student_ns = 3.988e6;
    judge_failed(CODE_IMPOSSIBLE_TIME, "at least 3.988 ms");
}

static void test_what_copying_reaches(void **state)
{
    (void)state;
    work("1", "4800000000 * 4 + 6291456");
    timing.copy_bandwidth = 4.0e12; /* 19.2 GB take 4.8 ms, and not 4 */
    timing.speedup = (struct timing_ratio){1.118, 1.116, 1.12};
    timing.reference_ns = 4.9e6;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.message,
                           "it reaches 96 % of what this GPU allows, the reference 98 %"));
    assert_near(measured_number("least_ms"), 4);
    assert_near(measured_number("copied_ms"), 4.8);
    assert_near(measured_number("copy_bandwidth_gbs"), 4000);
    timing.student_ns = 4.5e6; /* faster than copies is no cause */
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.code, CODE_TOO_SLOW);
}

static void test_unknown_gpu_has_no_floor(void **state)
{
    (void)state;
    work("66908160000 * 40", "1");
    fixture.model.compute_major = 99;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_PASSED);
    assert_null(measured("fraction_of_peak"));
}

static void test_reference_faster_than_possible(void **state)
{
    (void)state;
    work("66908160000 * 40", "1"); /* 40 ms: the rubric's mistake, not the submission's */
    judge_error("the reference takes 4.667 ms, less than the 40 ms");
}

/* Marks *****************************************************************************************/

static void test_all_points(void **state)
{
    (void)state;
    /* r = 1.5: full = 1 + 0.8 x 0.5 = 1.4; s = 1.401 */
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "1.40 x slow, reference 1.50");
    assert_string_equal(measured("marks")->text, "1.401 is at least 1.4: all 10");
    assert_near(measured_number("full_marks"), 1.4);
    expect_pass(&fixture);
    set_up(state);
}

static void test_some_points(void **state)
{
    (void)state;
    /* 10 x (1.12 - 1) / (1.4 - 1) = 3 */
    timing.speedup = (struct timing_ratio){1.118, 1.116, 1.12};
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_PARTIAL);
    assert_true(fixture.verdict.points == 3);
    assert_int_equal(fixture.verdict.cause.code, CODE_TOO_SLOW);
    assert_string_equal(fixture.verdict.cause.message,
                        "1.12 times as fast as the slow kernel; the reference solution reaches "
                        "1.50 here, full marks start at 1.40; it reaches 0.044 % of what this GPU "
                        "allows, the reference 0.048 %");
    assert_string_equal(measured("marks")->text,
                        "10 x (1.12 - 1) / (1.4 - 1) = 3, to the nearest 0.5: 3");
    assert_string_equal(fixture.verdict.summary, "1.12 x slow, reference 1.50");
}

static void test_arithmetic(void **state)
{
    /* With r = 1.5 full marks start at 1.4, with r = 2 at 1.8, with r = 1.05 at 1.04. */
    static const struct {
        double student, reference, points, step, expected;
    } rows[] = {
        {1.4, 1.5, 10, 0.5, 10},     /* exactly full */
        {1.5, 1.5, 10, 0.5, 10},     /* as fast as the reference */
        {9, 1.5, 10, 0.5, 10},       /* faster */
        {1.0, 1.5, 10, 0.5, 0},      /* exactly none */
        {0.27, 1.5, 10, 0.5, 0},     /* slower than the baseline */
        {1.2, 1.5, 10, 0.5, 5},      /* 10 x 0.2 / 0.4 */
        {1.38, 1.5, 10, 0.5, 9.5},   /* 10 x 0.38 / 0.4 = 9.5 */
        {1.3899, 1.5, 10, 0.5, 9.5}, /* 9.7475 */
        {1.3901, 1.5, 10, 0.5, 10},  /* 9.7525 */
        {1.0099, 1.5, 10, 0.5, 0},   /* 0.2475 */
        {1.0101, 1.5, 10, 0.5, 0.5}, /* 0.2525 */
        {1.4, 2, 5, 0.25, 2.5},      /* 5 x 0.4 / 0.8 */
        {1.62, 2, 5, 0.5, 4},        /* 5 x 0.62 / 0.8 = 3.875 */
        {1.03, 1.05, 10, 0.5, 7.5},  /* 10 x 0.03 / 0.04 */
        {1.3, 1.5, 10, 4, 8},        /* 7.5: the nearest multiple of 4 */
        {1.39, 1.5, 10, 4, 8},       /* 9.75: 8 is nearer than 12 */
        {1.4, 1.5, 10, 4, 10},       /* all points are no multiple */
        {1.3999, 1.5, 10, 3.9, 10},  /* 9.9975: 11.7, but no more than all */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture.criterion.points = rows[i].points;
        fixture.criterion.step = rows[i].step;
        timing.speedup = (struct timing_ratio){rows[i].student, rows[i].student, rows[i].student};
        timing.reference =
            (struct timing_ratio){rows[i].reference, rows[i].reference, rows[i].reference};
        fixture_judge(&fixture);
        double points = fixture.verdict.points;
        bool all = rows[i].expected == rows[i].points;
        if (fabs(points - rows[i].expected) > 1e-9) {
            fail_msg("row %zu: expected %g points, got %g", i, rows[i].expected, points);
        }
        assert_int_equal(fixture.verdict.status, all                     ? STATUS_PASSED
                                                 : rows[i].expected == 0 ? STATUS_FAILED
                                                                         : STATUS_PARTIAL);
        assert_int_equal(fixture.verdict.cause.code, all ? CODE_NONE : CODE_TOO_SLOW);
    }
    (void)state;
}

static void test_ends_favour_the_student(void **state)
{
    (void)state;
    /* s = 1.3, r = 1.4: full = 1.32; 10 x 0.3 / 0.32 = 9.375 -> 9.5. The other ends would give
     * s = 1.1, r = 1.6: 10 x 0.1 / 0.48 = 2. */
    timing.speedup = (struct timing_ratio){1.2, 1.1, 1.3};
    timing.reference = (struct timing_ratio){1.5, 1.4, 1.6};
    timing.is_ambiguous = true;
    fixture_judge(&fixture);
    assert_true(fixture.verdict.points == 9.5);
    assert_int_equal(measured("ambiguous")->integer, 1);
    assert_near(measured_number("of_reference"), 1.2 / 1.5);
    assert_near(measured_number("of_reference_low"), 1.1 / 1.6);
    assert_near(measured_number("of_reference_high"), 1.3 / 1.4);
}

static void test_close_to_full_marks(void **state)
{
    (void)state;
    timing.speedup = (struct timing_ratio){1.3951, 1.3941, 1.3961};
    fixture.criterion.step = 0.01;
    fixture_judge(&fixture); /* 10 x 0.3961 / 0.4 = 9.9025 */
    assert_near(fixture.verdict.points, 9.9);
    assert_non_null(strstr(fixture.verdict.cause.message, "1.3951 times"));
    assert_non_null(strstr(fixture.verdict.cause.message, "full marks start at 1.4000"));
}

static void test_reference_too_slow(void **state)
{
    (void)state;
    timing.reference = (struct timing_ratio){1.06, 1.0499, 1.07};
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.status, STATUS_SKIPPED);
    assert_string_equal(fixture.verdict.summary, "the reference reaches only 1.06 x slow here");
    assert_non_null(strstr(measured("why")->text, "at least 1.05 times, expected at least 1.05"));
    assert_near(measured_number("speedup"), 1.4);
    timing.reference.low = 1.05;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_PASSED);
}

static void test_rule_without_a_value(void **state)
{
    (void)state;
    fixture.criterion.full_marks = toy_expression(&fixture, "2.5 - reference");
    judge_error("the rubric's full marks, 2.5 - reference, are not above 1");
    fixture.criterion.full_marks = toy_expression(&fixture, "1 / (reference - 1.5)");
    judge_error("the rubric's full marks");
}

static void test_slower_than_the_baseline(void **state)
{
    (void)state;
    timing.speedup = (struct timing_ratio){0.27, 0.269, 0.271};
    judge_failed(CODE_TOO_SLOW, "0.27 times as fast as the slow kernel");
    assert_string_equal(measured("marks")->text, "0.271 is at most 1: none");
    assert_non_null(strstr(fixture.verdict.cause.hint, "bank conflicts"));
}

static void test_facts(void **state)
{
    static const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"speedup", 1.4},
        {"speedup_low", 1.399},
        {"speedup_high", 1.401},
        {"reference", 1.5},
        {"reference_low", 1.5},
        {"reference_high", 1.502},
        {"self", 1},
        {"self_low", 0.9999},
        {"self_high", 1.0001},
        {"student_ms", 5},
        {"baseline_ms", 7},
        {"reference_ms", 14.0 / 3},
        {"clock_low_mhz", 1965},
        {"clock_high_mhz", 1980},
        {"seconds", 2},
        {"gflops", 4.0 * 4224 * 1000 / 5e6},
    };
    static const struct {
        const char *key;
        int64_t value;
    } integers[] = {{"blocks", 40},         {"rejected", 2},    {"launches_per_span", 10},
                    {"compared_spans", 80}, {"wrong_spans", 0}, {"ambiguous", 0}};

    (void)state;
    fixture_judge(&fixture);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        assert_near(measured_number(numbers[i].key), numbers[i].value);
    }
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        assert_int_equal(measured(integers[i].key)->integer, integers[i].value);
    }
    assert_string_equal(fixture_evidence(&fixture, "shape")->text, "A 4224x2, B 2x1000");
    assert_near(fixture_evidence(&fixture, "operations")->number, 4.0 * 4224 * 1000);
    assert_near(fixture_evidence(&fixture, "least_bytes")->number,
                4.0 * (2 * 4224 + 2 * 1000 + 4224 * 1000));
    assert_int_equal(fixture_evidence(&fixture, "block")->integer, 8);
    assert_int_equal(fixture_evidence(&fixture, "reference_block")->integer, 16);
    /* nothing that varies stands beside them */
    for (size_t i = 0; i < fixture.verdict.evidence_count; i++) {
        assert_null(measured(fixture.verdict.evidence[i].key));
    }
}

static void test_the_right_timing_is_taken(void **state)
{
    struct rubric_criterion criteria[] = {{.kind = CRITERION_COMPILE}, fixture.criterion};
    struct timing_run timings[] = {{.trouble = "of another criterion"}, timing};
    struct verdict verdict;

    (void)state;
    fixture.rubric.criteria = criteria;
    fixture.rubric.criterion_count = 2;
    fixture.evidence.timings = timings;
    criterion_judge(&fixture.input, fixture.arena, &criteria[1], &verdict);
    assert_int_equal(verdict.status, STATUS_PASSED);
}

static void assert_same_facts(const struct evidence *got, const struct evidence *expected,
                              size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(got[i].key, expected[i].key);
        assert_int_equal(got[i].type, expected[i].type);
        assert_true(got[i].number == expected[i].number);
        assert_int_equal(got[i].integer, expected[i].integer);
        if (expected[i].type == EVIDENCE_TEXT) {
            assert_string_equal(got[i].text, expected[i].text);
        }
    }
}

static void assert_same_verdict(const struct verdict *got, const struct verdict *expected)
{
    assert_int_equal(got->status, expected->status);
    assert_true(got->points == expected->points);
    assert_string_equal(got->summary, expected->summary);
    assert_int_equal(got->cause.code, expected->cause.code);
    assert_string_equal(got->cause.message, expected->cause.message);
    assert_int_equal(got->cause.advice.id, expected->cause.advice.id);
    assert_int_equal(got->evidence_count, expected->evidence_count);
    assert_int_equal(got->measured_count, expected->measured_count);
    assert_same_facts(got->evidence, expected->evidence, expected->evidence_count);
    assert_same_facts(got->measured, expected->measured, expected->measured_count);
}

/* Settled again by another rule, a verdict is what it would have been. */
static void test_settled_again(void **state)
{
    static const struct {
        double points, no_marks, step;
        const char *full_marks;
    } rules[] = {
        {10, 1, 0.5, "1 + 0.8 * (reference - 1)"},
        {20, 1, 0.5, "1 + 0.8 * (reference - 1)"},
        {10, 1.1, 0.25, "reference"},
        {10, 0.5, 1, "1.2"},
        {4, 3, 0.5, "9"},
    };
    static const double speedups[] = {0.4, 1.05, 1.15, 1.3, 1.45, 2.5};
    enum { RULES = sizeof rules / sizeof rules[0] };
    struct rubric_criterion criteria[RULES];
    struct verdict verdict;

    (void)state;
    for (size_t i = 0; i < RULES; i++) {
        criteria[i] = fixture.criterion;
        criteria[i].points = rules[i].points;
        criteria[i].no_marks = rules[i].no_marks;
        criteria[i].step = rules[i].step;
        criteria[i].full_marks = toy_expression(&fixture, rules[i].full_marks);
    }
    for (size_t i = 0; i < RULES * RULES * sizeof speedups / sizeof speedups[0]; i++) {
        const struct rubric_criterion *from = &criteria[i % RULES];
        const struct rubric_criterion *to = &criteria[i / RULES % RULES];
        double speedup = speedups[i / RULES / RULES];
        timing.speedup = (struct timing_ratio){speedup, speedup - 0.05, speedup + 0.05};
        timing.is_ambiguous = i % 3 == 0;
        fixture.criterion = *from;
        verdict = *fixture_judge(&fixture);
        fixture.criterion = *to;
        fixture_judge(&fixture);
        verdict.criterion = to;
        marks_settle_again(&fixture.rubric, from, fixture.arena, &verdict);
        assert_same_verdict(&verdict, &fixture.verdict);
    }
}

/* What speed did not decide keeps its status. */
static void test_settled_again_without_speed(void **state)
{
    const struct rubric_criterion from = fixture.criterion;
    struct rubric_criterion to = from;
    struct verdict verdict;

    (void)state;
    to.points = 30;
    timing.wrong_spans = 1;
    verdict = *fixture_judge(&fixture);
    verdict.criterion = &to;
    marks_settle_again(&fixture.rubric, &from, fixture.arena, &verdict);
    assert_int_equal(verdict.status, STATUS_FAILED);
    assert_int_equal(verdict.cause.code, CODE_WRONG_WHEN_TIMED);
    assert_true(verdict.points == 0);
    timing.wrong_spans = 0;
    verdict = *fixture_judge(&fixture);
    verdict.criterion = &to;
    verdict.only_hidden = true; /* told without numbers */
    verdict.status = STATUS_FAILED;
    verdict.points = 0;
    marks_settle_again(&fixture.rubric, &from, fixture.arena, &verdict);
    assert_int_equal(verdict.status, STATUS_FAILED);
    assert_true(verdict.points == 0);
}

/* Of other kinds, what passed earns all, and a part the same part. */
static void test_other_kinds_settled_again(void **state)
{
    static const struct rubric_criterion from = {.kind = CRITERION_COMPILE, .points = 5};
    static const struct rubric_criterion to = {.kind = CRITERION_COMPILE, .points = 8};
    struct verdict verdict = {.criterion = &to, .status = STATUS_PASSED, .points = 5};

    (void)state;
    marks_settle_again(&fixture.rubric, &from, fixture.arena, &verdict);
    assert_true(verdict.points == 8);
    verdict.status = STATUS_PARTIAL;
    verdict.points = 2.5;
    marks_settle_again(&fixture.rubric, &from, fixture.arena, &verdict);
    assert_true(verdict.points == 4);
    verdict.status = STATUS_SKIPPED;
    marks_settle_again(&fixture.rubric, &from, fixture.arena, &verdict);
    assert_true(verdict.points == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_settled_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_settled_again_without_speed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_kinds_settled_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_gpu_although_wrong, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_gpu_bound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wants_what_is_sound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_result_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_race_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_warning_does_not_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_races_within_a_warp, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_template_and_build_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_launch_that_is_missing_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unsupported_is_for_review, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unknown_soundness, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_timed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_trouble, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failure_by_a_finding, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failure_of_the_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused_launch_is_for_review, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_spans, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_changed_inputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_noise_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_figures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_peaks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_faster_on_tensor_cores, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_faster_than_its_operations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_highest_clock_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_faster_than_its_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_copying_reaches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unknown_gpu_has_no_floor, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reference_faster_than_possible, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_all_points, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_some_points, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_arithmetic, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ends_favour_the_student, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_close_to_full_marks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reference_too_slow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rule_without_a_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_slower_than_the_baseline, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_facts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_right_timing_is_taken, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
