/* test_inputs.c: what probes write. */
#include "session/inputs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 4096 };

static struct input_plan plan(enum probe_kind kind, size_t input)
{
    return (struct input_plan){
        .seed = 0x5eed1234, .stream = 7, .kind = kind, .input = input, .input_count = 2};
}

static void values_range(const float *values, float *out_smallest, float *out_largest)
{
    *out_smallest = values[0];
    *out_largest = values[0];
    for (size_t i = 1; i < COUNT; i++) {
        *out_smallest = fminf(*out_smallest, values[i]);
        *out_largest = fmaxf(*out_largest, values[i]);
    }
}

static void assert_integers_within(const float *values, float limit)
{
    float smallest;
    float largest;

    for (size_t i = 0; i < COUNT; i++) {
        assert_true(values[i] == rintf(values[i]));
    }
    values_range(values, &smallest, &largest);
    assert_true(smallest >= -limit && largest <= limit);
    assert_true(smallest < -limit * 0.9f && largest > limit * 0.9f);
}

static void exact_probe_has_one_large_input(void **state)
{
    struct arena *arena = arena_new();
    (void)state;

    struct input_plan first = plan(PROBE_EXACT, 0);
    struct input_plan second = plan(PROBE_EXACT, 1);
    assert_integers_within(input_values(arena, &first, ELEMENT_F32, COUNT), 4095.0f);
    assert_integers_within(input_values(arena, &second, ELEMENT_F32, COUNT), 1.0f);
    arena_free(arena);
}

static void swapped_probe_exchanges_the_ranges(void **state)
{
    const enum probe_kind kinds[] = {PROBE_EXACT_SWAPPED, PROBE_AGAIN};
    (void)state;

    for (size_t i = 0; i < 2; i++) {
        struct arena *arena = arena_new();
        struct input_plan first = plan(kinds[i], 0);
        struct input_plan second = plan(kinds[i], 1);
        assert_integers_within(input_values(arena, &first, ELEMENT_F32, COUNT), 1.0f);
        assert_integers_within(input_values(arena, &second, ELEMENT_F32, COUNT), 4095.0f);
        arena_free(arena);
    }
}

static void float_probe_is_zero_mean_with_full_mantissas(void **state)
{
    struct arena *arena = arena_new();
    struct input_plan first = plan(PROBE_FLOAT, 0);
    const float *values = input_values(arena, &first, ELEMENT_F32, COUNT);
    double sum = 0.0;
    size_t fine = 0;
    (void)state;

    for (size_t i = 0; i < COUNT; i++) {
        assert_true(fabsf(values[i]) < 1.0f && values[i] != 0.0f);
        sum += (double)values[i];
        /* More than the 11 bits of a half or a TF32 mantissa. */
        fine += ldexpf(values[i], 13) != rintf(ldexpf(values[i], 13)) ? 1 : 0;
    }
    assert_true(fabs(sum / COUNT) < 0.05);
    assert_true(fine > COUNT * 9 / 10);
    arena_free(arena);
}

static void values_depend_on_every_name_of_the_stream(void **state)
{
    struct arena *arena = arena_new();
    struct input_plan base = plan(PROBE_FLOAT, 0);
    struct input_plan others[4] = {base, base, base, base};
    const float *values = input_values(arena, &base, ELEMENT_F32, COUNT);
    (void)state;

    assert_memory_equal(values, input_values(arena, &base, ELEMENT_F32, COUNT),
                        COUNT * sizeof *values);
    others[0].seed++;
    others[1].stream++;
    others[2].kind = PROBE_EXACT;
    others[3].input = 1;
    for (size_t i = 0; i < 4; i++) {
        assert_memory_not_equal(values, input_values(arena, &others[i], ELEMENT_F32, COUNT),
                                COUNT * sizeof *values);
    }
    arena_free(arena);
}

static void poison_is_a_secret_nan(void **state)
{
    struct input_plan one = plan(PROBE_EXACT, 0);
    struct input_plan two = plan(PROBE_FLOAT, 0);
    uint32_t patterns[2] = {output_poison(&one, ELEMENT_F32), output_poison(&two, ELEMENT_F32)};
    (void)state;

    assert_int_not_equal(patterns[0], patterns[1]);
    for (size_t i = 0; i < 2; i++) {
        float value;
        double wide;
        uint32_t twice[2] = {patterns[i], patterns[i]};
        memcpy(&value, &patterns[i], sizeof value);
        memcpy(&wide, twice, sizeof wide);
        assert_true(isnan(value));
        assert_true(isnan(wide));
    }
}

static void integer_operands_get_integers_in_float_probes(void **state)
{
    struct arena *arena = arena_new();
    struct input_plan first = plan(PROBE_FLOAT, 1);
    const int32_t *values = input_values(arena, &first, ELEMENT_I32, COUNT);
    size_t large = 0;
    (void)state;

    for (size_t i = 0; i < COUNT; i++) {
        assert_true(values[i] >= -4095 && values[i] <= 4095);
        large += values[i] > 1 ? 1 : 0;
    }
    assert_true(large > 0);
    arena_free(arena);
}

