/* test_timing_loop.c: when measuring stops, on a scripted device with a clock of its own. */
#include "session/timing_loop.h"

#include "base/clock.h"
#include "base/rng.h"
#include "timing_samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MS ((uint64_t)CLOCK_NS_PER_MS)

enum { BATCHES_MAX = 400, NEVER = 10000 };

/* What the device does, and what it was asked. */
struct script {
    double launch_ns[TIMING_ROLES];
    double noise;           /* times are multiplied by 1 +- this, evenly */
    double reference_noise; /* of a block, for the reference and its twin alike */
    double twin_noise;      /* of the twin alone */
    uint64_t quiet_ns;      /* after this time there is neither noise nor bias; 0: never */
    double self_bias;       /* of the twin, in parts, up to the batch below */
    uint32_t unbiased;      /* from this batch on the twin is the reference again */
    uint64_t block_ns;      /* wall time of a block, besides its spans */
    uint64_t warm_up_ns;
    uint32_t wrong_batch, changed_batch; /* NEVER, or the batch */
    uint32_t stop_batch, error_batch, broken_batch;
    enum launch_status stop_status;
    uint32_t stop_contender;
    const struct finding *findings;
    size_t finding_count;
    bool clock_changes, is_late;
    uint64_t now_ns;
    struct rng rng;
    struct timing_sample samples[TIMING_SAMPLES_MAX];
    struct timing_batch batches[BATCHES_MAX];
    uint32_t batch_count;
    struct arena *arena;
    struct timing_run run;
};

static uint64_t script_now(void *context)
{
    return ((struct script *)context)->now_ns;
}

static void make_block(struct script *script, const struct timing_batch *batch, uint32_t block)
{
    struct timing_sample *samples = script->samples + (size_t)block * SAMPLES_PER_BLOCK;
    bool is_quiet = script->quiet_ns != 0 && script->now_ns >= script->quiet_ns;
    double of_reference = script->reference_noise * (double)rng_float(&script->rng);

    block_samples(samples, block, block, script->launch_ns);
    for (size_t i = 0; i < SAMPLES_PER_BLOCK; i++) {
        bool is_twin = samples[i].contender == TIMING_TWIN;
        double change = script->noise * (double)rng_float(&script->rng);
        change += is_twin || samples[i].contender == TIMING_REFERENCE ? of_reference : 0.0;
        change += is_twin ? script->twin_noise * (double)rng_float(&script->rng) : 0.0;
        change += is_twin && batch->number < script->unbiased ? script->self_bias : 0.0;
        samples[i].nanoseconds *= (double)batch->launches_per_span;
        samples[i].nanoseconds *= is_quiet ? 1.0 : 1.0 + change;
        script->now_ns += (uint64_t)samples[i].nanoseconds;
    }
    samples[3].clock_mhz = script->clock_changes ? 1200.0 : 1980.0;
    samples[3].is_delayed = script->is_late;
    script->now_ns += script->block_ns;
}

static struct timing_sample *last_judged(struct script *script, size_t count)
{
    struct timing_sample *last = &script->samples[count - 1];

    while (last->contender != TIMING_JUDGED) {
        last--;
    }
    return last;
}

static enum error script_measure(void *context, const struct timing_batch *batch,
                                 struct timing_outcome *out_outcome, struct diagnostic *diagnostic)
{
    struct script *script = context;

