/* cvt from and to tf32, e4m3 and e5m2, with .satfinite and .relu, and cvt.pack: every f16 and every
 * byte, and floats around each number that the types have. "arch: compute_90" */
#include "../kernel_program.h"
#include <cstring>

#define COUNT (1 << 16)
#define THREADS 256

/* Every f16 as a float: itself, its neighbours, half-way to the next, or with other low bits. */
static float float_input(size_t i)
{
    uint32_t exponent = i >> 10 & 31, fraction = i & 1023, bits;
    uint32_t low[] = {0, 1, 0x1000, 0x0fff, 0x1001, 0x1fff, (uint32_t)(i * 2654435761u >> 19)};
    float value;

    exponent = exponent == 0 ? i % 3 * 120 : exponent == 31 ? 254 + i % 2 : exponent + 112;
    fraction = exponent == 255 && i % 5 == 0 ? 0 : fraction << 13 | low[i % 7];
    bits = (uint32_t)(i >> 15 & 1) << 31 | exponent << 23 | fraction;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define KERNEL(name, out_type, in_type, text, ...)                                                 \
    __global__ void name(const in_type *in, out_type *out)                                         \
    {                                                                                              \
        int i = blockIdx.x * THREADS + threadIdx.x;                                                \
        const in_type x = in[i], y = in[(i * 5 + 1) % COUNT], z = in[(i * 7 + 3) % COUNT];         \
        out_type d;                                                                                \
        (void)y, (void)z;                                                                          \
        asm(text : __VA_ARGS__);                                                                   \
        out[i] = d;                                                                                \
    }

#define FLOATS(name, text)                                                                         \
    KERNEL(name, uint32_t, float, text " %0, %1;", "=r"(d) : "f"(x))
#define FLOAT_16(name, text)                                                                       \
    KERNEL(name, uint16_t, float, text " %0, %1;", "=h"(d) : "f"(x))
#define FLOAT_PAIRS(name, text)                                                                    \
    KERNEL(name, uint32_t, float, text " %0, %1, %2;", "=r"(d) : "f"(x), "f"(y))
#define FLOAT_PAIRS_16(name, text)                                                                 \
    KERNEL(name, uint16_t, float, text " %0, %1, %2;", "=h"(d) : "f"(x), "f"(y))
#define HALVES(name, text)                                                                         \
    KERNEL(name, uint16_t, uint32_t, text " %0, %1;", "=h"(d) : "r"(x))
#define BYTES(name, text)                                                                          \
    KERNEL(name, uint32_t, uint32_t, text " %0, %1;", "=r"(d) : "h"((uint16_t)x))
#define PACK(name, text)                                                                           \
    KERNEL(name, uint32_t, uint32_t, text " %0, %1, %2;", "=r"(d)                                  \
           : "r"((int)x >> (int)(x % 29)), "r"((int)y >> (int)(y % 31)))
#define PACK_BEFORE(name, text)                                                                    \
    KERNEL(name, uint32_t, uint32_t, text " %0, %1, %2, %3;", "=r"(d)                              \
           : "r"((int)x >> (int)(x % 29)), "r"((int)y >> (int)(y % 31)), "r"(z))

/* EACH(kind, name, instruction) */
#define ALL(EACH)                                                                                  \
    EACH(FLOATS, tf32_rna, "cvt.rna.tf32.f32")                                                     \
    EACH(FLOATS, tf32_rna_finite, "cvt.rna.satfinite.tf32.f32")                                    \
    EACH(FLOATS, tf32_rn, "cvt.rn.tf32.f32")                                                       \
    EACH(FLOATS, tf32_rz_relu, "cvt.rz.relu.tf32.f32")                                             \
    EACH(FLOAT_16, f16_finite, "cvt.rn.satfinite.f16.f32")                                         \
    EACH(FLOAT_16, bf16_rz_finite, "cvt.rz.relu.satfinite.bf16.f32")                               \
    EACH(FLOAT_PAIRS, f16x2, "cvt.rn.f16x2.f32")                                                   \
    EACH(FLOAT_PAIRS, f16x2_finite, "cvt.rz.satfinite.f16x2.f32")                                  \
    EACH(FLOAT_PAIRS, bf16x2_relu_finite, "cvt.rn.relu.satfinite.bf16x2.f32")                      \
    EACH(FLOAT_PAIRS_16, e4m3_of_floats, "cvt.rn.satfinite.e4m3x2.f32")                            \
    EACH(FLOAT_PAIRS_16, e4m3_of_floats_relu, "cvt.rn.satfinite.relu.e4m3x2.f32")                  \
    EACH(FLOAT_PAIRS_16, e5m2_of_floats, "cvt.rn.satfinite.e5m2x2.f32")                            \
    EACH(FLOAT_PAIRS_16, e5m2_of_floats_relu, "cvt.rn.satfinite.relu.e5m2x2.f32")                  \
    EACH(HALVES, e4m3_of_halves, "cvt.rn.satfinite.e4m3x2.f16x2")                                  \
    EACH(HALVES, e4m3_of_halves_relu, "cvt.rn.satfinite.relu.e4m3x2.f16x2")                        \
    EACH(HALVES, e5m2_of_halves, "cvt.rn.satfinite.e5m2x2.f16x2")                                  \
    EACH(HALVES, e5m2_of_halves_relu, "cvt.rn.satfinite.relu.e5m2x2.f16x2")                        \
    EACH(BYTES, halves_of_e4m3, "cvt.rn.f16x2.e4m3x2")                                             \
    EACH(BYTES, halves_of_e4m3_relu, "cvt.rn.relu.f16x2.e4m3x2")                                   \
    EACH(BYTES, halves_of_e5m2, "cvt.rn.f16x2.e5m2x2")                                             \
    EACH(BYTES, halves_of_e5m2_relu, "cvt.rn.relu.f16x2.e5m2x2")                                   \
    EACH(PACK, pack_u16, "cvt.pack.sat.u16.s32")                                                   \
    EACH(PACK, pack_s16, "cvt.pack.sat.s16.s32")                                                   \
    EACH(PACK_BEFORE, pack_u8, "cvt.pack.sat.u8.s32.b32")                                          \
    EACH(PACK_BEFORE, pack_s8, "cvt.pack.sat.s8.s32.b32")                                          \
    EACH(PACK_BEFORE, pack_u4, "cvt.pack.sat.u4.s32.b32")                                          \
    EACH(PACK_BEFORE, pack_s4, "cvt.pack.sat.s4.s32.b32")                                          \
    EACH(PACK_BEFORE, pack_u2, "cvt.pack.sat.u2.s32.b32")                                          \
    EACH(PACK_BEFORE, pack_s2, "cvt.pack.sat.s2.s32.b32")

#define DEFINE(kind, name, text) kind(name, text)
ALL(DEFINE)

static float *floats;
static uint32_t *words;

template <typename T> static void run(const char *name, void (*kernel)(const float *, T *))
{
    T *out = new_output<T>(COUNT);
    kernel<<<COUNT / THREADS, THREADS>>>(floats, out);
    print_result(name, out, COUNT);
    CHECK(cudaFree(out));
}

template <typename T> static void run(const char *name, void (*kernel)(const uint32_t *, T *))
{
    T *out = new_output<T>(COUNT);
    kernel<<<COUNT / THREADS, THREADS>>>(words, out);
    print_result(name, out, COUNT);
    CHECK(cudaFree(out));
}

int main()
{
    float *host_floats = (float *)malloc(COUNT * sizeof *host_floats);
    uint32_t *host_words = (uint32_t *)malloc(COUNT * sizeof *host_words);
    for (size_t i = 0; i < COUNT; i++) {
        host_floats[i] = float_input(i);
        host_words[i] = (uint32_t)(i | (i * 40503u + 17) << 16);
    }
    CHECK(cudaMalloc(&floats, COUNT * sizeof *floats));
    CHECK(cudaMalloc(&words, COUNT * sizeof *words));
    CHECK(cudaMemcpy(floats, host_floats, COUNT * sizeof *floats, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(words, host_words, COUNT * sizeof *words, cudaMemcpyHostToDevice));
#define RUN(kind, name, text) run("conversions_narrow, " #name, name);
    ALL(RUN)
    free(host_floats);
    free(host_words);
    return 0;
}
