/* oracle.c: C = A x B of whole programs; see product_oracle.h. The launch "single" has its own
 * sizes and no tiles: its block covers all three matrices. */
#include "model/oracle.h"

#include <string.h>

#define PRODUCT_A "d_A"
#define PRODUCT_B "d_B"
#define PRODUCT_C "d_C"
#define PRODUCT_A_HEIGHT "A_HEIGHT"
#define PRODUCT_A_WIDTH "A_WIDTH"
#define PRODUCT_B_WIDTH "B_WIDTH"
#define PRODUCT_EDGE "BLOCK_SIZE"
#define PRODUCT_A_PLACE "d_A[row][k]"
#define PRODUCT_B_PLACE "d_B[k][column]"
#define PRODUCT_C_PLACE "d_C[row][column]"
#include "common/product_oracle.h"

/* Parameters, in the order of the rubric. */
enum { A_HEIGHT, A_WIDTH, B_WIDTH, BLOCK_EDGE, SINGLE_HEIGHT, SINGLE_INNER, SINGLE_WIDTH };

static int64_t greater(int64_t left, int64_t right)
{
    return left > right ? left : right;
}

static struct product_sizes product_sizes_of(const struct oracle_problem *problem)
{
    const int64_t *parameters = problem->parameters;
    if (problem->launch != NULL && strcmp(problem->launch, "single") == 0) {
        const struct product_sizes sizes = {
            .height = parameters[SINGLE_HEIGHT],
            .inner = parameters[SINGLE_INNER],
            .width = parameters[SINGLE_WIDTH],
            .block = greater(parameters[SINGLE_INNER],
                             greater(parameters[SINGLE_HEIGHT], parameters[SINGLE_WIDTH])),
        };
        return sizes;
    }
    return (struct product_sizes){
        .height = parameters[A_HEIGHT],
        .inner = parameters[A_WIDTH],
        .width = parameters[B_WIDTH],
        .block = problem->block,
    };
}

static const struct oracle_mistake mistakes[] = {PRODUCT_MISTAKES};

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = product_expect,
    .expect_in_order = product_expect_in_order,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = product_needs,
};