    assert_true(batch->block_count >= 1 && batch->block_count <= TIMING_BLOCKS_MAX);
    assert_int_equal(batch->number, script->batch_count);
    assert_true(script->batch_count < BATCHES_MAX);
    script->batches[script->batch_count++] = *batch;
    if (batch->number == script->error_batch) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "no more memory");
        return ERROR_LIMIT;
    }
    for (uint32_t i = 0; i < batch->block_count; i++) {
        make_block(script, batch, i);
    }
    script->now_ns += batch->number == 0 ? script->warm_up_ns : 0;
    *out_outcome = (struct timing_outcome){
        .samples = script->samples,
        .sample_count = (size_t)batch->block_count * SAMPLES_PER_BLOCK,
    };
    if (batch->number == script->wrong_batch) {
        struct timing_sample *last = last_judged(script, out_outcome->sample_count);
        last->wrong = 3;
        last->first_wrong = 77;
    }
    if (batch->number == script->changed_batch) {
        last_judged(script, out_outcome->sample_count)->changed = 5;
    }
    if (batch->number == script->stop_batch) {
        out_outcome->status = script->stop_status;
        out_outcome->contender = script->stop_contender;
        out_outcome->findings = script->findings;
        out_outcome->finding_count = script->finding_count;
        out_outcome->sample_count *= script->stop_status == LAUNCH_DONE ? 1 : 0;
    }
    if (batch->number == script->broken_batch) {
        out_outcome->sample_count--;
    }
    return ERROR_NONE;
}

/* Launches of 2 to 3.5 ms, no noise, a block in about 30 ms. */
static int setup(void **state)
{
    static struct script script;

    memset(&script, 0, sizeof script);
    script.launch_ns[TIMING_JUDGED] = 2.75e6;
    script.launch_ns[TIMING_BASELINE] = 3.3e6;
    script.launch_ns[TIMING_REFERENCE] = 2.2e6;
    script.launch_ns[TIMING_TWIN] = 2.2e6;
    script.block_ns = 10 * MS;
    script.changed_batch = NEVER;
    script.wrong_batch = script.stop_batch = script.error_batch = script.broken_batch = NEVER;
    script.now_ns = 12345;
    script.arena = arena_new();
    rng_init(&script.rng, 1, 2, 3, 4);
    *state = &script;
    return 0;
}

static int teardown(void **state)
{
    arena_free(((struct script *)*state)->arena);
    return 0;
}

static enum error run_loop(struct script *script, uint64_t budget_ns, double settled_below)
{
    const struct timing_plan plan = {
        .budget_ns = budget_ns,
        .settled_below = settled_below,
        .seed = 5,
        .measure = script_measure,
        .now_ns = script_now,
        .context = script,
    };
    struct diagnostic diagnostic = {.blame = BLAME_NONE};

    return timing_loop(&plan, script->arena, &script->run, &diagnostic);
}

static void run_well(struct script *script, uint64_t budget_ns)
{
    assert_int_equal(run_loop(script, budget_ns, 1.0), ERROR_NONE);
    assert_int_equal(script->run.failure, CODE_NONE);
}

/* Blocks of batches first to last - 1. */
static uint32_t blocks_of(const struct script *script, uint32_t first, uint32_t last)
{
    uint32_t blocks = 0;

    for (uint32_t i = first; i < last; i++) {
        blocks += script->batches[i].block_count;
    }
    return blocks;
}

static void quiet_machine_needs_thirty_pairs(void **state)
{
    struct script *script = *state;

    run_well(script, 2000 * MS);
    assert_int_equal(script->batch_count, 2);
    assert_int_equal(script->batches[0].block_count, 1);
    assert_int_equal(script->batches[0].launches_per_span, 1);
    assert_int_equal(script->batches[1].block_count, 15);
    assert_int_equal(script->run.blocks, 15);
    assert_true(fabs(script->run.speedup.value - 1.2) < 1e-9);
    assert_true(fabs(script->run.reference.value - 1.5) < 1e-9);
    assert_false(script->run.is_ambiguous);
    assert_string_equal(script->run.trouble, "");
    assert_int_equal(script->run.compared, 32); /* the warm-up's too */
    assert_true(script->run.seconds > 0.4 && script->run.seconds < 0.6);
}

