/* test_statistics.c: medians and how often their intervals hold the truth. */
#include "base/statistics.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TRIALS = 600, SAMPLE = 41 };

static void median_is_the_middle(void **state)
{
    const double odd[] = {9.0, -1.0, 4.0};
    const double even[] = {1.0, 100.0, 2.0, 4.0};
    const double tied[] = {3.0, 3.0, 3.0, 8.0, 1.0};
    const double two[] = {1.0, 2.0};
    (void)state;

    assert_true(statistics_median(odd, 3) == 4.0);
    assert_true(statistics_median(even, 4) == 3.0);
    assert_true(statistics_median(tied, 5) == 3.0);
    assert_true(statistics_median(two, 2) == 1.5);
    assert_true(statistics_median(odd, 1) == 9.0);
    assert_true(statistics_median(odd, 0) == 0.0);
    assert_true(odd[0] == 9.0 && odd[1] == -1.0);
}

static void single_value_has_no_width(void **state)
{
    const double one = 0.25;
    struct median_estimate estimate = statistics_estimate(&one, 1, 1);
    (void)state;

    assert_true(estimate.median == 0.25 && estimate.low == 0.25 && estimate.high == 0.25);
    estimate = statistics_estimate(&one, 0, 1);
    assert_true(estimate.median == 0.0 && estimate.low == 0.0 && estimate.high == 0.0);
}

static void three_values_span_their_interval(void **state)
{
    const double values[] = {2.0, 1.0, 5.0};
    struct median_estimate estimate = statistics_estimate(values, 3, 9);
    (void)state;

    assert_true(estimate.low == 1.0 && estimate.median == 2.0 && estimate.high == 5.0);
}

/* Of six values the chance that the median of a draw is 0 is 0.9 %, that it is at most 0.5, 3.5 %.
 */
static void six_values_have_a_known_interval(void **state)
{
    const double values[] = {3.0, 0.0, 5.0, 1.0, 4.0, 2.0};
    struct median_estimate estimate = statistics_estimate(values, 6, 2);
    (void)state;

    assert_true(estimate.low == 0.5 && estimate.median == 2.5 && estimate.high == 4.5);
}

static void ties_collapse_the_interval(void **state)
{
    double values[21];
    (void)state;

    for (size_t i = 0; i < 21; i++) {
        values[i] = 7.0;
    }
    values[3] = 1.0;
    values[8] = 99.0;
    struct median_estimate estimate = statistics_estimate(values, 21, 5);
    assert_true(estimate.low == 7.0 && estimate.median == 7.0 && estimate.high == 7.0);
}

static void same_sample_gives_the_same_interval(void **state)
{
    double values[30];
    double reversed[30];
    struct rng rng;
    (void)state;

    rng_init(&rng, 3, 0, 0, 0);
    for (size_t i = 0; i < 30; i++) {
        values[i] = (double)rng_float(&rng);
        reversed[29 - i] = values[i];
    }
    struct median_estimate first = statistics_estimate(values, 30, 77);
    struct median_estimate second = statistics_estimate(reversed, 30, 77);
    assert_memory_equal(&first, &second, sizeof first);
    assert_true(first.low < first.median && first.median < first.high);
    struct median_estimate other = statistics_estimate(values, 30, 78);
    assert_true(first.median == other.median);
    /* Another seed moves the ends a little, never far. */
    assert_true(fabs(first.low - other.low) < 0.2 && fabs(first.high - other.high) < 0.2);
}

/* Box and Muller's transform. */
static double draw_normal(struct rng *rng)
{
    double first = fabs((double)rng_float(rng));
    double second = (double)rng_float(rng);

    return sqrt(-2.0 * log(first)) * cos(3.14159265358979 * second);
}

/* A log-normal: the median is 1, the mean 1.65. */
static double draw_skewed(struct rng *rng)
{
    return exp(draw_normal(rng));
}

/* How often the interval of SAMPLE values holds the true median, in per cent. */
static double coverage(double (*draw)(struct rng *rng), double median, uint64_t seed)
{
    struct rng rng;
    size_t held = 0;

    rng_init(&rng, seed, 1, 2, 3);
    for (size_t i = 0; i < TRIALS; i++) {
        double values[SAMPLE];
        for (size_t j = 0; j < SAMPLE; j++) {
            values[j] = draw(&rng);
        }
        struct median_estimate estimate = statistics_estimate(values, SAMPLE, i);
        held += estimate.low <= median && median <= estimate.high ? 1 : 0;
    }
    return 100.0 * (double)held / (double)TRIALS;
}

static void intervals_hold_the_truth(void **state)
{
    double normal = coverage(draw_normal, 0.0, 11);
    double skewed = coverage(draw_skewed, 1.0, 12);
    (void)state;

    print_message("coverage: normal %.1f %%, skewed %.1f %%\n", normal, skewed);
    assert_true(normal > 92.5 && normal < 97.5);
    assert_true(skewed > 92.5 && skewed < 97.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_is_the_middle),
        cmocka_unit_test(single_value_has_no_width),
        cmocka_unit_test(three_values_span_their_interval),
        cmocka_unit_test(six_values_have_a_known_interval),
        cmocka_unit_test(ties_collapse_the_interval),
        cmocka_unit_test(same_sample_gives_the_same_interval),
        cmocka_unit_test(intervals_hold_the_truth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