/* Of the input that holds large numbers in a probe; the others stay small. */
static void largest_is_that_of_the_operand(void **state)
{
    static const int64_t largest[] = {255, 1073741823, INT32_MAX};
    (void)state;

    for (size_t i = 0; i < sizeof largest / sizeof largest[0]; i++) {
        struct arena *arena = arena_new();
        struct input_plan first = plan(PROBE_EXACT, 0), second = plan(PROBE_EXACT, 1);
        first.largest = largest[i];
        second.largest = largest[i];
        const int32_t *values = input_values(arena, &first, ELEMENT_I32, COUNT);
        const uint32_t *positive = input_values(arena, &first, ELEMENT_U32, COUNT);
        const int32_t *small = input_values(arena, &second, ELEMENT_I32, COUNT);
        int64_t least = 0, most = 0;
        for (size_t j = 0; j < COUNT; j++) {
            least = values[j] < least ? values[j] : least;
            most = values[j] > most ? values[j] : most;
            assert_true(positive[j] <= (uint32_t)largest[i]);
            assert_in_range(small[j] + 1, 0, 2);
        }
        assert_true(least >= -largest[i] && most <= largest[i]);
        assert_true(least < -largest[i] / 10 * 9 && most > largest[i] / 10 * 9);
        arena_free(arena);
    }
}

static struct input_plan domain_plan(enum probe_kind kind, struct input_domain domain)
{
    struct input_plan made = plan(kind, 1);

    domain.is_set = true;
    made.domain = domain;
    return made;
}

/* The whole range in every probe, whichever input it is; exact floats are multiples of 2^-12. */
static void ranges_are_filled(void **state)
{
    static const enum probe_kind kinds[] = {PROBE_EXACT, PROBE_EXACT_SWAPPED, PROBE_FLOAT};
    (void)state;

    for (size_t i = 0; i < 3; i++) {
        struct arena *arena = arena_new();
        struct input_plan of = domain_plan(
            kinds[i], (struct input_domain){.has_range = true, .least = -0.25, .most = 1});
        const float *values = input_values(arena, &of, ELEMENT_F32, COUNT);
        float least = 1, most = 0;
        size_t coarse = 0;
        for (size_t j = 0; j < COUNT; j++) {
            float steps = values[j] * 0x1p12f;
            least = fminf(least, values[j]);
            most = fmaxf(most, values[j]);
            coarse += steps == rintf(steps) ? 1 : 0;
        }
        assert_true(least >= -0.25f && least < -0.24f && most <= 1.0f && most > 0.99f);
        assert_true(kinds[i] == PROBE_FLOAT ? coarse < COUNT / 100 : coarse == COUNT);
        of.domain.least = -3;
        of.domain.most = 200;
        const int16_t *whole = input_values(arena, &of, ELEMENT_I16, COUNT);
        for (size_t j = 0; j < COUNT; j++) {
            assert_true(whole[j] >= -3 && whole[j] <= 200);
        }
        arena_free(arena);
    }
}

static void sums_of_ranges_stay_exact(void **state)
{
    struct arena *arena = arena_new();
    struct input_plan of =
        domain_plan(PROBE_EXACT, (struct input_domain){.has_range = true, .least = 0, .most = 1});
    (void)state;

    of.additions = 1 << 20;
    const float *values = input_values(arena, &of, ELEMENT_F32, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(values[i] * 16 == rintf(values[i] * 16)); /* 2^20 of them need 24 bits */
    }
    of.domain = (struct input_domain){.is_sorted = true};
    values = input_values(arena, &of, ELEMENT_F32, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(fabsf(values[i]) <= 16); /* those of one sign stand side by side */
    }
    arena_free(arena);
}

