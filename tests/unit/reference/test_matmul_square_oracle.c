/* test_matmul_square_oracle.c: reference/matmul_square/oracle.c: that it finds its sizes, and says
 * what the product's oracle says in the words of this coursework. The mistakes themselves are those
 * of test_matmul_oracle.c. */
#include "base/rng.h"
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 12, BLOCK = 4, COUNT = WIDTH * WIDTH };

struct product {
    int64_t width;
    float m[COUNT], n[COUNT];
    const void *inputs[2];
    struct oracle_problem problem;
};

static void product_init(struct product *product)
{
    struct rng rng;

    rng_init(&rng, 1, 2, 3, 4);
    product->width = WIDTH;
    for (int i = 0; i < COUNT; i++) {
        product->m[i] = (float)rng_range(&rng, -4095, 4095);
        product->n[i] = (float)rng_range(&rng, -1, 1);
    }
    product->inputs[0] = product->m;
    product->inputs[1] = product->n;
    product->problem = (struct oracle_problem){
        .parameters = &product->width,
        .block = BLOCK,
        .inputs = product->inputs,
        .output_count = COUNT,
    };
}

static double element(const float *left, const float *right, int row, int column, int k_end)
{
    double sum = 0.0;

    for (int k = 0; k < k_end; k++) {
        sum += (double)left[row * WIDTH + k] * (double)right[k * WIDTH + column];
    }
    return sum;
}

static void expected_values_are_those_of_the_definition(void **state)
{
    struct product product;
    double expected[COUNT];
    double magnitudes[COUNT];
    float in_order[COUNT];
    (void)state;

    product_init(&product);
    gpugrade_oracle.expect(&product.problem, expected, magnitudes);
    gpugrade_oracle.expect_in_order(&product.problem, in_order);
    for (int row = 0; row < WIDTH; row++) {
        for (int column = 0; column < WIDTH; column++) {
            const double right = element(product.m, product.n, row, column, WIDTH);
            assert_true(expected[row * WIDTH + column] == right);
            assert_true((double)in_order[row * WIDTH + column] == right);
            assert_true(magnitudes[row * WIDTH + column] >= fabs(right));
        }
    }
}

static const struct oracle_mistake *find_mistake(const char *name)
{
    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        if (strcmp(gpugrade_oracle.mistakes[i].name, name) == 0) {
            return &gpugrade_oracle.mistakes[i];
        }
    }
    fail_msg("no mistake %s", name);
    return NULL;
}

static void mistakes_by_their_definition(void **state)
{
    struct product product;
    double last[COUNT];
    double short_rows[COUNT];
    double exchanged[COUNT];
    (void)state;

    product_init(&product);
    assert_true(find_mistake("last_tile")->compute(&product.problem, last));
    assert_true(find_mistake("a_row_length_tile")->compute(&product.problem, short_rows));
    assert_true(find_mistake("operands_exchanged")->compute(&product.problem, exchanged));
    for (int row = 0; row < WIDTH; row++) {
        for (int column = 0; column < WIDTH; column++) {
            const int i = row * WIDTH + column;
            double sum = 0.0;
            for (int k = 0; k < WIDTH; k++) {
                sum += (double)product.m[row * BLOCK + k] * (double)product.n[k * WIDTH + column];
            }
            assert_true(last[i] == element(product.m, product.n, row, column, WIDTH - BLOCK));
            assert_true(short_rows[i] == sum);
            assert_true(exchanged[i] == element(product.n, product.m, row, column, WIDTH));
        }
    }
}

/* Every mistake differs from the right result; rows of other lengths, which only matrices that are
 * not square have, are none. */
static void every_mistake_is_wrong(void **state)
{
    struct product product;
    double expected[COUNT];
    double magnitudes[COUNT];
    (void)state;

    product_init(&product);
    gpugrade_oracle.expect(&product.problem, expected, magnitudes);
    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const struct oracle_mistake *mistake = &gpugrade_oracle.mistakes[i];
        double values[COUNT];
        int differs = 0;
        if (!mistake->compute(&product.problem, values)) {
            fail_msg("%s is not judged", mistake->name);
        }
        for (int j = 0; j < COUNT; j++) {
            differs = differs || !(values[j] == expected[j]);
        }
        assert_true(differs);
        assert_null(strstr(mistake->hint, "not square"));
    }
}

/* Words as `text` holds them between other characters than letters. */
static int has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        const char before = at == text ? ' ' : at[-1];
        if (strchr(" ([*/=", before) != NULL && strchr(" ,;:.)[]*/", at[length]) != NULL) {
            return 1;
        }
    }
    return 0;
}

static void texts_name_what_students_see(void **state)
{
    static const char *const foreign[] = {"A", "B", "C", "BLOCK_SIZE", "a_width", "b_width"};
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const struct oracle_mistake *mistake = &gpugrade_oracle.mistakes[i];
        for (size_t j = 0; j < sizeof foreign / sizeof foreign[0]; j++) {
            if (has_word(mistake->message, foreign[j]) || has_word(mistake->hint, foreign[j])) {
                fail_msg("%s: \"%s\", \"%s\" says %s", mistake->name, mistake->message,
                         mistake->hint, foreign[j]);
            }
        }
    }
    assert_non_null(strstr(find_mistake("b_column_major")->hint, "d_N[k * Width + column]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_values_are_those_of_the_definition),
        cmocka_unit_test(mistakes_by_their_definition),
        cmocka_unit_test(every_mistake_is_wrong),
        cmocka_unit_test(texts_name_what_students_see),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
