/* oracle.c: C = A x B, for sizes that are multiples of the block width; see product_oracle.h. */
#include "model/oracle.h"

#define PRODUCT_A "A"
#define PRODUCT_B "B"
#define PRODUCT_C "C"
#define PRODUCT_A_HEIGHT "a_height"
#define PRODUCT_A_WIDTH "a_width"
#define PRODUCT_B_WIDTH "b_width"
#define PRODUCT_EDGE "BLOCK_SIZE"
#define PRODUCT_A_PLACE "A[row * a_width + k]"
#define PRODUCT_B_PLACE "B[k * b_width + column]"
#define PRODUCT_C_PLACE "C[row * b_width + column]"
#include "common/product_oracle.h"

enum { A_HEIGHT, A_WIDTH, B_WIDTH }; /* parameters, in the order of the rubric */

static struct product_sizes product_sizes_of(const struct oracle_problem *problem)
{
    return (struct product_sizes){
        .height = problem->parameters[A_HEIGHT],
        .inner = problem->parameters[A_WIDTH],
        .width = problem->parameters[B_WIDTH],
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
