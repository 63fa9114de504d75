/* Chains of instructions that hand a carry on, also from additions to subtractions and back.
 *
 * Of each thread one set of inputs; each chain is `first`, perhaps `middle`, then `last`. The inputs are
 * loaded, since ptxas works out by itself what is constant.
 */
#include "../kernel_program.h"

enum { SETS = 32, CHAINS = 4 * 5 * 4 };

#define RUN(T, WORD, FIRST, MIDDLE, LAST)                                                          \
    {                                                                                              \
        WORD one, two = 0, three;                                                                  \
        asm volatile("{\n\t" FIRST(T) MIDDLE(T) LAST(T) "}"                                        \
                     : "=" OPERAND(WORD)(one), "+" OPERAND(WORD)(two), "=" OPERAND(WORD)(three)    \
                     : OPERAND(WORD)(a), OPERAND(WORD)(b), OPERAND(WORD)(c));                      \
        result[0] = one, result[1] = two, result[2] = three;                                       \
        result += 3;                                                                               \
    }
#define OPERAND(WORD) OPERAND_##WORD
#define OPERAND_uint32_t "r"
#define OPERAND_uint64_t "l"

#define ADD_CC(T) "add.cc." T " %0, %3, %4;\n\t"
#define SUB_CC(T) "sub.cc." T " %0, %3, %4;\n\t"
#define MAD_LO_CC(T) "mad.lo.cc." T " %0, %3, %4, %5;\n\t"
#define MAD_HI_CC(T) "mad.hi.cc." T " %0, %3, %4, %5;\n\t"
#define NOTHING(T) ""
#define ADDC_CC(T) "addc.cc." T " %1, %4, %5;\n\t"
#define SUBC_CC(T) "subc.cc." T " %1, %4, %5;\n\t"
#define MADC_LO_CC(T) "madc.lo.cc." T " %1, %4, %5, %3;\n\t"
#define MADC_HI_CC(T) "madc.hi.cc." T " %1, %4, %5, %3;\n\t"
#define ADDC(T) "addc." T " %2, %5, %3;\n\t"
#define SUBC(T) "subc." T " %2, %5, %3;\n\t"
#define MADC_LO(T) "madc.lo." T " %2, %5, %3, %4;\n\t"
#define MADC_HI(T) "madc.hi." T " %2, %5, %3, %4;\n\t"

#define EACH_LAST(T, WORD, FIRST, MIDDLE)                                                          \
    RUN(T, WORD, FIRST, MIDDLE, ADDC)                                                              \
    RUN(T, WORD, FIRST, MIDDLE, SUBC)                                                              \
    RUN(T, WORD, FIRST, MIDDLE, MADC_LO)                                                           \
    RUN(T, WORD, FIRST, MIDDLE, MADC_HI)
#define EACH_MIDDLE(T, WORD, FIRST)                                                                \
    EACH_LAST(T, WORD, FIRST, NOTHING)                                                             \
    EACH_LAST(T, WORD, FIRST, ADDC_CC)                                                             \
    EACH_LAST(T, WORD, FIRST, SUBC_CC)                                                             \
    EACH_LAST(T, WORD, FIRST, MADC_LO_CC)                                                          \
    EACH_LAST(T, WORD, FIRST, MADC_HI_CC)

#define CHAINS_OF(NAME, T, WORD)                                                                   \
    __global__ void NAME(const WORD *inputs, WORD *results)                                        \
    {                                                                                              \
        WORD a = inputs[3 * threadIdx.x];                                                          \
        WORD b = inputs[3 * threadIdx.x + 1];                                                      \
        WORD c = inputs[3 * threadIdx.x + 2];                                                      \
        WORD *result = results + 3 * CHAINS * threadIdx.x;                                         \
        EACH_MIDDLE(T, WORD, ADD_CC)                                                               \
        EACH_MIDDLE(T, WORD, SUB_CC)                                                               \
        EACH_MIDDLE(T, WORD, MAD_LO_CC)                                                            \
        EACH_MIDDLE(T, WORD, MAD_HI_CC)                                                            \
    }
CHAINS_OF(chains_u32, "u32", uint32_t)
CHAINS_OF(chains_s32, "s32", uint32_t)
CHAINS_OF(chains_u64, "u64", uint64_t)
CHAINS_OF(chains_s64, "s64", uint64_t)

/* Small numbers, both ends of the range, and numbers whose bits are mixed. */
template <typename WORD> static WORD *new_sets(void)
{
    static const uint64_t ends[] = {0, 1, 5, 10, ~UINT64_C(0), ~UINT64_C(0) - 1};
    WORD host[3 * SETS];
    WORD *device = nullptr;
    for (size_t i = 0; i < 3 * SETS; i++) {
        uint64_t mixed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        host[i] = (WORD)(i % 5 == 4 ? mixed ^ mixed >> 29 : ends[(mixed >> 33) % 6]);
    }
    CHECK(cudaMalloc(&device, sizeof host));
    CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    return device;
}

template <typename WORD>
static void run(const char *name, void (*kernel)(const WORD *, WORD *))
{
    WORD *inputs = new_sets<WORD>();
    WORD *results = new_output<WORD>(3 * CHAINS * SETS);
    kernel<<<1, SETS>>>(inputs, results);
    print_result(name, results, 3 * CHAINS * SETS);
    CHECK(cudaFree(inputs));
    CHECK(cudaFree(results));
}

int main(void)
{
    run("carry_chains, u32", chains_u32);
    run("carry_chains, s32", chains_s32);
    run("carry_chains, u64", chains_u64);
    run("carry_chains, s64", chains_s64);
}
