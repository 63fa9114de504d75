/* mma.sync of every type and shape, by its registers: whole numbers, numbers of one size and of many,
 * zeros, subnormal numbers, infinities and NaN. "arch: compute_80" */
#include "../kernel_program.h"

#define ROWS 64
#define LANES 32

enum kind { F16, BF16, TF32, F32, F64, INTEGER };

/* Registers of one lane: of a, b, c and d. */
struct registers {
    int a, b, c, d;
};

#define ONE(r, x, n) r(x[n])
#define TWO(r, x) r(x[0]), r(x[1])
#define FOUR(r, x) TWO(r, x), r(x[2]), r(x[3])
#define EIGHT(r, x) FOUR(r, x), r(x[4]), r(x[5]), r(x[6]), r(x[7])
#define ASM_2112(op, r, w)                                                                         \
    asm volatile(op " {%0, %1}, {%2}, {%3}, {%4, %5};" : TWO(w, d) : r(a[0]), r(b[0]), TWO(r, c))
#define ASM_2212(op, r, w)                                                                         \
    asm volatile(op " {%0, %1}, {%2, %3}, {%4}, {%5, %6};"                                         \
                 : TWO(w, d)                                                                       \
                 : TWO(r, a), r(b[0]), TWO(r, c))
#define ASM_2422(op, r, w)                                                                         \
    asm volatile(op " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"                             \
                 : TWO(w, d)                                                                       \
                 : FOUR(r, a), TWO(r, b), TWO(r, c))
#define ASM_4214(op, r, w)                                                                         \
    asm volatile(op " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"                        \
                 : FOUR(w, d)                                                                      \
                 : TWO(r, a), r(b[0]), FOUR(r, c))
#define ASM_4424(op, r, w)                                                                         \
    asm volatile(op " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"         \
                 : FOUR(w, d)                                                                      \
                 : FOUR(r, a), TWO(r, b), FOUR(r, c))
#define READ "r"
#define WRITE "=r"
#define READ_WIDE "l"
#define WRITE_WIDE "=l"

#define TABLE(ROW)                                                                                 \
    ROW(f16_f16_k8, 2212, "m16n8k8.row.col.f16.f16.f16.f16", F16, F16)                             \
    ROW(f16_f16_k16, 2422, "m16n8k16.row.col.f16.f16.f16.f16", F16, F16)                           \
    ROW(f16_f32_k8, 4214, "m16n8k8.row.col.f32.f16.f16.f32", F16, F32)                             \
    ROW(f16_f32_k16, 4424, "m16n8k16.row.col.f32.f16.f16.f32", F16, F32)                           \
    ROW(bf16_k8, 4214, "m16n8k8.row.col.f32.bf16.bf16.f32", BF16, F32)                             \
    ROW(bf16_k16, 4424, "m16n8k16.row.col.f32.bf16.bf16.f32", BF16, F32)                           \
    ROW(tf32_k4, 4214, "m16n8k4.row.col.f32.tf32.tf32.f32", TF32, F32)                             \
    ROW(tf32_k8, 4424, "m16n8k8.row.col.f32.tf32.tf32.f32", TF32, F32)                             \
    ROW(s8_k16, 2112, "m8n8k16.row.col.s32.s8.s8.s32", INTEGER, INTEGER)                           \
    ROW(u8_k16, 4214, "m16n8k16.row.col.s32.u8.u8.s32", INTEGER, INTEGER)                          \
    ROW(s8_u8_k32, 4424, "m16n8k32.row.col.s32.s8.u8.s32", INTEGER, INTEGER)                       \
    ROW(s8_saturated, 4424, "m16n8k32.row.col.satfinite.s32.s8.s8.s32", INTEGER, INTEGER)          \
    ROW(s4_k32, 2112, "m8n8k32.row.col.s32.s4.s4.s32", INTEGER, INTEGER)                           \
    ROW(u4_k32, 4214, "m16n8k32.row.col.s32.u4.u4.s32", INTEGER, INTEGER)                          \
    ROW(s4_u4_k64, 4424, "m16n8k64.row.col.s32.s4.u4.s32", INTEGER, INTEGER)

#define KERNEL(name, form, op, of_a, of_c)                                                         \
    __global__ void mma_##name(const uint32_t *in, uint32_t *out)                                  \
    {                                                                                              \
        uint32_t a[4], b[2], c[4], d[4] = {0, 0, 0, 0};                                            \
        const uint32_t *row = in + blockIdx.x * 10 * LANES + threadIdx.x;                          \
        for (int i = 0; i < 4; i++) {                                                              \
            a[i] = row[i * LANES];                                                                 \
            c[i] = row[(6 + i) * LANES];                                                           \
        }                                                                                          \
        b[0] = row[4 * LANES];                                                                     \
        b[1] = row[5 * LANES];                                                                     \
        ASM_##form("mma.sync.aligned." op, READ, WRITE);                                           \
        for (int i = 0; i < 4; i++) {                                                              \
            out[(blockIdx.x * 4 + i) * LANES + threadIdx.x] = d[i];                                \
        }                                                                                          \
    }
TABLE(KERNEL)

