/* test_timing_kernels.c: the grader's own kernels for timing, as they are embedded, on the emulated
 * device. */
#include "device/cuda/timing_kernels.h"
#include "device/emulated/arithmetic/half_values.h"
#include "emulated_fixture.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

enum { ELEMENTS = 10000, BLOCKS = 3 };

struct bench {
    struct device *device;
    uint32_t module;
};

static int setup(void **out_bench)
{
    static struct bench bench;
    bench.device = fixture_open(2, 120 * CLOCK_NS_PER_S);
    bench.module = fixture_load(bench.device, timing_kernels_ptx);
    *out_bench = &bench;
    return 0;
}

static int teardown(void **bench)
{
    device_close(((struct bench *)*bench)->device);
    return 0;
}

static void launch(struct bench *bench, const char *kernel, uint32_t threads,
                   const void *parameters, size_t bytes)
{
    struct device_launch request = {.module = bench->module,
                                    .grid = {BLOCKS, 1, 1},
                                    .block = {threads, 1, 1},
                                    .parameters = parameters};
    struct device_launch_result result;
    struct device_function_info info = {.name = ""};
    while (device_function_info(bench->device, bench->module, request.function, &info) &&
           strcmp(info.name, kernel) != 0) {
        request.function++;
    }
    assert_string_equal(info.name, kernel);
    assert_int_equal(info.parameter_bytes, bytes);
    device_launch(bench->device, &request, &result);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
}

/* Element i of a type. */
static double number_of(const void *values, size_t i, uint64_t type)
{
    switch (type) {
    case TIMING_F32:
        return (double)((const float *)values)[i];
    case TIMING_F64:
        return ((const double *)values)[i];
    case TIMING_I32:
        return ((const int32_t *)values)[i];
    case TIMING_U32:
        return ((const uint32_t *)values)[i];
    case TIMING_F16:
        return (double)f32_of_f16(((const uint16_t *)values)[i]);
    case TIMING_BF16:
        return (double)f32_of_bf16(((const uint16_t *)values)[i]);
    case TIMING_I16:
        return ((const int16_t *)values)[i];
    case TIMING_U16:
        return ((const uint16_t *)values)[i];
    case TIMING_I8:
        return ((const int8_t *)values)[i];
    default:
        return ((const uint8_t *)values)[i];
    }
}

static void put_number(uint8_t bytes[8], uint64_t type, double value)
{
    const float single = (float)value;
    uint64_t word = (uint64_t)(int64_t)value;
    if (type == TIMING_F64) {
        memcpy(&word, &value, sizeof value);
    } else if (type == TIMING_F32) {
        word = bits_of_f32(single);
    } else if (type == TIMING_F16 || type == TIMING_BF16) {
        word = type == TIMING_F16 ? f16_of_f32(single) : bf16_of_f32(single);
    }
    memcpy(bytes, &word, sizeof word); /* little endian: small numbers come first */
}

static void fill(struct bench *bench, uint64_t address, uint64_t seed, uint32_t type,
                 bool is_absolute, void *out_values, size_t bytes)
{
    struct timing_fill parameters = {address, ELEMENTS, seed, type, is_absolute};
    launch(bench, "gpugrade_fill", TIMING_THREADS, &parameters, sizeof parameters);
    assert_true(device_read(bench->device, address, out_values, bytes));
}

/* Floats have all their bits, are never 0, and are spread evenly. */
static void floats_fill_their_range(void **opened)
{
    static float values[ELEMENTS], absolute[ELEMENTS], others[ELEMENTS];
    static double doubles[ELEMENTS];
    struct bench *bench = *opened;
    uint64_t address = fixture_allocate(bench->device, sizeof doubles);
    double sum = 0, squares = 0, wide_sum = 0, wide_squares = 0;
    size_t odd = 0, wide_odd = 0, equal = 0;
    fill(bench, address, 1, TIMING_F32, false, values, sizeof values);
    fill(bench, address, 1, TIMING_F32, true, absolute, sizeof absolute);
    fill(bench, address, 2, TIMING_F32, false, others, sizeof others);
    fill(bench, address, 1, TIMING_F64, false, doubles, sizeof doubles);
    for (size_t i = 0; i < ELEMENTS; i++) {
        assert_true(values[i] != 0 && fabsf(values[i]) < 1 && doubles[i] != 0 &&
                    fabs(doubles[i]) < 1);
        assert_true(absolute[i] == fabsf(values[i]));
        sum += (double)values[i];
        squares += (double)values[i] * (double)values[i];
        wide_sum += doubles[i];
        wide_squares += doubles[i] * doubles[i];
        odd += fmod(fabs(ldexp((double)values[i], 24)), 2) == 1;
        wide_odd += fmod(fabs(ldexp(doubles[i], 53)), 2) == 1;
        equal += values[i] == others[i];
    }
    assert_int_equal(odd, ELEMENTS);
    assert_int_equal(wide_odd, ELEMENTS);
    assert_true(equal < 10);
    assert_true(fabs(sum) < 0.03 * ELEMENTS && fabs(wide_sum) < 0.03 * ELEMENTS);
    assert_true(fabs(squares / ELEMENTS - 1.0 / 3) < 0.02);
    assert_true(fabs(wide_squares / ELEMENTS - 1.0 / 3) < 0.02);
}

