/* test_timing_estimate.c: what samples tell, with times that are known. */
#include "timing_samples.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCKS = 20, SAMPLES = BLOCKS * SAMPLES_PER_BLOCK };

static const double times_ns[TIMING_ROLES] = {2.0e6, 3.0e6, 1.5e6, 1.5e6};

struct fixture {
    struct timing_series series;
    struct timing_sample samples[SAMPLES];
    struct timing_run run;
};

static int setup(void **state)
{
    static struct fixture fixture;

    memset(&fixture, 0, sizeof fixture);
    fixture.series.arena = arena_new();
    for (uint32_t i = 0; i < BLOCKS; i++) {
        block_samples(fixture.samples + (size_t)i * SAMPLES_PER_BLOCK, i, i, times_ns);
    }
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    arena_free(fixture->series.arena);
    return 0;
}

static bool add(struct fixture *fixture, uint32_t launches)
{
    return timing_series_add(&fixture->series, fixture->samples, SAMPLES, BLOCKS, launches);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (fabs(value - expected) > tolerance) {
        fail_msg("%.12g is not within %g of %.12g", value, tolerance, expected);
    }
}

static void even_times_give_exact_ratios(void **state)
{
    struct fixture *fixture = *state;

    assert_true(add(fixture, 5));
    timing_series_estimate(&fixture->series, 1, &fixture->run);
    assert_near(fixture->run.speedup.value, 1.5, 1e-12);
    assert_near(fixture->run.reference.value, 2.0, 1e-12);
    assert_near(fixture->run.self.value, 1.0, 1e-12);
    assert_near(timing_half_width(&fixture->run.speedup), 0.0, 1e-12);
    assert_near(fixture->run.student_ns, 4.0e5, 1e-6);
    assert_near(fixture->run.baseline_ns, 6.0e5, 1e-6);
    assert_near(fixture->run.reference_ns, 3.0e5, 1e-6);
    assert_int_equal(fixture->run.blocks, BLOCKS);
    assert_int_equal(fixture->run.rejected, 0);
    assert_true(fixture->run.clock_low_mhz == 1980.0 && fixture->run.clock_high_mhz == 1980.0);
}

/* Every span takes 1 % longer than the one before it, through the whole measurement. */
static void steady_drift_falls_out(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < SAMPLES; i++) {
        fixture->samples[i].nanoseconds *= exp(0.01 * (double)i);
    }
    assert_true(add(fixture, 1));
    timing_series_estimate(&fixture->series, 1, &fixture->run);
    assert_near(fixture->run.speedup.value, 1.5, 1e-9);
    assert_near(fixture->run.reference.value, 2.0, 1e-9);
    assert_near(fixture->run.self.value, 1.0, 1e-9);
    assert_near(timing_half_width(&fixture->run.speedup), 0.0, 1e-9);
}

static void few_outliers_move_nothing(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < 4; i++) {
        fixture->samples[i * 5 * SAMPLES_PER_BLOCK + 2].nanoseconds *= 40.0;
    }
    assert_true(add(fixture, 1));
    timing_series_estimate(&fixture->series, 1, &fixture->run);
    assert_near(fixture->run.speedup.value, 1.5, 1e-9);
    assert_near(fixture->run.self.value, 1.0, 1e-9);
    assert_near(fixture->run.student_ns, 2.0e6, 1e-3);
}

static void noise_gives_an_interval_around_the_truth(void **state)
{
    struct fixture *fixture = *state;
    struct rng rng;

    rng_init(&rng, 9, 0, 0, 0);
    for (size_t i = 0; i < SAMPLES; i++) {
        fixture->samples[i].nanoseconds *= 1.0 + 0.01 * (double)rng_float(&rng);
    }
    assert_true(add(fixture, 1));
    timing_series_estimate(&fixture->series, 1, &fixture->run);
    const struct timing_ratio *speedup = &fixture->run.speedup;
    assert_true(speedup->low < 1.5 && speedup->high > 1.5);
    assert_true(speedup->low < speedup->value && speedup->value < speedup->high);
    assert_true(timing_half_width(speedup) > 0.0005 && timing_half_width(speedup) < 0.01);
    struct timing_ratio inverse =
        timing_series_ratio(&fixture->series, TIMING_JUDGED, TIMING_BASELINE, 1);
    assert_near(inverse.value * speedup->value, 1.0, 1e-12);
}

