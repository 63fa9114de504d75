/* test_matmul_lab_oracle.c: reference/matmul_lab/oracle.c: which parameters count for which launch,
 * and that mistakes of a single block, whose sizes are multiples of nothing, stay within its
 * operands. What is behind is held by test_matmul_oracle.c. */
#include "base/rng.h"
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EDGE = 8, PARAMETERS = 7 };

/* Of a launch: its height, its inner size and its width in elements. */
struct product {
    const char *launch;
    int64_t parameters[PARAMETERS]; /* as in the rubric; those of the other launch are wrong */
    int64_t height, inner, width;
    int64_t block;
    float *a, *b;
    const void *inputs[2];
    struct oracle_problem problem;
};

/* Operands of their exact size: the sanitizers see whoever reads past their ends. */
static float *random_integers(struct rng *rng, int64_t count)
{
    float *values = calloc((size_t)count, sizeof *values);

    assert_non_null(values);
    for (int64_t i = 0; i < count; i++) {
        values[i] = (float)rng_range(rng, -63, 63);
    }
    return values;
}

static void product_init(struct product *product)
{
    struct rng rng;

    rng_init(&rng, 1, (uint64_t)product->height, (uint64_t)product->inner,
             (uint64_t)product->width);
    product->a = random_integers(&rng, product->height * product->inner);
    product->b = random_integers(&rng, product->inner * product->width);
    product->inputs[0] = product->a;
    product->inputs[1] = product->b;
    product->problem = (struct oracle_problem){
        .parameters = product->parameters,
        .block = product->block,
        .inputs = product->inputs,
        .output_count = (size_t)(product->height * product->width),
        .launch = product->launch,
    };
}

static void product_release(struct product *product)
{
    free(product->a);
    free(product->b);
}

static struct product tiled_product(void)
{
    return (struct product){
        .launch = "tiled",
        .parameters = {2 * EDGE, EDGE, 3 * EDGE, EDGE, 5, 6, 7},
        .height = 2 * EDGE,
        .inner = EDGE,
        .width = 3 * EDGE,
        .block = EDGE,
    };
}

static struct product single_product(int64_t height, int64_t inner, int64_t width)
{
    return (struct product){
        .launch = "single",
        .parameters = {2 * EDGE, EDGE, 3 * EDGE, EDGE, height, inner, width},
        .height = height,
        .inner = inner,
        .width = width,
        .block = width,
    };
}

static double element(const struct product *product, int64_t row, int64_t column)
{
    double sum = 0.0;

    for (int64_t k = 0; k < product->inner; k++) {
        sum += (double)product->a[row * product->inner + k] *
               (double)product->b[k * product->width + column];
    }
    return sum;
}

/* The right result is that of the sizes of this launch; the last element needs the last row of A
 * and the last column of B. */
static void expects_its_own_sizes(struct product *product)
{
    const size_t count = (size_t)(product->height * product->width);
    double *expected = calloc(count, sizeof *expected);
    double *magnitudes = calloc(count, sizeof *magnitudes);
    const size_t inner = (size_t)product->inner;
    struct oracle_need *needs = calloc(2 * inner, sizeof *needs);

    gpugrade_oracle.expect(&product->problem, expected, magnitudes);
    for (int64_t row = 0; row < product->height; row++) {
        for (int64_t column = 0; column < product->width; column++) {
            assert_true(expected[row * product->width + column] == element(product, row, column));
        }
    }
    assert_int_equal(gpugrade_oracle.needs(&product->problem, count - 1, needs, 2 * inner),
                     2 * inner);
    assert_int_equal(needs[2 * inner - 2].element, product->height * product->inner - 1);
    assert_int_equal(needs[2 * inner - 1].element, product->inner * product->width - 1);
    free(expected);
    free(magnitudes);
    free(needs);
}

static void each_launch_has_its_own_sizes(void **state)
{
    struct product products[] = {tiled_product(), single_product(12, 5, 9),
                                 single_product(3, 2, 31)};
    (void)state;

    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
        product_init(&products[i]);
        expects_its_own_sizes(&products[i]);
        product_release(&products[i]);
    }
}

/* How many mistakes are judged; none of them yields the right result. */
static size_t judged_mistakes(const struct product *product, bool *judged)
{
    const size_t count = (size_t)(product->height * product->width);
    double *values = calloc(count, sizeof *values);
    size_t total = 0;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const struct oracle_mistake *mistake = &gpugrade_oracle.mistakes[i];
        bool differs = false;
        if (mistake->compute(&product->problem, values) == 0) {
            continue;
        }
        for (size_t j = 0; j < count; j++) {
            const double right =
                element(product, (int64_t)j / product->width, (int64_t)j % product->width);
            differs = differs || !(values[j] == right);
        }
        if (!differs) {
            fail_msg("mistake %s is the right result", mistake->name);
        }
        judged[i] = true;
        total++;
    }
    free(values);
    return total;
}

static void a_single_block_has_no_tiles(void **state)
{
    static const int64_t shapes[][3] = {{12, 5, 9}, {3, 2, 31}, {32, 7, 8}, {22, 21, 32}};
    bool judged[64] = {false};
    (void)state;

    assert_true(gpugrade_oracle.mistake_count <= 64);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct product product = single_product(shapes[i][0], shapes[i][1], shapes[i][2]);
        product_init(&product);
        assert_true(judged_mistakes(&product, judged) > 0);
        product_release(&product);
    }
    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const char *name = gpugrade_oracle.mistakes[i].name;
        if (judged[i] &&
            (strstr(name, "first_tile") != NULL || strstr(name, "_tile_only") != NULL ||
             strstr(name, "second_tile") != NULL)) {
            fail_msg("mistake %s is judged for a single block", name);
        }
    }
}

static void tiles_of_the_other_launches_are_judged(void **state)
{
    struct product product = tiled_product();
    bool judged[64] = {false};
    (void)state;

    product_init(&product);
    assert_true(judged_mistakes(&product, judged) > 10);
    product_release(&product);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_launch_has_its_own_sizes),
        cmocka_unit_test(a_single_block_has_no_tiles),
        cmocka_unit_test(tiles_of_the_other_launches_are_judged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