/* Halves are never 0, and each of the odd multiples of 2^-digits within (-1, 1) comes up. */
static void halves_fill_their_range(void **opened)
{
    static const struct {
        uint32_t type;
        int digits;
    } rows[] = {{TIMING_F16, 11}, {TIMING_BF16, 8}};
    static uint16_t values[ELEMENTS], absolute[ELEMENTS];
    struct bench *bench = *opened;
    uint64_t address = fixture_allocate(bench->device, sizeof values);
    for (size_t row = 0; row < 2; row++) {
        const double ones = ldexp(1, rows[row].digits);
        size_t odd = 0, distinct = 0;
        double sum = 0;
        bool is_seen[1 << 11] = {false};
        fill(bench, address, 5, rows[row].type, false, values, sizeof values);
        fill(bench, address, 5, rows[row].type, true, absolute, sizeof absolute);
        for (size_t i = 0; i < ELEMENTS; i++) {
            double value = number_of(values, i, rows[row].type);
            assert_true(fabs(value) < 1);
            assert_true(number_of(absolute, i, rows[row].type) == fabs(value));
            odd += fmod(fabs(value * ones), 2) == 1;
            bool *seen = &is_seen[(size_t)((value * ones + ones) / 2)];
            distinct += !*seen;
            *seen = true;
            sum += value;
        }
        assert_int_equal(odd, ELEMENTS);
        assert_true((double)distinct > 0.98 * ones);
        assert_true(fabs(sum) < 0.03 * ELEMENTS);
    }
}

static void integers_fill_their_range(void **opened)
{
    static int32_t values[ELEMENTS], absolute[ELEMENTS];
    static uint32_t naturals[ELEMENTS];
    struct bench *bench = *opened;
    uint64_t address = fixture_allocate(bench->device, sizeof values);
    double sum = 0, natural_sum = 0;
    fill(bench, address, 3, TIMING_I32, false, values, sizeof values);
    fill(bench, address, 3, TIMING_I32, true, absolute, sizeof absolute);
    fill(bench, address, 3, TIMING_U32, false, naturals, sizeof naturals);
    for (size_t i = 0; i < ELEMENTS; i++) {
        assert_true(values[i] >= -32768 && values[i] <= 32767 && naturals[i] <= 65535);
        assert_int_equal(absolute[i], abs(values[i]));
        sum += values[i];
        natural_sum += naturals[i];
    }
    assert_true(fabs(sum / ELEMENTS) < 1000);
    assert_true(fabs(natural_sum / ELEMENTS - 32767.5) < 1000);
}

/* Numbers of a range: both ends are reached, and nothing beyond. */
static void ranges_are_kept(void **opened)
{
    static const struct {
        uint64_t type;
        size_t bytes;
        double least, most;
    } rows[] = {
        {TIMING_U8, 1, 0, 255},
        {TIMING_I8, 1, -3, 4},
        {TIMING_U16, 2, 65530, 65535},
        {TIMING_I16, 2, -300, 300},
        {TIMING_I32, 4, -2147483648.0, 2147483647},
        {TIMING_I32, 4, 5, 5},
        {TIMING_U32, 4, 0, 4294967295},
        {TIMING_F32, 4, 2, 3},
        {TIMING_F64, 8, -8, 0},
        {TIMING_F16, 2, -3, 4},
        {TIMING_F16, 2, 65440, 65504},
        {TIMING_BF16, 2, -8, 0},
    };
    static uint8_t values[ELEMENTS * 8], absolute[ELEMENTS * 8];
    struct bench *bench = *opened;
    uint64_t address = fixture_allocate(bench->device, sizeof values);
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        double lowest = INFINITY, highest = -INFINITY, sum = 0;
        for (uint64_t is_absolute = 0; is_absolute < 2; is_absolute++) {
            struct timing_fill_range parameters = {
                address, ELEMENTS, 7, rows[row].type, is_absolute, rows[row].least, rows[row].most};
            launch(bench, "gpugrade_fill_range", TIMING_THREADS, &parameters, sizeof parameters);
            assert_true(device_read(bench->device, address, is_absolute ? absolute : values,
                                    ELEMENTS * rows[row].bytes));
        }
        for (size_t i = 0; i < ELEMENTS; i++) {
            double value = number_of(values, i, rows[row].type);
            lowest = fmin(lowest, value);
            highest = fmax(highest, value);
            sum += value;
            bool is_wide = rows[row].type == TIMING_I32 && value == INT32_MIN;
            assert_true(is_wide || number_of(absolute, i, rows[row].type) == fabs(value));
        }
        double width = rows[row].most - rows[row].least;
        assert_true(lowest >= rows[row].least && lowest <= rows[row].least + width / 100);
        assert_true(highest <= rows[row].most && highest >= rows[row].most - width / 100);
        assert_true(fabs(sum / ELEMENTS - (rows[row].least + rows[row].most) / 2) <= width / 50);
    }
}

