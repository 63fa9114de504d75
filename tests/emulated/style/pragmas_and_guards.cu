#ifndef __CUDACC__
#error "compile with nvcc"
#endif
#include <cstdio>
#include <cuda.h>
#if CUDART_VERSION < 9000 || CUDA_VERSION < 9000
#error "too old"
#endif
#ifdef __NVCC__
#define COMPILER "nvcc"
#else
#error "please use nvcc"
#endif
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 9
#define NEW_SHUFFLES 1
#endif
#ifdef __CUDA_ARCH__
#define SIDE "device"
#else
#define SIDE "host"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 350
#error "old architecture"
#endif
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
#pragma nv_diag_suppress 177
#pragma GCC diagnostic ignored "-Wunused-variable"
HD inline int where()
{
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__ / 100 * 100;
#else
    return -1;
#endif
}
template <int U> __global__ void unrolled(const float *in, float *out)
{
    float acc[U] = {};
    int never_used;
#pragma unroll
    for (int i = 0; i < U; ++i) acc[i] = in[i];
#pragma unroll 4
    for (int i = 0; i < 32; i++) acc[i % U] += in[i];
#pragma unroll U
    for (int i = 0; i < U; i++) acc[i] *= 2;
#pragma unroll (2)
    for (int i = 1; i < U; i++) acc[0] += acc[i];
#pragma unroll 1
    for (int i = 0; i < 4; i++) acc[0] += 1;
    _Pragma("unroll") for (int i = 0; i < 2; i++) acc[0] += i;
    out[0] = acc[0];
}
__device__ __noinline__ float slow(float x) { return x * x + 1; }
static __device__ __forceinline__ float fast(const float x) { return x - 1; }
__forceinline__ __device__ float both(float x) { return slow(fast(x)); }
__host__ __device__ __forceinline__ int sq(int x) { return x * x; }
__device__ inline float plain(float x) { return x / 2; }
__global__ void calls(float *out, int *w) { out[1] = both(3.f) + plain(4.f) + sq(2); *w = where(); }
int main()
{
    float *d, h[2], in[32]; int *w, hw; float *i;
    for (int k = 0; k < 32; k++) in[k] = k;
    cudaMalloc(&d, sizeof h); cudaMalloc(&w, 4); cudaMalloc(&i, sizeof in);
    cudaMemcpy(i, in, sizeof in, cudaMemcpyHostToDevice);
    unrolled<8><<<1, 1>>>(i, d); calls<<<1, 1>>>(d, w);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); cudaMemcpy(&hw, w, 4, cudaMemcpyDeviceToHost);
    printf("%g %g %d %d %s %s %d\n", h[0], h[1], hw, where(), SIDE, COMPILER, sq(4));
}

/* exit status 0, findings: none
1053 11 700 -1 host nvcc 16
*/
