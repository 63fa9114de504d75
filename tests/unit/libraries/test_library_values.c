/* test_library_values.c: transforms and products of the stand-ins for cuFFT and cuBLAS beside the
 * sums that define them. */
#include "libraries/fourier.h"
#include "libraries/matrix_product.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

static double value(size_t index)
{
    return (double)(index * 7919 % 101) / 50.0 - 1.0;
}

/* Compares a transform of one dimension with its sum. */
static void check_line(size_t length, int sign)
{
    const double pi = 3.14159265358979323846;
    struct fourier_number *numbers = calloc(length, sizeof(*numbers));

    assert_non_null(numbers);
    for (size_t i = 0; i < length; i++) {
        numbers[i] = (struct fourier_number){value(i), value(i + 31)};
    }
    assert_true(fourier_transform(numbers, (const size_t[]){1, 1, length}, sign));
    for (size_t k = 0; k < length; k++) {
        struct fourier_number sum = {0.0, 0.0};

        for (size_t i = 0; i < length; i++) {
            const double angle = 2.0 * pi * (double)(i * k % length) / (double)length * sign;

            sum.re += value(i) * cos(angle) - value(i + 31) * sin(angle);
            sum.im += value(i) * sin(angle) + value(i + 31) * cos(angle);
        }
        assert_true(hypot(sum.re - numbers[k].re, sum.im - numbers[k].im) < 1e-11);
    }
    free(numbers);
}

static void test_lines(void **state)
{
    static const size_t lengths[] = {1, 2, 3, 8, 30, 61, 64, 67, 97, 134, 360, 361};

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        check_line(lengths[i], -1);
        check_line(lengths[i], 1);
    }
}

/* There and back, in three dimensions: each number times how many there are. */
static void test_volume(void **state)
{
    enum { TOTAL = 3 * 4 * 5 };
    const size_t sizes[] = {3, 4, 5};
    struct fourier_number numbers[TOTAL];
    double sum = 0.0;

    (void)state;
    for (size_t i = 0; i < TOTAL; i++) {
        numbers[i] = (struct fourier_number){value(i), -value(i + 3)};
        sum += value(i);
    }
    assert_true(fourier_transform(numbers, sizes, -1));
    assert_true(fabs(numbers[0].re - sum) < 1e-12);
    assert_true(fourier_transform(numbers, sizes, 1));
    for (size_t i = 0; i < TOTAL; i++) {
        assert_true(fabs(numbers[i].re - TOTAL * value(i)) < 1e-11);
        assert_true(fabs(numbers[i].im + TOTAL * value(i + 3)) < 1e-11);
    }
}

/* Sizes beyond the pieces in which products are computed. */
static void check_product(size_t m, size_t n, size_t k, bool turns_a, bool turns_b)
{
    double *a = calloc(m * k, sizeof(*a)), *b = calloc(k * n, sizeof(*b));
    double *c = calloc(m * n, sizeof(*c));
    const struct matrix_product product = {m, n, k, a, b, turns_a, turns_b};

    assert_true(a != NULL && b != NULL && c != NULL);
    for (size_t i = 0; i < m * k; i++) {
        a[i] = value(i);
    }
    for (size_t i = 0; i < k * n; i++) {
        b[i] = value(i + 17);
    }
    assert_true(matrix_multiply(&product, c));
    for (size_t i = 0; i < m * n; i++) {
        const size_t row = i % m, column = i / m;
        double sum = 0.0;

        for (size_t j = 0; j < k; j++) {
            sum += a[turns_a ? j + row * k : row + j * m] *
                   b[turns_b ? column + j * n : j + column * k];
        }
        assert_true(fabs(sum - c[i]) < 1e-11);
    }
    free(a);
    free(b);
    free(c);
}

static void test_products(void **state)
{
    (void)state;
    for (int turns = 0; turns < 4; turns++) {
        check_product(5, 3, 7, turns % 2 == 1, turns / 2 == 1);
        check_product(259, 2, 131, turns % 2 == 1, turns / 2 == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_volume),
        cmocka_unit_test(test_products),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