/* Element i depends on seed and i only: a shorter fill is the beginning of a longer one. */
static void data_does_not_depend_on_the_size(void **opened)
{
    static float values[ELEMENTS], again[ELEMENTS];
    struct bench *bench = *opened;
    uint64_t address = fixture_allocate(bench->device, sizeof values);
    fill(bench, address, 9, TIMING_F32, false, values, sizeof values);
    struct timing_fill few = {address, 777, 9, TIMING_F32, 0};
    assert_true(device_fill(bench->device, address, sizeof values, 0, 4));
    launch(bench, "gpugrade_fill", TIMING_THREADS, &few, sizeof few);
    assert_true(device_read(bench->device, address, again, sizeof again));
    assert_memory_equal(again, values, 777 * sizeof *values);
    assert_true(again[777] == 0);
}

static void numbers_are_compared_closely(void **opened)
{
    static const struct {
        double seen, expected, absolute, relative;
        bool is_wrong;
    } rows[] = {
        {10, 10, 0, 0, false},      {11, 10, 1, 0, false},   {12, 10, 1, 0, true},
        {8, 10, 1, 0, true},        {11, 10, 0, 0.1, false}, {11, 10, 0, 0.09, true},
        {11, 10, 0.5, 0.05, false}, {100, 0, 0, 0.5, true},  {127, 127, 0, 0, false},
    };
    static const uint64_t types[] = {TIMING_F32, TIMING_F64, TIMING_I32, TIMING_U32, TIMING_I8,
                                     TIMING_U8,  TIMING_I16, TIMING_U16, TIMING_F16, TIMING_BF16};
    enum { TYPES = sizeof types / sizeof types[0] };
    struct bench *bench = *opened;
    uint64_t columns = fixture_allocate(bench->device, 16);
    uint64_t place = fixture_allocate(bench->device, 16);
    for (size_t i = 0; i < TYPES * sizeof rows / sizeof rows[0]; i++) {
        const size_t row = i / TYPES;
        uint64_t result[2] = {0, UINT64_MAX};
        uint8_t bytes[16] = {0};
        struct timing_compare_close parameters = {
            columns, columns + 8, 1, types[i % TYPES], rows[row].absolute, rows[row].relative,
            7,       place};
        put_number(bytes, types[i % TYPES], rows[row].seen);
        put_number(bytes + 8, types[i % TYPES], rows[row].expected);
        assert_true(device_write(bench->device, columns, bytes, sizeof bytes));
        assert_true(device_write(bench->device, place, result, sizeof result));
        launch(bench, "gpugrade_compare_close", TIMING_THREADS, &parameters, sizeof parameters);
        assert_true(device_read(bench->device, place, result, sizeof result));
        assert_int_equal(result[0], rows[row].is_wrong);
        assert_true(result[1] == (rows[row].is_wrong ? 7 : UINT64_MAX));
    }
}

