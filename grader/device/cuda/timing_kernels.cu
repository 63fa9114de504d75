/* timing_kernels.cu: the grader's own kernels for timing (gpu_timing.h): they make data, compare
 * results and read clocks. Every parameter has 8 bytes, so that the host's side of a parameter
 * block is a plain struct (timing_kernels.h). Loops go on by the width of the grid: any grid does.
 *
 * nvcc or clang builds it. It uses no header of CUDA's, so that clang needs none.
 */
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#include <__clang_cuda_builtin_vars.h>
#endif

typedef unsigned long long word;

/* As in wire/timing_record.h. */
enum {
    TYPE_F32,
    TYPE_F64,
    TYPE_I32,
    TYPE_U32,
    TYPE_F16,
    TYPE_BF16,
    TYPE_I8,
    TYPE_U8,
    TYPE_I16,
    TYPE_U16
};

static __device__ word first_index()
{
    return (word)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ word width_of_grid()
{
    return (word)gridDim.x * blockDim.x;
}

/* Mixes a number (the finaliser of splitmix64). */
static __device__ word mix(word value)
{
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

/* Bits of the significand of a float; 0: an integer. */
static __device__ int digits_of(word type)
{
    switch (type) {
    case TYPE_F32:
        return 24;
    case TYPE_F64:
        return 53;
    case TYPE_F16:
        return 11;
    case TYPE_BF16:
        return 8;
    default:
        return 0;
    }
}

/* Stores the float of a type that is nearest to a number. */
static __device__ void put_float(void *values, word i, word type, double value)
{
    if (type == TYPE_F64) {
        ((double *)values)[i] = value;
    } else if (type == TYPE_F32) {
        ((float *)values)[i] = (float)value;
    } else if (type == TYPE_F16) {
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(((unsigned short *)values)[i]) : "f"((float)value));
    } else {
        /* the upper half of the bits of a float, to the nearest, to even in the middle */
        const float single = (float)value;
        const unsigned bits = *(const unsigned *)&single;
        ((unsigned short *)values)[i] = (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
}

/* Fills an operand: element i depends on the seed and i only. Floats of d digits are odd multiples
 * of 2^-d within (-1, 1); with `is_absolute` their absolute values, and those of the integers. */
extern "C" __global__ void gpugrade_fill(void *values, word elements, word seed, word type,
                                         word is_absolute)
{
    const int digits = digits_of(type);
    const double unit = 1.0 / (double)(1ll << digits);
    for (word i = first_index(); i < elements; i += width_of_grid()) {
        const word bits = mix(seed + (i + 1) * 0x9e3779b97f4a7c15u);
        if (digits > 0) {
            const double value =
                (double)(2 * (long long)(bits >> (64 - digits)) + 1 - (1ll << digits)) * unit;
            put_float(values, i, type, is_absolute && value < 0 ? -value : value);
        } else if (type == TYPE_I32) {
            const int value = (int)(bits >> 48) - 32768;
            ((int *)values)[i] = is_absolute && value < 0 ? -value : value;
        } else {
            ((unsigned *)values)[i] = (unsigned)(bits >> 48);
        }
    }
}

/* Fills an operand with numbers from `least` to `most`, which the type holds: floats of all parts
 * of the range, integers each equally likely; with `is_absolute` their absolute values. */
extern "C" __global__ void gpugrade_fill_range(void *values, word elements, word seed, word type,
                                               word is_absolute, double least, double most)
{
    const bool is_float = digits_of(type) > 0;
    const word numbers = (word)((long long)most - (long long)least) + 1;
    for (word i = first_index(); i < elements; i += width_of_grid()) {
        const word bits = mix(seed + (i + 1) * 0x9e3779b97f4a7c15u);
        if (is_float) {
            const double part = (double)(bits >> 11) * (1.0 / (double)(1ll << 53));
            const double value = least + (most - least) * part;
            put_float(values, i, type, is_absolute && value < 0 ? -value : value);
            continue;
        }
        const long long value = (long long)least + (long long)(bits % numbers);
        const long long kept = is_absolute && value < 0 ? -value : value;
        if (type == TYPE_I32 || type == TYPE_U32) {
            ((unsigned *)values)[i] = (unsigned)kept;
        } else if (type == TYPE_I16 || type == TYPE_U16) {
            ((unsigned short *)values)[i] = (unsigned short)kept;
        } else {
            ((unsigned char *)values)[i] = (unsigned char)kept;
        }
    }
}

/* What a comparison found: result[0] is the number of wrong elements, result[1] the lowest index of
 * one. */
static __device__ void report(word *result, word wrong, word first)
{
    if (wrong != 0) {
        asm volatile("red.global.add.u64 [%0], %1;" ::"l"(&result[0]), "l"(wrong) : "memory");
        asm volatile("red.global.min.u64 [%0], %1;" ::"l"(&result[1]), "l"(first) : "memory");
    }
}

/* An element of 1, 2, 4 or 8 bytes. */
static __device__ word bits_at(const void *values, word i, word element_bytes)
{
    if (element_bytes == 8) {
        return ((const word *)values)[i];
    }
    if (element_bytes == 4) {
        return ((const unsigned *)values)[i];
    }
    return element_bytes == 2 ? ((const unsigned short *)values)[i]
                              : ((const unsigned char *)values)[i];
}

/* Compares elements bit for bit; indices are reported from `base` on. */
extern "C" __global__ void gpugrade_compare_bits(const void *seen, const void *expected,
                                                 word elements, word element_bytes, word base,
                                                 word *result)
{
    word wrong = 0;
    word first = ~0ull;
    for (word i = first_index(); i < elements; i += width_of_grid()) {
        if (bits_at(seen, i, element_bytes) != bits_at(expected, i, element_bytes)) {
            first = wrong == 0 ? base + i : first;
            wrong++;
        }
    }
    report(result, wrong, first);
}

/* Compares floats: |seen - expected| <= bound * |magnitude|. A NaN on either side is wrong. */
extern "C" __global__ void gpugrade_compare_magnitudes(const float *seen, const float *expected,
                                                       const float *magnitudes, word elements,
                                                       double bound, word base, word *result)
{
    word wrong = 0;
    word first = ~0ull;
    for (word i = first_index(); i < elements; i += width_of_grid()) {
        const double difference = (double)seen[i] - (double)expected[i];
        const double magnitude = (double)magnitudes[i];
        const double limit = bound * (magnitude < 0 ? -magnitude : magnitude);
        if (!(difference <= limit && difference >= -limit)) {
            first = wrong == 0 ? base + i : first;
            wrong++;
        }
    }
    report(result, wrong, first);
}

/* The value of a half with these bits, and of a bfloat16. */
static __device__ float half_value(unsigned short bits)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

static __device__ float bfloat16_value(unsigned short bits)
{
    const unsigned wide = (unsigned)bits << 16;
    return *(const float *)&wide;
}

static __device__ double number_at(const void *values, word i, word type)
{
    switch (type) {
    case TYPE_F16:
        return half_value(((const unsigned short *)values)[i]);
    case TYPE_BF16:
        return bfloat16_value(((const unsigned short *)values)[i]);
    case TYPE_F32:
        return ((const float *)values)[i];
    case TYPE_F64:
        return ((const double *)values)[i];
    case TYPE_I32:
        return ((const int *)values)[i];
    case TYPE_U32:
        return ((const unsigned *)values)[i];
    case TYPE_I16:
        return ((const short *)values)[i];
    case TYPE_U16:
        return ((const unsigned short *)values)[i];
    case TYPE_I8:
        return ((const signed char *)values)[i];
    default:
        return ((const unsigned char *)values)[i];
    }
}

/* Compares numbers: |seen - expected| <= absolute + relative * |expected|. NaN is wrong. */
extern "C" __global__ void gpugrade_compare_close(const void *seen, const void *expected,
                                                  word elements, word type, double absolute,
                                                  double relative, word base, word *result)
{
    word wrong = 0;
    word first = ~0ull;
    for (word i = first_index(); i < elements; i += width_of_grid()) {
        const double wanted = number_at(expected, i, type);
        const double difference = number_at(seen, i, type) - wanted;
        const double limit = absolute + relative * (wanted < 0 ? -wanted : wanted);
        if (!(difference <= limit && difference >= -limit)) {
            first = wrong == 0 ? base + i : first;
            wrong++;
        }
    }
    report(result, wrong, first);
}

static __device__ word nanoseconds()
{
    word now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

static __device__ word cycles()
{
    word now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now));
    return now;
}

/* Reads the clocks of each multiprocessor that a block of this launch runs on: slots[smid] becomes
 * {cycles, nanoseconds}. One thread a block. */
extern "C" __global__ void gpugrade_stamp(word *slots, word slot_count)
{
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    if (threadIdx.x == 0 && multiprocessor < slot_count) {
        slots[2 * (word)multiprocessor] = cycles();
        slots[2 * (word)multiprocessor + 1] = nanoseconds();
    }
}

/* Holds back what was enqueued behind it until the host has written `ticket`, or a greater one, to
 * *flag, at most for `limit_ns`. */
extern "C" __global__ void gpugrade_gate(const volatile word *flag, word ticket, word limit_ns)
{
    const word started = nanoseconds();
    while (*flag < ticket && nanoseconds() - started < limit_ns) {
    }
}
