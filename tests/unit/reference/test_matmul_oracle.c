/* test_matmul_oracle.c: reference/matmul/oracle.c against plain loops. */
#include "base/rng.h"
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SHAPES = 6, BLOCK = 8 };

/* In blocks: a_height, a_width, b_width; one tile, thin ones, all different, square. */
static const int64_t shapes[SHAPES][3] = {{1, 1, 1}, {2, 1, 3}, {1, 3, 2},
                                          {3, 2, 1}, {2, 4, 3}, {3, 3, 3}};

/* A product with random integers, as the exact probes have them. */
struct product {
    int64_t sizes[3];
    float *a, *b;
    const void *inputs[2];
    struct oracle_problem problem;
};

static float *random_integers(struct rng *rng, size_t count, int64_t limit)
{
    float *values = calloc(count, sizeof *values);

    assert_non_null(values);
    for (size_t i = 0; i < count; i++) {
        values[i] = (float)rng_range(rng, -limit, limit);
    }
    return values;
}

static void product_init(struct product *product, const int64_t blocks[3])
{
    struct rng rng;

    rng_init(&rng, 1, (uint64_t)blocks[0], (uint64_t)blocks[1], (uint64_t)blocks[2]);
    for (int i = 0; i < 3; i++) {
        product->sizes[i] = blocks[i] * BLOCK;
    }
    product->a = random_integers(&rng, (size_t)(product->sizes[0] * product->sizes[1]), 4095);
    product->b = random_integers(&rng, (size_t)(product->sizes[1] * product->sizes[2]), 1);
    product->inputs[0] = product->a;
    product->inputs[1] = product->b;
    product->problem = (struct oracle_problem){
        .parameters = product->sizes,
        .block = BLOCK,
        .inputs = product->inputs,
        .output_count = (size_t)(product->sizes[0] * product->sizes[2]),
    };
}

static void product_release(struct product *product)
{
    free(product->a);
    free(product->b);
}

static void expected_values_are_those_of_the_definition(void **state)
{
    (void)state;

    for (int shape = 0; shape < SHAPES; shape++) {
        struct product product;
        product_init(&product, shapes[shape]);
        size_t count = product.problem.output_count;
        double *expected = calloc(count, sizeof *expected);
        double *magnitudes = calloc(count, sizeof *magnitudes);
        float *in_order = calloc(count, sizeof *in_order);

        gpugrade_oracle.expect(&product.problem, expected, magnitudes);
        gpugrade_oracle.expect_in_order(&product.problem, in_order);
        for (int64_t i = 0; i < product.sizes[0]; i++) {
            for (int64_t j = 0; j < product.sizes[2]; j++) {
                double sum = 0.0;
                double magnitude = 0.0;
                for (int64_t k = 0; k < product.sizes[1]; k++) {
                    double term = (double)product.a[i * product.sizes[1] + k] *
                                  (double)product.b[k * product.sizes[2] + j];
                    sum += term;
                    magnitude += fabs(term);
                }
                assert_true(expected[i * product.sizes[2] + j] == sum);
                assert_true(magnitudes[i * product.sizes[2] + j] == magnitude);
                assert_true((double)in_order[i * product.sizes[2] + j] == sum);
            }
        }
        free(expected);
        free(magnitudes);
        free(in_order);
        product_release(&product);
    }
}

/* Two results are the same mistake if they agree wherever both are numbers. */
static int same_values(const double *left, const double *right, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(left[i]) != isnan(right[i]) || (!isnan(left[i]) && left[i] != right[i])) {
            return 0;
        }
    }
    return 1;
}

/* Results of every mistake for every shape; NULL where it is not judged. */
static double *results[64][SHAPES];
static size_t counts[SHAPES];

static int compute_all(void **state)
{
    (void)state;

    assert_true(gpugrade_oracle.mistake_count <= 64);
    for (int shape = 0; shape < SHAPES; shape++) {
        struct product product;
        product_init(&product, shapes[shape]);
        counts[shape] = product.problem.output_count;
        for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
            double *values = calloc(counts[shape], sizeof *values);
            if (gpugrade_oracle.mistakes[i].compute(&product.problem, values) != 0) {
                results[i][shape] = values;
            } else {
                free(values);
            }
        }
        product_release(&product);
    }
    return 0;
}

static int free_all(void **state)
{
    (void)state;

    for (size_t i = 0; i < 64; i++) {
        for (int shape = 0; shape < SHAPES; shape++) {
            free(results[i][shape]);
        }
    }
    return 0;
}