__global__ void mma_f64(const uint64_t *in, uint64_t *out)
{
    uint64_t a[1] = {in[blockIdx.x * 4 * LANES + threadIdx.x]};
    uint64_t b[1] = {in[(blockIdx.x * 4 + 1) * LANES + threadIdx.x]};
    uint64_t c[2] = {in[(blockIdx.x * 4 + 2) * LANES + threadIdx.x],
                     in[(blockIdx.x * 4 + 3) * LANES + threadIdx.x]};
    uint64_t d[2];
    ASM_2112("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", READ_WIDE, WRITE_WIDE);
    out[blockIdx.x * 2 * LANES + threadIdx.x] = d[0];
    out[(blockIdx.x * 2 + 1) * LANES + threadIdx.x] = d[1];
}

static uint64_t seed;

static uint64_t next_bits()
{
    uint64_t x = seed += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static int between(int low, int high)
{
    return low + (int)(next_bits() % (uint64_t)(high - low + 1));
}

/* A number of a format with so many bits of exponent and fraction, of one of eight classes. */
static uint64_t next_number(int exponent_bits, int fraction_bits, int kind)
{
    int bias = (1 << (exponent_bits - 1)) - 1;
    int top = 2 * bias + 1;
    uint64_t fraction = next_bits() & ((UINT64_C(1) << fraction_bits) - 1);
    uint64_t sign = next_bits() & 1;
    int exponent = bias;
    switch (kind) {
    case 0: /* whole numbers */
        exponent = bias + between(0, 2);
        fraction &= ~((UINT64_C(1) << (fraction_bits - (exponent - bias))) - 1);
        break;
    case 1:
        exponent = bias + between(-2, 1);
        break;
    case 2:
        exponent = bias + between(-8, 7);
        break;
    case 3: /* one size, and zeros */
        exponent = between(0, 3) == 0 ? 0 : bias;
        fraction = exponent == 0 ? 0 : fraction;
        break;
    case 4: /* all sizes, and zeros */
        exponent = between(0, 3) == 0 ? 0 : between(0, top - 1);
        fraction = exponent == 0 ? 0 : fraction;
        break;
    case 5:
        exponent = between(0, 2);
        break;
    case 6:
        exponent = between(0, 40) == 0 ? top : bias + between(-8, 7);
        fraction = exponent == top && between(0, 3) != 0 ? 0 : fraction;
        break;
    default:
        exponent = (int)(next_bits() % (uint64_t)(top + 1));
    }
    return (sign << exponent_bits | (uint64_t)exponent) << fraction_bits | fraction;
}

/* A register that holds numbers of a kind. */
static uint32_t next_register(enum kind kind, int row)
{
    switch (kind) {
    case F16:
        return (uint32_t)(next_number(5, 10, row % 8) | next_number(5, 10, row % 8) << 16);
    case BF16:
        return (uint32_t)(next_number(8, 7, row % 8) | next_number(8, 7, row % 8) << 16);
    case TF32:
    case F32:
        return (uint32_t)next_number(8, 23, row % 8);
    default:
        return row % 4 == 0   ? (uint32_t)between(-100, 100)
               : row % 4 == 1 ? UINT32_C(0x7fffff00) + (uint32_t)between(0, 255)
                              : (uint32_t)next_bits();
    }
}

static void run(const char *name, void (*kernel)(const uint32_t *, uint32_t *), enum kind of_a,
                enum kind of_c)
{
    const size_t words = ROWS * 10 * LANES;
    uint32_t *host = (uint32_t *)malloc(words * sizeof *host);
    uint32_t *in = nullptr;
    uint32_t *out = new_output<uint32_t>(ROWS * 4 * LANES);
    seed = 1;
    for (size_t i = 0; i < words; i++) {
        host[i] = next_register(i / LANES % 10 < 6 ? of_a : of_c, (int)(i / (10 * LANES)));
    }
    CHECK(cudaMalloc(&in, words * sizeof *host));
    CHECK(cudaMemcpy(in, host, words * sizeof *host, cudaMemcpyHostToDevice));
    kernel<<<ROWS, LANES>>>(in, out);
    print_result(name, out, ROWS * 4 * LANES);
    free(host);
}

static void run_doubles()
{
    const size_t words = ROWS * 4 * LANES;
    uint64_t *host = (uint64_t *)malloc(words * sizeof *host);
    uint64_t *in = nullptr;
    uint64_t *out = new_output<uint64_t>(ROWS * 2 * LANES);
    seed = 1;
    for (size_t i = 0; i < words; i++) {
        host[i] = next_number(11, 52, (int)(i / (4 * LANES)) % 8);
    }
    CHECK(cudaMalloc(&in, words * sizeof *host));
    CHECK(cudaMemcpy(in, host, words * sizeof *host, cudaMemcpyHostToDevice));
    mma_f64<<<ROWS, LANES>>>(in, out);
    print_result("tensor_mma, f64", out, ROWS * 2 * LANES);
    free(host);
}

#define RUN(name, form, op, of_a, of_c) run("tensor_mma, " #name, mma_##name, of_a, of_c);

int main()
{
    TABLE(RUN)
    run_doubles();
    return 0;
}