static void short_launches_share_a_span(void **state)
{
    struct script *script = *state;
    const struct {
        double fastest_ns;
        uint32_t launches;
    } rows[] = {{2.0e6, 1}, {1.9e6, 2}, {3.0e5, 7}, {1.0e5, 20}, {3.0e4, 64}, {10.0, 64}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memset(&script->run, 0, sizeof script->run);
        script->batch_count = 0;
        for (size_t j = 0; j < TIMING_ROLES; j++) {
            script->launch_ns[j] = rows[i].fastest_ns * (j == TIMING_JUDGED ? 1.0 : 1.5);
        }
        run_well(script, 2000 * MS);
        assert_int_equal(script->run.launches_per_span, rows[i].launches);
        assert_int_equal(script->batches[1].launches_per_span, rows[i].launches);
        assert_true(fabs(script->run.student_ns / rows[i].fastest_ns - 1.0) < 1e-9);
    }
}

/* 0.3 % of noise: the half-width comes below 0.1 %, but not with the first blocks. */
static void small_noise_takes_more_batches(void **state)
{
    struct script *script = *state;

    script->noise = 0.003;
    run_well(script, 15000 * MS);
    assert_true(script->batch_count > 2);
    assert_int_equal(script->batches[1].block_count, 15);
    for (uint32_t i = 2; i < script->batch_count; i++) {
        assert_int_equal(script->batches[i].block_count, 8);
    }
    assert_int_equal(script->run.blocks, blocks_of(script, 1, script->batch_count));
    assert_true(timing_half_width(&script->run.speedup) <= 0.001);
    assert_true(timing_half_width(&script->run.reference) <= 0.001);
    assert_true(timing_half_width(&script->run.self) <= 0.001);
    assert_true(script->run.seconds < 15.0);
}

/* 2 % of noise: 0.1 % is out of reach, 0.5 % is not. */
static void budget_ends_the_measurement(void **state)
{
    struct script *script = *state;

    script->noise = 0.02;
    run_well(script, 2000 * MS);
    double half_width = timing_half_width(&script->run.speedup);
    assert_true(half_width > 0.001 && half_width <= 0.005);
    assert_false(script->run.is_ambiguous);
    assert_true(script->run.seconds > 2.0 && script->run.seconds < 2.2);
    assert_string_equal(script->run.trouble, "");
}

/* The speedup alone is not enough: the reference's and the self-comparison count too. */
static void every_ratio_must_be_precise(void **state)
{
    struct script *script = *state;

    script->reference_noise = 0.02;
    run_well(script, 2000 * MS);
    assert_true(timing_half_width(&script->run.speedup) < 1e-9);
    assert_true(timing_half_width(&script->run.self) < 1e-9);
    assert_true(script->run.seconds > 2.0);
    script->batch_count = 0;
    memset(&script->run, 0, sizeof script->run);
    script->reference_noise = 0.0;
    script->twin_noise = 0.02;
    run_well(script, 2000 * MS);
    assert_true(timing_half_width(&script->run.reference) < 1e-9);
    assert_true(script->run.seconds > 2.0);
}

static void warm_up_costs_no_budget(void **state)
{
    struct script *script = *state;

    script->noise = 0.02;
    script->warm_up_ns = 5000 * MS;
    run_well(script, 2000 * MS);
    assert_true(script->run.seconds > 7.0 && script->run.seconds < 7.2);
    assert_true(script->run.blocks > 50);
    assert_int_equal(script->batches[1].block_count, 1); /* until a block's time is known */
}

/* 30 % of noise stays wide: twice the budget, then ambiguous. */
static void wide_interval_is_measured_once_more(void **state)
{
    struct script *script = *state;

    script->noise = 0.3;
    run_well(script, 2000 * MS);
    assert_true(script->run.is_ambiguous);
    assert_true(timing_half_width(&script->run.speedup) > 0.005);
    assert_true(script->run.seconds > 4.0 && script->run.seconds < 4.4);
    assert_int_equal(script->run.blocks, blocks_of(script, 1, script->batch_count));
}

/* Between: too wide after one budget, and narrow enough after the second. */
static void more_blocks_settle_an_ambiguity(void **state)
{
    struct script *script = *state;

    script->noise = 0.04;
    run_well(script, 2000 * MS);
    assert_false(script->run.is_ambiguous);
    assert_true(script->run.seconds > 4.0 && script->run.seconds < 4.4);
    assert_true(timing_half_width(&script->run.speedup) <= 0.005);
}

