/* test_trace_inputs.c: values that tell where they come from. */
#include "session/trace_inputs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int compare_numbers(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

static void assert_distinct(uint64_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    for (size_t i = 1; i < count; i++) {
        assert_true(numbers[i - 1] != numbers[i]);
    }
}

static uint64_t bits_at(const void *values, enum element_type type, size_t index)
{
    uint64_t bits = 0;

    memcpy(&bits, (const char *)values + index * element_bytes(type), element_bytes(type));
    return bits;
}

/* Over all inputs of all types together. */
static void bits_and_values_all_differ(void **state)
{
    enum { EACH = 5000, INPUTS = 4 };
    static const enum element_type types[INPUTS] = {ELEMENT_F32, ELEMENT_F64, ELEMENT_I32,
                                                    ELEMENT_U32};
    struct arena *arena = arena_new();
    (void)state;

    for (uint64_t seed = 0; seed < 8; seed++) {
        uint64_t *bits = arena_array(arena, (size_t)EACH * INPUTS, sizeof *bits);
        struct trace_inputs inputs;
        trace_inputs_init(&inputs, seed, (size_t)EACH * INPUTS);
        for (size_t k = 0; k < INPUTS; k++) {
            const void *values = trace_inputs_next(&inputs, arena, types[k], EACH);
            for (size_t i = 0; i < EACH; i++) {
                bits[k * EACH + i] = bits_at(values, types[k], i);
                assert_true(bits[k * EACH + i] != 0);
            }
        }
        assert_distinct(bits, (size_t)EACH * INPUTS);
    }
    arena_free(arena);
}

/* As floats they are exact, between 1 and 2, and in no order. */
static void floats_are_plain_and_shuffled(void **state)
{
    enum { COUNT = 4096 };
    struct arena *arena = arena_new();
    struct trace_inputs inputs;
    size_t rising = 0;
    (void)state;

    trace_inputs_init(&inputs, 0x5eed, COUNT * 2);
    const float *singles = trace_inputs_next(&inputs, arena, ELEMENT_F32, COUNT);
    const double *doubles = trace_inputs_next(&inputs, arena, ELEMENT_F64, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(singles[i] >= 1.0f && singles[i] < 2.0f);
        assert_true(doubles[i] == (double)(float)doubles[i]);
        rising += i > 0 && singles[i] > singles[i - 1] ? 1 : 0;
    }
    assert_true(rising > COUNT / 4 && rising < COUNT / 4 * 3);
    arena_free(arena);
}

static void a_seed_gives_its_own_values(void **state)
{
    enum { COUNT = 64 };
    struct arena *arena = arena_new();
    const void *values[3];
    (void)state;

    for (uint64_t i = 0; i < 3; i++) {
        struct trace_inputs inputs;
        trace_inputs_init(&inputs, i / 2, COUNT);
        values[i] = trace_inputs_next(&inputs, arena, ELEMENT_F32, COUNT);
    }
    assert_memory_equal(values[0], values[1], COUNT * sizeof(float));
    assert_memory_not_equal(values[0], values[2], COUNT * sizeof(float));
    arena_free(arena);
}

/* More elements than significands: the exponents differ as well, and all is finite. */
static void many_elements_have_more_exponents(void **state)
{
    enum { COUNT = (1 << 23) + 1 };
    struct arena *arena = arena_new();
    struct trace_inputs inputs;
    uint8_t *seen = calloc(1 << 21, 1);
    (void)state;

    trace_inputs_init(&inputs, 1, COUNT);
    const float *values = trace_inputs_next(&inputs, arena, ELEMENT_F32, COUNT);
    assert_non_null(seen);
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t code = (uint32_t)bits_at(values, ELEMENT_F32, i) - 0x3f800000;
        assert_true(code < 1 << 24 && (seen[code / 8] >> code % 8 & 1) == 0);
        seen[code / 8] |= (uint8_t)(1 << code % 8);
    }
    free(seen);
    trace_inputs_init(&inputs, 1, TRACE_ELEMENTS_MAX);
    assert_int_equal(inputs.bits, 26);
    values = trace_inputs_next(&inputs, arena, ELEMENT_F32, 4096);
    for (size_t i = 0; i < 4096; i++) {
        assert_true(isfinite(values[i]) && values[i] >= 1.0f && values[i] < 256.0f);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_and_values_all_differ),
        cmocka_unit_test(floats_are_plain_and_shuffled),
        cmocka_unit_test(a_seed_gives_its_own_values),
        cmocka_unit_test(many_elements_have_more_exponents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