static void words_are_compared_bit_for_bit(void **opened)
{
    struct bench *bench = *opened;
    uint64_t seen = fixture_allocate(bench->device, ELEMENTS * 8);
    uint64_t expected = fixture_allocate(bench->device, ELEMENTS * 8);
    uint64_t place = fixture_allocate(bench->device, 16);
    for (uint64_t bytes = 1; bytes <= 8; bytes *= 2) {
        uint64_t result[2] = {0, UINT64_MAX};
        struct timing_compare_bits parameters = {seen, expected, ELEMENTS, bytes, 100, place};
        assert_true(device_fill(bench->device, seen, ELEMENTS * 8, 0x7fc00000, 4)); /* NaN */
        assert_true(device_copy(bench->device, expected, seen, ELEMENTS * 8));
        assert_true(device_write(bench->device, place, result, sizeof result));
        launch(bench, "gpugrade_compare_bits", TIMING_THREADS, &parameters, sizeof parameters);
        assert_true(device_read(bench->device, place, result, sizeof result));
        assert_true(result[0] == 0 && result[1] == UINT64_MAX);
        for (uint64_t i = 0; i < 3; i++) { /* the last byte of elements 5, 1005, 2005 */
            uint64_t at = seen + (5 + 1000 * i) * bytes + bytes - 1;
            assert_true(device_fill(bench->device, at, 1, 0x11, 1));
        }
        launch(bench, "gpugrade_compare_bits", TIMING_THREADS, &parameters, sizeof parameters);
        assert_true(device_read(bench->device, place, result, sizeof result));
        assert_true(result[0] == 3 && result[1] == 105);
    }
}

static void magnitudes_bound_the_difference(void **opened)
{
    static const struct {
        float seen, expected, magnitude;
        bool is_wrong;
    } rows[] = {
        {1.0f, 1.0f, 0.0f, false},   {1.5f, 1.0f, 4.0f, false},   {1.5f, 1.0f, 3.9999f, true},
        {0.5f, 1.0f, 4.0f, false},   {0.4999f, 1.0f, 4.0f, true}, {NAN, 1.0f, 1e30f, true},
        {1.0f, NAN, 1e30f, true},    {1.0f, 1.0f, NAN, true},     {INFINITY, INFINITY, 1e30f, true},
        {-1.0f, 1.0f, 16.0f, false}, {-0.0f, 0.0f, 0.0f, false},  {1.5f, 1.0f, -4.0f, false},
    };
    struct bench *bench = *opened;
    uint64_t columns = fixture_allocate(bench->device, 16);
    uint64_t place = fixture_allocate(bench->device, 16);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t result[2] = {0, UINT64_MAX};
        struct timing_compare_magnitudes parameters = {columns, columns + 4, columns + 8, 1,
                                                       0.125,   7,           place};
        assert_true(device_write(bench->device, columns, &rows[i].seen, 3 * sizeof(float)));
        assert_true(device_write(bench->device, place, result, sizeof result));
        launch(bench, "gpugrade_compare_magnitudes", TIMING_THREADS, &parameters,
               sizeof parameters);
        assert_true(device_read(bench->device, place, result, sizeof result));
        assert_int_equal(result[0], rows[i].is_wrong);
        assert_true(result[1] == (rows[i].is_wrong ? 7 : UINT64_MAX));
    }
}

static void stamps_and_gates_end(void **opened)
{
    enum { SLOTS = 64 };
    struct bench *bench = *opened;
    uint64_t slots[2 * SLOTS];
    uint64_t place = fixture_allocate(bench->device, sizeof slots);
    size_t stamped = 0;
    struct timing_stamp stamp = {place, SLOTS};
    assert_true(device_fill(bench->device, place, sizeof slots, 0, 4));
    launch(bench, "gpugrade_stamp", 1, &stamp, sizeof stamp);
    assert_true(device_read(bench->device, place, slots, sizeof slots));
    for (size_t i = 0; i < SLOTS; i++) {
        stamped += slots[2 * i + 1] != 0;
    }
    assert_true(stamped >= 1 && stamped <= BLOCKS);
    struct timing_gate open = {place, 1, UINT64_MAX}; /* the first slot, or 0 */
    uint64_t ticket = 1;
    assert_true(device_write(bench->device, place, &ticket, sizeof ticket));
    launch(bench, "gpugrade_gate", 1, &open, sizeof open);
    struct timing_gate closed = {place, 2, 1000};
    launch(bench, "gpugrade_gate", 1, &closed, sizeof closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(floats_fill_their_range, setup, teardown),
        cmocka_unit_test_setup_teardown(halves_fill_their_range, setup, teardown),
        cmocka_unit_test_setup_teardown(integers_fill_their_range, setup, teardown),
        cmocka_unit_test_setup_teardown(ranges_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_are_compared_closely, setup, teardown),
        cmocka_unit_test_setup_teardown(data_does_not_depend_on_the_size, setup, teardown),
        cmocka_unit_test_setup_teardown(words_are_compared_bit_for_bit, setup, teardown),
        cmocka_unit_test_setup_teardown(magnitudes_bound_the_difference, setup, teardown),
        cmocka_unit_test_setup_teardown(stamps_and_gates_end, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