static void slow_kernel_shortens_the_spans_of_others(void **state)
{
    struct script *script = *state;

    script->launch_ns[TIMING_REFERENCE] = 2.0e5;
    script->launch_ns[TIMING_TWIN] = 2.0e5;
    script->launch_ns[TIMING_JUDGED] = 5.0e7; /* 108 ms of launches a block, 400 ms are allowed */
    run_well(script, 2000 * MS);
    assert_int_equal(script->run.launches_per_span, 3);
    assert_true(script->run.blocks >= 4);
    assert_true(script->run.seconds < 3.0);
}

/* What is surely too slow need not be known better. */
static void settled_speedup_is_not_measured_again(void **state)
{
    struct script *script = *state;

    script->noise = 0.3;
    script->launch_ns[TIMING_JUDGED] = 6.0e6;
    run_well(script, 2000 * MS);
    assert_true(script->run.speedup.high < 1.0);
    assert_false(script->run.is_ambiguous);
    assert_true(script->run.seconds < 2.2);
}

static void slow_kernel_is_timed_block_by_block(void **state)
{
    struct script *script = *state;

    script->launch_ns[TIMING_JUDGED] = 1.9e9;
    script->noise = 0.1;
    run_well(script, 2000 * MS);
    assert_int_equal(script->run.blocks, 3);
    assert_int_equal(script->batch_count, 4);
    assert_int_equal(blocks_of(script, 0, 4), 4);
    assert_false(script->run.is_ambiguous);
    assert_true(script->run.seconds < 18.0);
}

static void rather_slow_kernel_fits_the_budget(void **state)
{
    struct script *script = *state;

    script->launch_ns[TIMING_JUDGED] = 1.0e8; /* 230 ms a block */
    script->noise = 0.1;
    run_well(script, 2000 * MS);
    assert_in_range(script->run.blocks, 8, 10);
    assert_true(script->run.seconds < 2.7);
}

static void self_comparison_is_tried_twice(void **state)
{
    struct script *script = *state;

    script->self_bias = 0.01;
    script->unbiased = NEVER;
    run_well(script, 2000 * MS);
    assert_int_equal(script->batch_count, 3); /* warm-up, and two measurements of 15 blocks */
    assert_int_equal(script->run.blocks, 15);
    assert_true(strstr(script->run.trouble, "1.0100") != NULL);
    assert_true(strstr(script->run.trouble, "cannot be measured") != NULL);
}

static void second_measurement_forgets_the_first(void **state)
{
    struct script *script = *state;

    script->self_bias = -0.01;
    script->unbiased = 2;
    run_well(script, 2000 * MS);
    assert_string_equal(script->run.trouble, "");
    assert_int_equal(script->batch_count, 3);
    assert_int_equal(script->run.blocks, 15);
    assert_true(fabs(script->run.self.value - 1.0) < 1e-9);
}

/* The first measurement is wide and wrong, the second one neither. */
static void second_measurement_is_not_ambiguous(void **state)
{
    struct script *script = *state;

    script->noise = 0.3;
    script->self_bias = 0.4;
    script->unbiased = NEVER;
    script->quiet_ns = script->now_ns + 4000 * MS;
    run_well(script, 2000 * MS);
    assert_string_equal(script->run.trouble, "");
    assert_int_equal(script->run.blocks, 15);
    assert_false(script->run.is_ambiguous);
    assert_true(script->run.seconds > 4.0 && script->run.seconds < 5.0);
}

/* 0.15 % is within what the protocol allows. */
static void small_self_bias_is_allowed(void **state)
{
    struct script *script = *state;

    script->self_bias = 0.0015;
    script->unbiased = NEVER;
    run_well(script, 2000 * MS);
    assert_int_equal(script->batch_count, 2);
    assert_string_equal(script->run.trouble, "");
}

static void changing_clock_is_trouble(void **state)
{
    struct script *script = *state;

    script->clock_changes = true;
    run_well(script, 200 * MS);
    assert_int_equal(script->run.blocks, 0);
    assert_true(script->run.rejected >= 6);
    assert_true(strstr(script->run.trouble, "clock") != NULL);
    assert_true(script->run.seconds < 2.0);
}

