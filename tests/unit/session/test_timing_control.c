/* test_timing_control.c: what counts as slower than before, and what the clock explains. */
#include "session/timing_control.h"
#include "timing_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const double cold_ns[TIMING_ROLES] = {9e6, 9e6, 9e6, 9e6};
static const double warm_ns[TIMING_ROLES] = {1.6e6, 3e6, 2e6, 2e6};

/* A control whose first block was slow, with the clock of `samples`. */
static struct timing_control control_at(double clock_mhz)
{
    struct timing_sample samples[TIMING_CONTROL_BLOCKS * SAMPLES_PER_BLOCK];
    struct timing_control control;

    block_samples(samples, 0, 0, cold_ns);
    block_samples(samples + SAMPLES_PER_BLOCK, 1, 2, warm_ns);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        samples[i].clock_mhz = clock_mhz;
    }
    timing_control_note(samples, sizeof samples / sizeof samples[0], &control);
    return control;
}

static void the_first_block_does_not_count(void **state)
{
    struct timing_control control = control_at(1980.0);

    (void)state;
    assert_true(control.nanoseconds[TIMING_BASELINE] == 3e6);
    assert_true(control.nanoseconds[TIMING_REFERENCE] == 2e6);
    assert_true(control.cycles[TIMING_REFERENCE] == 2e6 * 1980.0);
}

/* The GPU may have waited within its time. */
static void delayed_spans_do_not_count(void **state)
{
    struct timing_sample samples[TIMING_CONTROL_BLOCKS * SAMPLES_PER_BLOCK];
    struct timing_control control;

    (void)state;
    block_samples(samples, 0, 0, cold_ns);
    block_samples(samples + SAMPLES_PER_BLOCK, 1, 0, warm_ns);
    samples[SAMPLES_PER_BLOCK + TIMING_BASELINE].nanoseconds = 5e6;
    samples[SAMPLES_PER_BLOCK + TIMING_BASELINE].is_delayed = true;
    timing_control_note(samples, sizeof samples / sizeof samples[0], &control);
    assert_true(control.nanoseconds[TIMING_BASELINE] == 3e6);
}

static void slower_is_more_time_and_more_cycles(void **state)
{
    const struct {
        double control_mhz, baseline_ns, reference_ns, clock_mhz;
        double judged_mhz; /* changes nothing */
        bool is_slower;
    } rows[] = {
        {1980.0, 3e6, 2e6, 1980.0, 1980.0, false},
        {1980.0, 3.6e6, 2.4e6, 1980.0, 1400.0,
         true}, /* the clock fell for the judged launch alone */
        {1980.0, 3.1e6, 2.08e6, 1980.0, 1980.0, false}, /* noise */
        {1980.0, 3.2e6, 2e6, 1980.0, 1980.0, true},     /* the baseline */
        {1980.0, 3e6, 2.2e6, 1980.0, 1980.0, true},     /* the reference */
        {1980.0, 3.6e6, 2.4e6, 1650.0, 1650.0, false},  /* the clock fell */
        {1000.0, 3e6, 2e6, 1980.0, 1980.0, false}, /* it rose, and memory did not become faster */
        {1000.0, 3.6e6, 2e6, 1980.0, 1980.0, true},
        {0.0, 3e6, 2e6, 0.0, 0.0, false}, /* nothing is known of clocks */
        {0.0, 3.6e6, 2.4e6, 0.0, 0.0, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct timing_control control = control_at(rows[i].control_mhz);
        struct timing_run run = {.baseline_ns = rows[i].baseline_ns,
                                 .reference_ns = rows[i].reference_ns,
                                 .baseline_low_mhz = rows[i].clock_mhz,
                                 .reference_low_mhz = rows[i].clock_mhz,
                                 .clock_low_mhz = rows[i].judged_mhz};

        if (timing_control_slower(&control, &run) != rows[i].is_slower) {
            fail_msg("row %zu", i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_block_does_not_count),
        cmocka_unit_test(delayed_spans_do_not_count),
        cmocka_unit_test(slower_is_more_time_and_more_cycles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
