/* test_matmul_tensor_oracle.c: reference/matmul_tensor/oracle.c against a product that is worked out
 * by hand, and its mistakes. */
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { M = 32, N = 16, DEPTH = 48 };

/* Halves of small whole numbers: 0 to 7. */
static const uint16_t halves[] = {0x0000, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};

struct fixture {
    uint16_t a[M * DEPTH], b[DEPTH * N];
    int64_t parameters[3];
    const void *inputs[2];
    size_t input_counts[2], output_count;
    struct oracle_problem problem;
};

/* A(row, i) is (row + i) % 8 and B(i, column) is (i * column) % 8. */
static void fixture_init(struct fixture *fixture)
{
    *fixture = (struct fixture){.parameters = {M, N, DEPTH}, .output_count = M * N};
    for (int i = 0; i < M * DEPTH; i++) {
        fixture->a[i] = halves[(i / DEPTH + i % DEPTH) % 8];
    }
    for (int i = 0; i < DEPTH * N; i++) {
        fixture->b[i] = halves[(i / N) * (i % N) % 8];
    }
    fixture->inputs[0] = fixture->a;
    fixture->inputs[1] = fixture->b;
    fixture->input_counts[0] = M * DEPTH;
    fixture->input_counts[1] = DEPTH * N;
    fixture->problem = (struct oracle_problem){
        .parameters = fixture->parameters,
        .inputs = fixture->inputs,
        .output_count = fixture->output_count,
        .launch = "multiply",
        .input_counts = fixture->input_counts,
        .output_counts = &fixture->output_count,
        .case_id = "",
    };
}

static double expected_at(int row, int column)
{
    double sum = 0.0;
    for (int i = 0; i < DEPTH; i++) {
        sum += (row + i) % 8 * (i * column % 8);
    }
    return sum;
}

static void halves_are_multiplied(void **state)
{
    static struct fixture fixture;
    static double expected[M * N], magnitudes[M * N];
    (void)state;

    fixture_init(&fixture);
    gpugrade_oracle.expect(&fixture.problem, expected, magnitudes);
    for (int i = 0; i < M * N; i++) {
        assert_true(expected[i] == expected_at(i / N, i % N));
        assert_true(magnitudes[i] == expected[i]);
    }
}

/* The bits of halves: signs, subnormal numbers, the largest one. */
static void every_half_has_its_value(void **state)
{
    static const struct {
        uint16_t bits;
        double value;
    } numbers[] = {
        {0x8000, 0.0},     {0x0001, 0x1p-24}, {0x83FF, -0x1.ff8p-15},
        {0x0400, 0x1p-14}, {0xBC00, -1.0},    {0x7BFF, 65504.0},
    };
    static struct fixture fixture;
    static double expected[M * N], magnitudes[M * N];
    (void)state;

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        fixture_init(&fixture);
        memset(fixture.a, 0, sizeof fixture.a);
        fixture.a[0] = numbers[i].bits;
        fixture.b[0] = halves[1];
        gpugrade_oracle.expect(&fixture.problem, expected, magnitudes);
        assert_true(expected[0] == numbers[i].value);
    }
}

static int compute(struct fixture *fixture, const char *name, double *out_values)
{
    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        if (strcmp(gpugrade_oracle.mistakes[i].name, name) == 0) {
            return gpugrade_oracle.mistakes[i].compute(&fixture->problem, out_values);
        }
    }
    fail_msg("there is no mistake %s", name);
    return 0;
}

static void mistakes_differ(void **state)
{
    static const char *const names[] = {"a_row_length", "a_column_major", "output_transposed",
                                        "last_tile", "first_tile_only"};
    static struct fixture fixture;
    static double values[M * N];
    (void)state;

    fixture_init(&fixture);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(compute(&fixture, names[i], values), 1);
    }
    /* the last ones left out: element (0, 1) lacks i = 32 to 47 */
    assert_int_equal(compute(&fixture, "last_tile", values), 1);
    double lacking = 0.0;
    for (int i = 32; i < DEPTH; i++) {
        lacking += i % 8 * (i % 8);
    }
    assert_true(values[1] == expected_at(0, 1) - lacking);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_are_multiplied),
        cmocka_unit_test(every_half_has_its_value),
        cmocka_unit_test(mistakes_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