static void changed_clock_rejects_its_block(void **state)
{
    struct fixture *fixture = *state;
    struct timing_sample *third = fixture->samples + (size_t)2 * SAMPLES_PER_BLOCK;
    struct timing_sample *fifth = fixture->samples + (size_t)4 * SAMPLES_PER_BLOCK;

    third[6].clock_mhz = 1980.0 * 1.021;
    third[6].nanoseconds *= 7.0;
    fifth[1].clock_mhz = 1980.0 * 1.019; /* allowed */
    assert_true(add(fixture, 1));
    timing_series_estimate(&fixture->series, 1, &fixture->run);
    assert_int_equal(fixture->run.rejected, 1);
    assert_int_equal(fixture->run.blocks, BLOCKS - 1);
    assert_true(fixture->run.clock_low_mhz == 1980.0);
    assert_near(fixture->run.clock_high_mhz, 1980.0 * 1.019, 1e-9);
}

/* Sets the clock of all spans of a contender. */
static void set_clock(struct fixture *fixture, uint32_t contender, double clock_mhz)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        if (fixture->samples[i].contender == contender) {
            fixture->samples[i].clock_mhz = clock_mhz;
        }
    }
}

static void each_launch_has_a_clock_of_its_own(void **state)
{
    struct fixture *fixture = *state;

    set_clock(fixture, TIMING_JUDGED, 1400.0); /* as tensor cores have it */
    set_clock(fixture, TIMING_REFERENCE, 1500.0);
    set_clock(fixture, TIMING_TWIN, 1500.0);
    assert_true(add(fixture, 1));
    timing_series_estimate(&fixture->series, 1, &fixture->run);
    assert_int_equal(fixture->run.rejected, 0);
    assert_int_equal(fixture->run.blocks, BLOCKS);
    assert_near(fixture->run.speedup.value, 1.5, 1e-2); /* a ratio of times all the same */
    assert_true(fixture->run.clock_low_mhz == 1400.0 && fixture->run.clock_high_mhz == 1980.0);
    assert_true(fixture->run.baseline_low_mhz == 1980.0);
    assert_true(fixture->run.reference_low_mhz == 1500.0);
}

static void no_launch_gains_from_a_clock_that_fell_for_the_baseline(void **state)
{
    struct fixture *fixture = *state;

    set_clock(fixture, TIMING_BASELINE, 1980.0 / 1.021);
    assert_true(add(fixture, 1));
    timing_series_estimate(&fixture->series, 1, &fixture->run);
    assert_int_equal(fixture->run.blocks, 0);
    assert_int_equal(fixture->run.rejected, BLOCKS);
}

static void delayed_span_rejects_its_block(void **state)
{
    struct fixture *fixture = *state;
    struct timing_sample *third = fixture->samples + (size_t)2 * SAMPLES_PER_BLOCK;

    third[6].is_delayed = true;
    third[6].nanoseconds *= 7.0;
    fixture->samples[4 * SAMPLES_PER_BLOCK].clock_mhz = 1000.0; /* rejected, but not delayed */
    assert_true(add(fixture, 1));
    timing_series_estimate(&fixture->series, 1, &fixture->run);
    assert_int_equal(fixture->run.rejected, 2);
    assert_int_equal(fixture->run.delayed, 1);
    assert_int_equal(fixture->run.blocks, BLOCKS - 2);
    for (size_t i = 0; i < fixture->series.count; i++) {
        assert_near(fixture->series.blocks[i].log_ns[TIMING_JUDGED], log(2.0e6), 1e-9);
    }
}

static void unknown_clocks_reject_nothing(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < SAMPLES; i++) {
        fixture->samples[i].clock_mhz = i == 11 ? 900.0 : 0.0;
    }
    assert_true(add(fixture, 1));
    timing_series_estimate(&fixture->series, 1, &fixture->run);
    assert_int_equal(fixture->run.rejected, 0);
    assert_true(fixture->run.clock_low_mhz == 900.0 && fixture->run.clock_high_mhz == 900.0);
}