static void wrong_span_ends_it_at_once(void **state)
{
    struct script *script = *state;

    script->noise = 0.3;
    script->wrong_batch = 2;
    run_well(script, 2000 * MS);
    assert_int_equal(script->batch_count, 3);
    assert_int_equal(script->run.wrong_spans, 1);
    assert_int_equal(script->run.wrong, 3);
    assert_int_equal(script->run.first_wrong, 77);
    assert_string_equal(script->run.trouble, "");
}

static void late_machine_is_trouble(void **state)
{
    struct script *script = *state;

    script->is_late = true;
    run_well(script, 200 * MS);
    assert_int_equal(script->run.blocks, 0);
    assert_int_equal(script->run.delayed, script->run.rejected);
    assert_true(strstr(script->run.trouble, "kept the GPU waiting") != NULL);
}

static void changed_inputs_end_it_at_once(void **state)
{
    struct script *script = *state;

    script->noise = 0.3;
    script->changed_batch = 2;
    run_well(script, 2000 * MS);
    assert_int_equal(script->batch_count, 3);
    assert_int_equal(script->run.changed_spans, 1);
    assert_int_equal(script->run.changed, 5);
    assert_int_equal(script->run.wrong_spans, 0);
    assert_string_equal(script->run.trouble, "");
}

static void wrong_warm_up_counts(void **state)
{
    struct script *script = *state;

    script->wrong_batch = 0;
    run_well(script, 2000 * MS);
    assert_int_equal(script->batch_count, 1);
    assert_int_equal(script->run.wrong_spans, 1);
    assert_int_equal(script->run.blocks, 0);
}

static const struct finding remark = {.code = CODE_BANK_CONFLICTS, .severity = SEVERITY_WARNING};
static const struct finding fault[] = {
    {.code = CODE_BANK_CONFLICTS, .severity = SEVERITY_WARNING, .message = "slow"},
    {.code = CODE_GLOBAL_OUT_OF_BOUNDS, .severity = SEVERITY_ERROR, .message = "behind C"},
};

static void stop_at(struct script *script, enum launch_status status, uint32_t contender)
{
    script->noise = 0.3;
    script->stop_batch = 2;
    script->stop_status = status;
    script->stop_contender = contender;
    assert_int_equal(run_loop(script, 2000 * MS, 1.0), ERROR_NONE);
    assert_int_equal(script->batch_count, 3);
}

static void judged_launch_fails_the_submission(void **state)
{
    struct script *script = *state;
    const struct {
        enum launch_status status;
        enum code code;
    } rows[] = {{LAUNCH_DEADLINE, CODE_LAUNCH_DEADLINE},
                {LAUNCH_FAULT, CODE_DEVICE_TRAP},
                {LAUNCH_UNSUPPORTED, CODE_LAUNCH_REFUSED}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memset(&script->run, 0, sizeof script->run);
        script->batch_count = 0;
        stop_at(script, rows[i].status, TIMING_JUDGED);
        assert_int_equal(script->run.failure, rows[i].code);
        assert_non_null(script->run.failure_message);
        assert_string_equal(script->run.trouble, "");
        assert_false(script->run.is_spoilt);
    }
}

static void findings_name_the_failure(void **state)
{
    struct script *script = *state;

    script->findings = fault;
    script->finding_count = 2;
    stop_at(script, LAUNCH_FAULT, TIMING_JUDGED);
    assert_int_equal(script->run.failure, CODE_GLOBAL_OUT_OF_BOUNDS);
    assert_string_equal(script->run.failure_message, "behind C");
    assert_int_equal(script->run.finding_count, 2);
}

/* A launch that overruns its operands may come to its end. */
static void overrun_fails_the_submission(void **state)
{
    struct script *script = *state;

    script->findings = fault;
    script->finding_count = 2;
    stop_at(script, LAUNCH_DONE, 0);
    assert_int_equal(script->run.failure, CODE_GLOBAL_OUT_OF_BOUNDS);
}

