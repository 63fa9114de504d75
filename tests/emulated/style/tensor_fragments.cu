// flags: -arch=sm_80
#include <cstdio>
#include <mma.h>
using namespace nvcuda::wmma;

// What a fragment says of itself, and what one does to its elements by hand.
template <class F> __device__ void describe(const char *name)
{
    if (threadIdx.x == 0) {
        printf("%s: %d of %d bytes\n", name, (int)F::num_elements,
               (int)sizeof(typename F::storage_element_type));
    }
}

__global__ void relu(const half *a, const half *b, const float *bias, float *c, half *small)
{
    fragment<matrix_a, 16, 16, 16, half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, half, col_major> fb;
    fragment<accumulator, 16, 16, 16, float> sum, more;
    fragment<accumulator, 16, 16, 16, half> half_sum;
    describe<decltype(fa)>("a");
    describe<decltype(sum)>("sum");
    describe<fragment<matrix_b, 32, 8, 16, signed char, col_major>>("bytes");
    describe<fragment<matrix_a, 16, 16, 8, precision::tf32, row_major>>("tf32");
    describe<fragment<accumulator, 8, 8, 4, double>>("double");
    load_matrix_sync(fa, a, 16);
    load_matrix_sync(fb, b, 16);
    load_matrix_sync(sum, bias, 0, mem_row_major);
    fill_fragment(half_sum, 1.5f);
    mma_sync(sum, fa, fb, sum);
    mma_sync(more, fa, fb, half_sum);
    mma_sync(half_sum, fa, fb, sum);
    for (int i = 0; i < sum.num_elements; i++) {
        sum.x[i] = fmaxf(sum.x[i] + more.x[i], 0.0f);
        half_sum.x[i] = half_sum.x[i] + half_sum.x[i];
    }
    store_matrix_sync(c, sum, 16, mem_col_major);
    store_matrix_sync(small, half_sum, 16, mem_row_major);
}

__global__ void bytes(const unsigned char *a, int *c)
{
    fragment<matrix_a, 8, 32, 16, unsigned char, col_major> fa;
    fragment<matrix_b, 8, 32, 16, unsigned char, row_major> fb;
    fragment<accumulator, 8, 32, 16, int> sum, stopped;
    load_matrix_sync(fa, a, 16);
    load_matrix_sync(fb, a, 32);
    fill_fragment(sum, 2147483000);
    mma_sync(stopped, fa, fb, sum, true);
    mma_sync(sum, fa, fb, sum);
    store_matrix_sync(c, sum, 32, mem_row_major);
    store_matrix_sync(c + 256, stopped, 32, mem_row_major);
}

__global__ void tf32(const float *a, float *c)
{
    fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> fa;
    fragment<matrix_b, 16, 16, 8, precision::tf32, row_major> fb;
    fragment<accumulator, 16, 16, 8, float> sum;
    fill_fragment(sum, 0.0f);
    load_matrix_sync(fa, a, 8);
    load_matrix_sync(fb, a, 16);
    for (int i = 0; i < fa.num_elements; i++)
        fa.x[i] = __float_to_tf32(fa.x[i]);
    for (auto &x : fb.x)
        x = __float_to_tf32(x);
    mma_sync(sum, fa, fb, sum);
    store_matrix_sync(c, sum, 16, mem_row_major);
}

template <class T> static double checksum(const T *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)(float)values[i] * (i % 7 + 1);
    return sum;
}

int main()
{
    half *a, *small;
    float *f, *c;
    unsigned char *u;
    int *d;
    cudaMallocManaged(&a, 512 * sizeof(half));
    cudaMallocManaged(&small, 256 * sizeof(half));
    cudaMallocManaged(&f, 256 * sizeof(float));
    cudaMallocManaged(&c, 256 * sizeof(float));
    cudaMallocManaged(&u, 512);
    cudaMallocManaged(&d, 512 * sizeof(int));
    for (int i = 0; i < 512; i++) {
        a[i] = __float2half((i * 5 % 17 - 8) / 4.0f);
        u[i] = i % 251;
        f[i % 256] = (i * 3 % 19 - 9) / 8.0f;
    }
    relu<<<1, 32>>>(a, a + 256, f, c, small);
    bytes<<<1, 32>>>(u, d);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("%g %g %g\n", checksum(c, 256), checksum(small, 256), checksum(d, 512));
    tf32<<<1, 32>>>(f, c);
    cudaDeviceSynchronize();
    printf("%g %d\n", checksum(c, 256), d[511]);
    return 0;
}

/* exit status 0, findings: none
a: 16 of 2 bytes
sum: 8 of 4 bytes
bytes: 4 of 1 bytes
tf32: 4 of 4 bytes
double: 2 of 8 bytes
no error
10495.5 -657.5 1.96107e+10
111.25 2147483647
*/
