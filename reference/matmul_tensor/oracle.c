/* oracle.c: C = A x B, where A and B hold halves; see product_oracle.h. */
#include "model/oracle.h"

#include <math.h>
#include <stdint.h>

#define PRODUCT_A "d_a"
#define PRODUCT_B "d_b"
#define PRODUCT_C "d_c"
#define PRODUCT_A_HEIGHT "m"
#define PRODUCT_A_WIDTH "k"
#define PRODUCT_B_WIDTH "n"
#define PRODUCT_EDGE "16"
#define PRODUCT_A_PLACE "d_a[row * k + i]"
#define PRODUCT_B_PLACE "d_b[i * n + column]"
#define PRODUCT_C_PLACE "d_c[row * n + column]"
#define PRODUCT_NUMBER uint16_t
#define PRODUCT_VALUE half_value

/* The value of a half with these bits. */
static float half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    const double magnitude = exponent == 31  ? (fraction == 0 ? INFINITY : (double)NAN)
                             : exponent == 0 ? ldexp(fraction, -24)
                                             : ldexp(1024 + fraction, exponent - 25);
    return (float)((bits & 0x8000) != 0 ? -magnitude : magnitude);
}

#include "common/product_oracle.h"

enum { M, N, DEPTH }; /* parameters, in the order of the rubric */

enum { EDGE = 16 }; /* of what tensor cores multiply at once */

static struct product_sizes product_sizes_of(const struct oracle_problem *problem)
{
    return (struct product_sizes){
        .height = problem->parameters[M],
        .inner = problem->parameters[DEPTH],
        .width = problem->parameters[N],
        .block = EDGE,
    };
}

static const struct oracle_mistake mistakes[] = {PRODUCT_MISTAKES};

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = product_expect,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = product_needs,
};