static void domains_are_what_they_say(void **state)
{
    struct arena *arena = arena_new();
    struct input_plan sorted = domain_plan(PROBE_FLOAT, (struct input_domain){.is_sorted = true});
    struct input_plan equal = domain_plan(PROBE_FLOAT, (struct input_domain){.distinct = 1});
    struct input_plan order =
        domain_plan(PROBE_EXACT, (struct input_domain){.is_permutation = true});
    struct input_plan sparse = domain_plan(
        PROBE_EXACT,
        (struct input_domain){.has_range = true, .least = 1, .most = 9, .zero_share = 0.75});
    const float *rising = input_values(arena, &sorted, ELEMENT_F32, COUNT);
    const double *same = input_values(arena, &equal, ELEMENT_F64, COUNT);
    const uint16_t *places = input_values(arena, &order, ELEMENT_U16, COUNT);
    const uint8_t *mostly_zero = input_values(arena, &sparse, ELEMENT_U8, COUNT);
    bool seen[COUNT] = {false};
    size_t zeros = 0, moved = 0;
    (void)state;

    for (size_t i = 0; i < COUNT; i++) {
        assert_true(i == 0 || rising[i] >= rising[i - 1]);
        assert_true(same[i] == same[0]);
        assert_true(places[i] < COUNT && !seen[places[i]]);
        seen[places[i]] = true;
        moved += places[i] != i ? 1 : 0;
        assert_in_range(mostly_zero[i], 0, 9);
        zeros += mostly_zero[i] == 0 ? 1 : 0;
    }
    assert_true(moved > COUNT / 2);
    assert_in_range(zeros, COUNT * 7 / 10, COUNT * 8 / 10);
    arena_free(arena);
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The same numbers as without, of both signs and of sizes far apart. */
static void sorted_are_the_same_numbers(void **state)
{
    static const struct input_domain domains[] = {
        {.has_range = true, .least = -0x1p31, .most = 0x1p31 - 1},
        {.has_range = true, .least = -0x1p-40, .most = 1, .zero_share = 0.3},
        {.has_range = true, .least = -7, .most = -5, .distinct = 3},
        {.has_range = true, .least = 3, .most = 3},
    };
    struct arena *arena = arena_new();
    (void)state;

    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++) {
        for (size_t count = 1; count <= COUNT; count += COUNT - 1) {
            struct input_plan plan = domain_plan(PROBE_FLOAT, domains[i]);
            plan.domain.is_set = true;
            double *plain = input_values(arena, &plan, ELEMENT_F64, count);
            plan.domain.is_sorted = true;
            const double *sorted = input_values(arena, &plan, ELEMENT_F64, count);
            qsort(plain, count, sizeof *plain, compare_doubles);
            for (size_t j = 0; j < count; j++) {
                assert_true(sorted[j] == plain[j]);
            }
        }
    }
    arena_free(arena);
}

/* What a type cannot hold, or add up, is not drawn. */
static void small_types_get_small_numbers(void **state)
{
    static const struct {
        enum element_type type;
        double least, most;
    } rows[] = {{ELEMENT_U8, 0, 255},       {ELEMENT_I8, -127, 127}, {ELEMENT_F16, -15, 15},
                {ELEMENT_I16, -4095, 4095}, {ELEMENT_BF16, -3, 3},   {ELEMENT_U64, 0, 4095}};
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        struct input_plan of = plan(PROBE_EXACT, 0);
        const void *values = input_values(arena, &of, rows[i].type, COUNT);
        double least = 0, most = 0;
        for (size_t j = 0; j < COUNT; j++) {
            least = fmin(least, element_value(rows[i].type, values, j));
            most = fmax(most, element_value(rows[i].type, values, j));
        }
        assert_true(least >= rows[i].least && most <= rows[i].most);
        assert_true(least <= rows[i].least * 0.9 && most >= rows[i].most * 0.9);
        arena_free(arena);
    }
}

/* At each place each kind of probe has another byte, so that no constant is every poison. */
static void small_poisons_differ(void **state)
{
    (void)state;
    for (unsigned one = 0; one < PROBE_COUNT; one++) {
        for (unsigned other = 0; other < one; other++) {
            struct input_plan first = plan((enum probe_kind)one, 0);
            struct input_plan second = plan((enum probe_kind)other, 0);
            uint32_t differs =
                output_poison(&first, ELEMENT_U8) ^ output_poison(&second, ELEMENT_U8);
            for (unsigned shift = 0; shift < 32; shift += 8) {
                assert_int_not_equal(differs >> shift & 255, 0);
            }
        }
    }
}

static void poisons_of_halves_are_nan(void **state)
{
    struct input_plan of = plan(PROBE_EXACT, 0);
    uint32_t halves = output_poison(&of, ELEMENT_F16), brains = output_poison(&of, ELEMENT_BF16);
    (void)state;

    for (size_t i = 0; i < 2; i++) {
        assert_true(isnan(element_value(ELEMENT_F16, &halves, i)));
        assert_true(isnan(element_value(ELEMENT_BF16, &brains, i)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_probe_has_one_large_input),
        cmocka_unit_test(swapped_probe_exchanges_the_ranges),
        cmocka_unit_test(float_probe_is_zero_mean_with_full_mantissas),
        cmocka_unit_test(values_depend_on_every_name_of_the_stream),
        cmocka_unit_test(poison_is_a_secret_nan),
        cmocka_unit_test(integer_operands_get_integers_in_float_probes),
        cmocka_unit_test(largest_is_that_of_the_operand),
        cmocka_unit_test(ranges_are_filled),
        cmocka_unit_test(sums_of_ranges_stay_exact),
        cmocka_unit_test(domains_are_what_they_say),
        cmocka_unit_test(sorted_are_the_same_numbers),
        cmocka_unit_test(small_types_get_small_numbers),
        cmocka_unit_test(small_poisons_differ),
        cmocka_unit_test(poisons_of_halves_are_nan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
