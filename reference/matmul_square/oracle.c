/* oracle.c: P = M x N, square matrices whose width is a multiple of the tile width; see
 * product_oracle.h. */
#include "model/oracle.h"

#define PRODUCT_A "d_M"
#define PRODUCT_B "d_N"
#define PRODUCT_C "d_P"
#define PRODUCT_A_HEIGHT "Width"
#define PRODUCT_A_WIDTH "Width"
#define PRODUCT_B_WIDTH "Width"
#define PRODUCT_EDGE "TILE_WIDTH"
#define PRODUCT_A_PLACE "d_M[row * Width + k]"
#define PRODUCT_B_PLACE "d_N[k * Width + column]"
#define PRODUCT_C_PLACE "d_P[row * Width + column]"
#define PRODUCT_IS_SQUARE
#include "common/product_oracle.h"

#include <stdlib.h>

static struct product_sizes product_sizes_of(const struct oracle_problem *problem)
{
    const int64_t width = problem->parameters[0];
    return (struct product_sizes){
        .height = width,
        .inner = width,
        .width = width,
        .block = problem->block,
    };
}

/* N x M, which has the same size. */
static int compute_operands_exchanged(const struct oracle_problem *problem, double *out_values)
{
    const void *const inputs[] = {problem->inputs[1], problem->inputs[0]};
    const struct product_sizes sizes = product_sizes_of(problem);
    struct oracle_problem exchanged = *problem;
    const size_t count = (size_t)(sizes.width * sizes.width);
    double *magnitudes = calloc(count, sizeof *magnitudes);
    double *right = calloc(count, sizeof *right);
    int differs = 0;

    exchanged.inputs = inputs;
    if (magnitudes != NULL && right != NULL) {
        product_expect(problem, right, magnitudes);
        product_expect(&exchanged, out_values, magnitudes);
        for (size_t i = 0; i < count; i++) {
            differs = differs || out_values[i] != right[i];
        }
    }
    free(magnitudes);
    free(right);
    return differs;
}

static const struct oracle_mistake mistakes[] = {
    PRODUCT_MISTAKES{"operands_exchanged", "the product is d_N x d_M, not d_M x d_N",
                     "take the rows from d_M and the columns from d_N", compute_operands_exchanged},
};

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = product_expect,
    .expect_in_order = product_expect_in_order,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = product_needs,
};
