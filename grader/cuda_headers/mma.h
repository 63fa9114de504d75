/* mma.h: nvcuda::wmma: matrices whose elements the lanes of a warp hold together, and their
 * products on tensor cores. All lanes call each function, with the same arguments but for the
 * fragments. Pitches are in elements. A and B are of half or bytes and, from 8.0 on, of bfloat16,
 * tf32 or double. */
#ifndef GPUGRADE_CUDA_HEADERS_MMA_H
#define GPUGRADE_CUDA_HEADERS_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if defined(__cplusplus) && defined(__CUDA__)
namespace nvcuda
{
namespace wmma
{
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}

template <class T> struct gpugrade_stored {
    typedef T type;
};
template <> struct gpugrade_stored<precision::tf32> {
    typedef float type;
};
template <class Layout> struct gpugrade_is_column;
template <> struct gpugrade_is_column<row_major> {
    enum { value = 0 };
};
template <> struct gpugrade_is_column<col_major> {
    enum { value = 1 };
};

/* A lane's part of a matrix: x[num_elements]. */
template <class T, int count> struct __align__(8) __frag_base
{
    enum { num_elements = count, num_storage_elements = count };
    typedef T element_type;
    typedef typename gpugrade_stored<T>::type storage_element_type;
    storage_element_type x[count];
};
template <class Use, int m, int n, int k, class T, class Layout = void> class fragment;

template <class T, int count>
GPUGRADE_DEVICE void fill_fragment(__frag_base<T, count> &filled,
                                   const typename gpugrade_stored<T>::type &value)
{
    for (int i = 0; i < count; i++) {
        filled.x[i] = value;
    }
}

/* What follows makes the functions of a shape out of clang's, whose names begin with `family` and
 * say the shape. They take a fragment as an array of `word`. */
#define GPUGRADE_OF(family, M, N, K, what) __##family##_m##M##n##N##k##K##_##what

/* A or B. */
#define GPUGRADE_FACTOR(use, M, N, K, T, count, load, word)                                        \
    template <class Layout> class fragment<use, M, N, K, T, Layout> : public __frag_base<T, count> \
    {                                                                                              \
        enum { layout = gpugrade_is_column<Layout>::value };                                       \
    };                                                                                             \
    template <class Layout>                                                                        \
    GPUGRADE_DEVICE void load_matrix_sync(fragment<use, M, N, K, T, Layout> &loaded,               \
                                          const gpugrade_stored<T>::type *matrix, unsigned pitch)  \
    {                                                                                              \
        load((word *)loaded.x, (const word *)matrix, pitch, gpugrade_is_column<Layout>::value);    \
    }
#define GPUGRADE_FACTORS(family, M, N, K, T, a_count, b_count, word, suffix)                       \
    GPUGRADE_FACTOR(matrix_a, M, N, K, T, a_count, GPUGRADE_OF(family, M, N, K, ld_a##suffix),     \
                    word)                                                                          \
    GPUGRADE_FACTOR(matrix_b, M, N, K, T, b_count, GPUGRADE_OF(family, M, N, K, ld_b##suffix), word)

/* C or D. */
#define GPUGRADE_SUM(M, N, K, T, load, store, word)                                                \
    template <> class fragment<accumulator, M, N, K, T> : public __frag_base<T, M * N / 32>        \
    {                                                                                              \
    };                                                                                             \
    GPUGRADE_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T> &loaded,               \
                                          const T *matrix, unsigned pitch, layout_t layout)        \
    {                                                                                              \
        if (layout == mem_row_major) {                                                             \
            load((word *)loaded.x, (const word *)matrix, pitch, 0);                                \
        } else {                                                                                   \
            load((word *)loaded.x, (const word *)matrix, pitch, 1);                                \
        }                                                                                          \
    }                                                                                              \
    GPUGRADE_DEVICE void store_matrix_sync(T *matrix,                                              \
                                           const fragment<accumulator, M, N, K, T> &stored,        \
                                           unsigned pitch, layout_t layout)                        \
    {                                                                                              \
        if (layout == mem_row_major) {                                                             \
            store((word *)matrix, (word *)stored.x, pitch, 0);                                     \
        } else {                                                                                   \
            store((word *)matrix, (word *)stored.x, pitch, 1);                                     \
        }                                                                                          \
    }

/* d = a b + c. What follows `multiply` are more parameters, and whether sums stop at the ends of
 * their type's range. */
#define GPUGRADE_PRODUCT(M, N, K, D, d_word, T, word, C, c_word, multiply, parameters, saturates)  \
    template <class A, class B>                                                                    \
    GPUGRADE_DEVICE void mma_sync(                                                                 \
        fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, A> &a,          \
        const fragment<matrix_b, M, N, K, T, B> &b,                                                \
        const fragment<accumulator, M, N, K, C> &c GPUGRADE_UNWRAPPED parameters)                  \
    {                                                                                              \
        enum { layout = 2 * gpugrade_is_column<A>::value + gpugrade_is_column<B>::value };         \
        if (saturates) {                                                                           \
            multiply((d_word *)d.x, (const word *)a.x, (const word *)b.x, (const c_word *)c.x,     \
                     layout, 1);                                                                   \
        } else {                                                                                   \
            multiply((d_word *)d.x, (const word *)a.x, (const word *)b.x, (const c_word *)c.x,     \
                     layout, 0);                                                                   \
        }                                                                                          \
    }
#define GPUGRADE_UNWRAPPED(...) __VA_ARGS__

#define GPUGRADE_HALVES(M, N, K)                                                                   \
    GPUGRADE_FACTORS(hmma, M, N, K, __half, 16, 16, int, )                                         \
    GPUGRADE_SUM(M, N, K, float, GPUGRADE_OF(hmma, M, N, K, ld_c_f32),                             \
                 GPUGRADE_OF(hmma, M, N, K, st_c_f32), float)                                      \
    GPUGRADE_SUM(M, N, K, __half, GPUGRADE_OF(hmma, M, N, K, ld_c_f16),                            \
                 GPUGRADE_OF(hmma, M, N, K, st_c_f16), int)                                        \
    GPUGRADE_HALF_PRODUCT(M, N, K, float, float, float, float, mma_f32f32)                         \
    GPUGRADE_HALF_PRODUCT(M, N, K, float, float, __half, int, mma_f32f16)                          \
    GPUGRADE_HALF_PRODUCT(M, N, K, __half, int, float, float, mma_f16f32)                          \
    GPUGRADE_HALF_PRODUCT(M, N, K, __half, int, __half, int, mma_f16f16)
#define GPUGRADE_HALF_PRODUCT(M, N, K, D, d_word, C, c_word, multiply)                             \
    GPUGRADE_PRODUCT(M, N, K, D, d_word, __half, int, C, c_word,                                   \
                     GPUGRADE_OF(hmma, M, N, K, multiply), (), false)

#define GPUGRADE_BYTES_OF(M, N, K, T, s8)                                                          \
    GPUGRADE_FACTORS(imma, M, N, K, T, M *K / 32, K * N / 32, int, _##s8)                          \
    GPUGRADE_PRODUCT(M, N, K, int, int, T, int, int, int, GPUGRADE_OF(imma, M, N, K, mma_##s8),    \
                     (, bool saturates = false), saturates)
#define GPUGRADE_BYTES(M, N, K)                                                                    \
    GPUGRADE_SUM(M, N, K, int, GPUGRADE_OF(imma, M, N, K, ld_c),                                   \
                 GPUGRADE_OF(imma, M, N, K, st_c_i32), int)                                        \
    GPUGRADE_BYTES_OF(M, N, K, signed char, s8)                                                    \
    GPUGRADE_BYTES_OF(M, N, K, unsigned char, u8)

/* The sums are those of halves. */
#define GPUGRADE_BFLOATS(M, N, K)                                                                  \
    GPUGRADE_FACTORS(mma_bf16, M, N, K, __nv_bfloat16, M *K / 32, K * N / 32, int, )               \
    GPUGRADE_PRODUCT(M, N, K, float, float, __nv_bfloat16, int, float, float,                      \
                     GPUGRADE_OF(mma_bf16, M, N, K, mma_f32), (), false)

GPUGRADE_HALVES(16, 16, 16)
GPUGRADE_HALVES(32, 8, 16)
GPUGRADE_HALVES(8, 32, 16)
GPUGRADE_BYTES(16, 16, 16)
GPUGRADE_BYTES(32, 8, 16)
GPUGRADE_BYTES(8, 32, 16)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
GPUGRADE_BFLOATS(16, 16, 16)
GPUGRADE_BFLOATS(32, 8, 16)
GPUGRADE_BFLOATS(8, 32, 16)

GPUGRADE_DEVICE float __float_to_tf32(float value)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __uint_as_float(bits);
}
GPUGRADE_FACTORS(mma_tf32, 16, 16, 8, precision::tf32, 4, 4, int, )
GPUGRADE_SUM(16, 16, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32, float)
GPUGRADE_PRODUCT(16, 16, 8, float, float, precision::tf32, int, float, float,
                 __mma_tf32_m16n16k8_mma_f32, (), false)

GPUGRADE_FACTORS(dmma, 8, 8, 4, double, 1, 1, double, )
GPUGRADE_SUM(8, 8, 4, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64, double)
GPUGRADE_PRODUCT(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64, (),
                 false)
#endif

#undef GPUGRADE_BFLOATS
#undef GPUGRADE_BYTES
#undef GPUGRADE_BYTES_OF
#undef GPUGRADE_FACTOR
#undef GPUGRADE_FACTORS
#undef GPUGRADE_HALF_PRODUCT
#undef GPUGRADE_HALVES
#undef GPUGRADE_OF
#undef GPUGRADE_PRODUCT
#undef GPUGRADE_SUM
#undef GPUGRADE_UNWRAPPED
} // namespace wmma
} // namespace nvcuda
#endif

#endif