static void everything_rejected_estimates_nothing(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < SAMPLES; i += SAMPLES_PER_BLOCK) {
        fixture->samples[i].clock_mhz = 1000.0;
    }
    assert_true(add(fixture, 1));
    timing_series_estimate(&fixture->series, 1, &fixture->run);
    assert_int_equal(fixture->run.blocks, 0);
    assert_int_equal(fixture->run.rejected, BLOCKS);
    assert_true(fixture->run.speedup.value == 0.0 && fixture->run.student_ns == 0.0);
}

static void comparisons_are_counted(void **state)
{
    struct fixture *fixture = *state;
    struct timing_sample *samples = fixture->samples;
    size_t judged[2 * BLOCKS];
    size_t count = 0;

    for (size_t i = 0; i < SAMPLES; i++) {
        if (samples[i].contender == TIMING_JUDGED) {
            judged[count++] = i;
        } else {
            samples[i].wrong = samples[i].changed = 5; /* of nobody who is judged */
        }
    }
    assert_int_equal(count, 2 * BLOCKS);
    samples[judged[7]].wrong = 12;
    samples[judged[7]].first_wrong = 345;
    samples[judged[30]].wrong = 1;
    samples[judged[30]].first_wrong = 0;
    samples[judged[31]].is_compared = false;
    samples[judged[9]].changed = 4;
    samples[judged[10]].changed = 6;
    timing_note_comparisons(samples, SAMPLES, &fixture->run);
    assert_int_equal(fixture->run.compared, 2 * BLOCKS - 1);
    assert_int_equal(fixture->run.wrong_spans, 2);
    assert_int_equal(fixture->run.wrong, 12);
    assert_int_equal(fixture->run.first_wrong, 345);
    assert_int_equal(fixture->run.changed_spans, 2);
    assert_int_equal(fixture->run.changed, 4);
}

static void assert_refused(struct fixture *fixture, size_t sample, struct timing_sample changed)
{
    struct timing_sample kept = fixture->samples[sample];

    fixture->samples[sample] = changed;
    assert_false(add(fixture, 1));
    assert_int_equal(fixture->series.count, 0);
    fixture->samples[sample] = kept;
}

static void other_samples_are_refused(void **state)
{
    struct fixture *fixture = *state;
    struct timing_sample sample = fixture->samples[13];

    struct timing_sample changed = sample;
    changed.block = 2;
    assert_refused(fixture, 13, changed);
    changed = sample;
    changed.position = 4;
    assert_refused(fixture, 13, changed);
    changed = sample;
    changed.contender = (sample.contender + 1) % TIMING_ROLES;
    assert_refused(fixture, 13, changed);
    changed.contender = TIMING_ROLES;
    assert_refused(fixture, 13, changed);
    const double bad_times[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof bad_times / sizeof bad_times[0]; i++) {
        changed = sample;
        changed.nanoseconds = bad_times[i];
        assert_refused(fixture, 13, changed);
    }
    changed = sample;
    changed.clock_mhz = (double)NAN;
    assert_refused(fixture, 13, changed);
    assert_false(timing_series_add(&fixture->series, fixture->samples, SAMPLES - 1, BLOCKS, 1));
    assert_false(timing_series_add(&fixture->series, fixture->samples, SAMPLES, BLOCKS, 0));
    /* One contender in all places is counterbalanced too. */
    for (size_t i = 0; i < SAMPLES_PER_BLOCK; i++) {
        fixture->samples[i].contender = TIMING_TWIN;
    }
    assert_false(add(fixture, 1));
    assert_int_equal(fixture->series.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(even_times_give_exact_ratios, setup, teardown),
        cmocka_unit_test_setup_teardown(steady_drift_falls_out, setup, teardown),
        cmocka_unit_test_setup_teardown(few_outliers_move_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(noise_gives_an_interval_around_the_truth, setup, teardown),
        cmocka_unit_test_setup_teardown(changed_clock_rejects_its_block, setup, teardown),
        cmocka_unit_test_setup_teardown(each_launch_has_a_clock_of_its_own, setup, teardown),
        cmocka_unit_test_setup_teardown(no_launch_gains_from_a_clock_that_fell_for_the_baseline,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(delayed_span_rejects_its_block, setup, teardown),
        cmocka_unit_test_setup_teardown(unknown_clocks_reject_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(everything_rejected_estimates_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(comparisons_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(other_samples_are_refused, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