static void every_mistake_is_judged_somewhere_and_wrong(void **state)
{
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const struct oracle_mistake *mistake = &gpugrade_oracle.mistakes[i];
        int judged = 0;

        assert_true(strlen(mistake->name) > 0 && strlen(mistake->message) > 0 &&
                    strlen(mistake->hint) > 0);
        for (int shape = 0; shape < SHAPES; shape++) {
            struct product product;
            if (results[i][shape] == NULL) {
                continue;
            }
            judged++;
            product_init(&product, shapes[shape]);
            double *expected = calloc(counts[shape], sizeof *expected);
            double *magnitudes = calloc(counts[shape], sizeof *magnitudes);
            gpugrade_oracle.expect(&product.problem, expected, magnitudes);
            assert_false(same_values(expected, results[i][shape], counts[shape]));
            free(expected);
            free(magnitudes);
            product_release(&product);
        }
        if (judged == 0) {
            fail_msg("mistake %s is judged for no shape", mistake->name);
        }
    }
}

static void no_two_mistakes_are_the_same(void **state)
{
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        for (size_t j = i + 1; j < gpugrade_oracle.mistake_count; j++) {
            int differ = 0;
            for (int shape = 0; shape < SHAPES; shape++) {
                const double *left = results[i][shape];
                const double *right = results[j][shape];
                differ = differ || (left == NULL) != (right == NULL) ||
                         (left != NULL && !same_values(left, right, counts[shape]));
            }
            if (!differ) {
                fail_msg("mistakes %s and %s are the same", gpugrade_oracle.mistakes[i].name,
                         gpugrade_oracle.mistakes[j].name);
            }
        }
    }
}

/* One mistake by its definition: the last product of each tile is left out. */
static void the_last_product_of_each_tile(void **state)
{
    struct product product;
    size_t found = 0;
    (void)state;

    product_init(&product, shapes[4]);
    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        if (strstr(gpugrade_oracle.mistakes[i].message, "last product of each tile") == NULL) {
            continue;
        }
        found++;
        for (int64_t row = 0; row < product.sizes[0]; row++) {
            for (int64_t column = 0; column < product.sizes[2]; column++) {
                double sum = 0.0;
                for (int64_t k = 0; k < product.sizes[1]; k++) {
                    if (k % BLOCK != BLOCK - 1) {
                        sum += (double)product.a[row * product.sizes[1] + k] *
                               (double)product.b[k * product.sizes[2] + column];
                    }
                }
                assert_true(results[i][4][row * product.sizes[2] + column] == sum);
            }
        }
    }
    assert_int_equal(found, 1);
    product_release(&product);
}

static size_t find_mistake(const char *name)
{
    size_t i = 0;

    while (i < gpugrade_oracle.mistake_count &&
           strcmp(gpugrade_oracle.mistakes[i].name, name) != 0) {
        i++;
    }
    assert_true(i < gpugrade_oracle.mistake_count);
    return i;
}

/* Reads within tiles by their definition: the tile of A at [threadIdx.x][k], the tile of B by
 * itself, and sums for products. */
static void reads_within_tiles(void **state)
{
    const int64_t block_width = BLOCK;
    struct product product;
    const double *turned = results[find_mistake("a_read_at_tx_k")][4];
    const double *twice = results[find_mistake("b_by_itself")][4];
    const double *added = results[find_mistake("products_added")][4];
    (void)state;

    product_init(&product, shapes[4]);
    const int64_t inner = product.sizes[1];
    const int64_t width = product.sizes[2];
    for (int64_t row = 0; row < product.sizes[0]; row++) {
        for (int64_t column = 0; column < width; column++) {
            double sums[3] = {0.0, 0.0, 0.0};
            for (int64_t k = 0; k < inner; k++) {
                int64_t other_row = row / block_width * block_width + column % block_width;
                int64_t first = k / block_width * block_width;
                double right = (double)product.b[k * width + column];
                sums[0] += (double)product.a[other_row * inner + k] * right;
                sums[1] += (double)product.b[(first + row % block_width) * width +
                                             column / block_width * block_width + k % block_width] *
                           right;
                sums[2] += (double)product.a[row * inner + k] + right;
            }
            assert_true(turned[row * width + column] == sums[0]);
            assert_true(twice[row * width + column] == sums[1]);
            assert_true(added[row * width + column] == sums[2]);
        }
    }
    product_release(&product);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_values_are_those_of_the_definition),
        cmocka_unit_test(every_mistake_is_judged_somewhere_and_wrong),
        cmocka_unit_test(no_two_mistakes_are_the_same),
        cmocka_unit_test(the_last_product_of_each_tile),
        cmocka_unit_test(reads_within_tiles),
    };

    return cmocka_run_group_tests(tests, compute_all, free_all);
}
