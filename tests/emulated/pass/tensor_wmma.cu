/* nvcuda::wmma of every type, shape and layout: what fragments hold, and what multiplying them
 * stores. "arch: compute_80" */
#include "../kernel_program.h"

#include <mma.h>

using namespace nvcuda;

#define LANES 32
#define PAD 16 /* elements after each row or column */

/* Loads a, b and c, multiplies, stores d, and says what each lane holds of a, b and c. */
template <typename T, typename A, typename C, int M, int N, int K, typename LayoutA,
          typename LayoutB>
__global__ void multiply(const T *a, const T *b, const C *c, C *d, uint8_t *held, int pitch_a,
                         int pitch_b, int pitch_c, wmma::layout_t layout)
{
    wmma::fragment<wmma::matrix_a, M, N, K, A, LayoutA> fragment_a;
    wmma::fragment<wmma::matrix_b, M, N, K, A, LayoutB> fragment_b;
    wmma::fragment<wmma::accumulator, M, N, K, C> fragment_c;
    wmma::load_matrix_sync(fragment_a, a, pitch_a);
    wmma::load_matrix_sync(fragment_b, b, pitch_b);
    wmma::load_matrix_sync(fragment_c, c, pitch_c, layout);
    uint8_t *own = held + threadIdx.x * 256;
    for (int i = 0; i < (int)sizeof fragment_a.x; i++) {
        own[i] = ((const uint8_t *)fragment_a.x)[i];
    }
    for (int i = 0; i < (int)sizeof fragment_b.x; i++) {
        own[64 + i] = ((const uint8_t *)fragment_b.x)[i];
    }
    for (int i = 0; i < (int)sizeof fragment_c.x; i++) {
        own[128 + i] = ((const uint8_t *)fragment_c.x)[i];
    }
    wmma::mma_sync(fragment_c, fragment_a, fragment_b, fragment_c);
    wmma::store_matrix_sync(d, fragment_c, pitch_c, layout);
}

/* The elements of a matrix: small whole numbers, all different where the type can hold them. */
template <typename T> static T *new_matrix(size_t count, int step)
{
    T *host = (T *)malloc(count * sizeof(T));
    T *device = nullptr;
    for (size_t i = 0; i < count; i++) {
        host[i] = (T)(float)((i * step + i / 97) % 127);
    }
    CHECK(cudaMalloc(&device, count * sizeof(T)));
    CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
    free(host);
    return device;
}

typedef __half f16;
typedef __nv_bfloat16 bf16;
typedef signed char s8;
typedef unsigned char u8;
typedef wmma::precision::tf32 tf32;
typedef double f64;

template <typename Layout> static bool is_in_rows()
{
    return false;
}

template <> bool is_in_rows<wmma::row_major>()
{
    return true;
}

template <typename T, typename A, typename C, int M, int N, int K, typename LayoutA,
          typename LayoutB>
static void run(const char *name, wmma::layout_t layout)
{
    const int most = 32 + PAD;
    T *a = new_matrix<T>(most * most, 1);
    T *b = new_matrix<T>(most * most, 5);
    C *c = new_matrix<C>(most * most, 3);
    C *d = new_output<C>(most * most);
    uint8_t *held = new_output<uint8_t>(LANES * 256);
    multiply<T, A, C, M, N, K, LayoutA, LayoutB>
        <<<1, LANES>>>(a, b, c, d, held, (is_in_rows<LayoutA>() ? K : M) + PAD,
                       (is_in_rows<LayoutB>() ? N : K) + PAD,
                       (layout == wmma::mem_row_major ? N : M) + PAD, layout);
    print_result(name, d, most * most);
    print_result(name, held, LANES * 256);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    CHECK(cudaFree(d));
    CHECK(cudaFree(held));
}

#define RUN(T, A, C, M, N, K, a, b, c)                                                             \
    run<T, A, C, M, N, K, wmma::a##_major, wmma::b##_major>("tensor_wmma, " #A " " #C " " #M       \
                                                            "x" #N "x" #K " " #a " " #b " " #c,    \
                                                            wmma::mem_##c##_major)

#define ALL_LAYOUTS(T, A, C, M, N, K)                                                              \
    RUN(T, A, C, M, N, K, row, row, row);                                                          \
    RUN(T, A, C, M, N, K, col, row, col);                                                          \
    RUN(T, A, C, M, N, K, row, col, col);                                                          \
    RUN(T, A, C, M, N, K, col, col, row)

#define ALL_SHAPES(T, A, C)                                                                        \
    ALL_LAYOUTS(T, A, C, 16, 16, 16);                                                              \
    ALL_LAYOUTS(T, A, C, 32, 8, 16);                                                               \
    ALL_LAYOUTS(T, A, C, 8, 32, 16)

int main()
{
    ALL_SHAPES(__half, f16, float);
    ALL_SHAPES(__half, f16, __half);
    ALL_SHAPES(__nv_bfloat16, bf16, float);
    ALL_SHAPES(signed char, s8, int);
    ALL_SHAPES(unsigned char, u8, int);
    ALL_LAYOUTS(float, tf32, float, 16, 16, 8);
    ALL_LAYOUTS(double, f64, double, 8, 8, 4);
    return 0;
}