static void warning_fails_nothing(void **state)
{
    struct script *script = *state;

    script->findings = &remark;
    script->finding_count = 1;
    script->stop_batch = 1;
    run_well(script, 2000 * MS);
    assert_int_equal(script->run.blocks, 15);
    assert_int_equal(script->run.finding_count, 1);
}

static void trusted_launch_is_trouble(void **state)
{
    struct script *script = *state;

    script->findings = fault; /* of the baseline */
    script->finding_count = 2;
    stop_at(script, LAUNCH_DEADLINE, TIMING_BASELINE);
    assert_int_equal(script->run.failure, CODE_NONE);
    assert_int_equal(script->run.finding_count, 0);
    assert_true(script->run.is_spoilt);
    assert_true(strstr(script->run.trouble, "baseline") != NULL);
    memset(&script->run, 0, sizeof script->run);
    script->batch_count = 0;
    stop_at(script, LAUNCH_FAULT, TIMING_TWIN);
    assert_int_equal(script->run.failure, CODE_NONE);
    assert_true(strstr(script->run.trouble, "reference") != NULL);
}

static void errors_are_passed_on(void **state)
{
    struct script *script = *state;

    script->error_batch = 1;
    assert_int_equal(run_loop(script, 2000 * MS, 1.0), ERROR_LIMIT);
    script->batch_count = 0;
    script->error_batch = 0;
    assert_int_equal(run_loop(script, 2000 * MS, 1.0), ERROR_LIMIT);
    script->batch_count = 0;
    script->error_batch = NEVER;
    script->broken_batch = 1;
    assert_int_equal(run_loop(script, 2000 * MS, 1.0), ERROR_PEER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(quiet_machine_needs_thirty_pairs, setup, teardown),
        cmocka_unit_test_setup_teardown(short_launches_share_a_span, setup, teardown),
        cmocka_unit_test_setup_teardown(small_noise_takes_more_batches, setup, teardown),
        cmocka_unit_test_setup_teardown(budget_ends_the_measurement, setup, teardown),
        cmocka_unit_test_setup_teardown(every_ratio_must_be_precise, setup, teardown),
        cmocka_unit_test_setup_teardown(warm_up_costs_no_budget, setup, teardown),
        cmocka_unit_test_setup_teardown(wide_interval_is_measured_once_more, setup, teardown),
        cmocka_unit_test_setup_teardown(more_blocks_settle_an_ambiguity, setup, teardown),
        cmocka_unit_test_setup_teardown(settled_speedup_is_not_measured_again, setup, teardown),
        cmocka_unit_test_setup_teardown(slow_kernel_is_timed_block_by_block, setup, teardown),
        cmocka_unit_test_setup_teardown(slow_kernel_shortens_the_spans_of_others, setup, teardown),
        cmocka_unit_test_setup_teardown(rather_slow_kernel_fits_the_budget, setup, teardown),
        cmocka_unit_test_setup_teardown(self_comparison_is_tried_twice, setup, teardown),
        cmocka_unit_test_setup_teardown(second_measurement_forgets_the_first, setup, teardown),
        cmocka_unit_test_setup_teardown(second_measurement_is_not_ambiguous, setup, teardown),
        cmocka_unit_test_setup_teardown(small_self_bias_is_allowed, setup, teardown),
        cmocka_unit_test_setup_teardown(changing_clock_is_trouble, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_span_ends_it_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(late_machine_is_trouble, setup, teardown),
        cmocka_unit_test_setup_teardown(changed_inputs_end_it_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_warm_up_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(judged_launch_fails_the_submission, setup, teardown),
        cmocka_unit_test_setup_teardown(findings_name_the_failure, setup, teardown),
        cmocka_unit_test_setup_teardown(overrun_fails_the_submission, setup, teardown),
        cmocka_unit_test_setup_teardown(warning_fails_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(trusted_launch_is_trouble, setup, teardown),
        cmocka_unit_test_setup_teardown(errors_are_passed_on, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
