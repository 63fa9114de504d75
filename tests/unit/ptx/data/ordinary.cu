/* ordinary.cu: what students' kernels are made of, for test_ptx_nvcc.c. It is compiled, never run:
 * nothing in it computes anything of use. */
#include <cassert>
#include <cstdio>
#include <cuda_fp16.h>

struct pair {
    float x;
    char c;
    double d;
    int *p;
};
struct __attribute__((packed)) packed_pair {
    char c;
    int *p;
};

__constant__ float taps[3] = {1.5f, -2.0f, 3.25f};
__constant__ int edge = 16;
__device__ double grid[2][3] = {{1.0, 2.0}, {3.0}};
__device__ int numbers[4] = {1, 2, 3, 4};
__device__ int *pointer = &numbers[2];
__device__ pair one_pair = {1.0f, 'a', 2.0, numbers + 1};
__device__ packed_pair one_packed = {'x', numbers + 3};
__managed__ int managed = 3;
__device__ const char *message = "hello";

typedef float (*function)(float);
__device__ __noinline__ float twice(float x)
{
    return 2 * x;
}
__device__ __noinline__ float wavy(float x)
{
    return x + sinf(x) * expf(x);
}
__device__ function functions[2] = {twice, wavy};

__device__ __noinline__ pair change(int a, pair p)
{
    p.x += a;
    return p;
}

__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

template <typename T>
__global__ void tiled(const T *A, const T *B, T *C, int a_width, int b_width)
{
    __shared__ T As[16][16], Bs[16][17];
    T sum = 0;
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;

    for (int t = 0; t < a_width / 16; t++) {
        As[threadIdx.y][threadIdx.x] = A[row * a_width + t * 16 + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(t * 16 + threadIdx.y) * b_width + column];
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();
    }
    C[row * b_width + column] = sum;
}
template __global__ void tiled<float>(const float *, const float *, float *, int, int);
template __global__ void tiled<double>(const double *, const double *, double *, int, int);
template __global__ void tiled<int>(const int *, const int *, int *, int, int);

__global__ void dynamic(float *x, int n)
{
    extern __shared__ float tile[];

    tile[threadIdx.x] = x[threadIdx.x] * taps[threadIdx.x % 3] * edge;
    __syncthreads();
    x[threadIdx.x] = tile[n - threadIdx.x];
}

__global__ void __launch_bounds__(256, 2)
    control(float *x, double *d, int *i, pair p, function g, int n)
{
    int t = threadIdx.x;
    int local[32];

    switch (i[t]) {
    case 0: x[t] = 1; break;
    case 1: x[t] = sqrtf(x[t]); break;
    case 2: d[t] = sqrt(d[t]) + sin(d[t]) + pow(d[t], 2.2); break;
    case 3: x[t] = __fdividef(x[t], 3.0f); break;
    case 4: x[t] /= 7.5f; break;
    case 5: d[t] /= 3.0; break;
    case 6: i[t] /= n; break;
    case 7: x[t] = g(x[t]); break;
    case 8: x[t] = functions[n & 1](x[t]); break;
    default: x[t] = p.x + p.c + p.d;
    }
    for (int k = 0; k < 32; k++) {
        local[k] = i[k];
    }
    for (int k = 0; k < n; k++) {
        local[(k * 7) & 31] += k;
    }
    pair changed = change(n, p);
    i[t] += local[n & 31] + fibonacci(n) + *pointer + managed + one_packed.c + (int)changed.x;
    d[t] += grid[n & 1][2] + one_pair.x;
    printf("%d %f %s\n", t, x[t], message);
    assert(n != 77);
    int *heap = (int *)malloc(16);
    heap[0] = t;
    free(heap);
    if (n == 99) {
        __trap();
    }
}

__global__ void together(float *x, int *i, unsigned *u, unsigned long long *l)
{
    int t = threadIdx.x;
    int all_same;

    atomicAdd(x, 1.0f);
    atomicMax(u, 5u);
    atomicCAS(i, 1, 2);
    atomicExch(u, 3u);
    atomicInc(u, 9);
    atomicAnd(i, 3);
    atomicAdd(l, 1ull);
    i[t] = __shfl_sync(~0u, i[t], 3);
    x[t] += __shfl_down_sync(~0u, x[t], 1) + __shfl_xor_sync(~0u, x[t], 1);
    u[t] = __ballot_sync(~0u, x[t] > 0) + __any_sync(~0u, t) + __activemask() +
           __match_any_sync(~0u, t) + __match_all_sync(~0u, t, &all_same) + all_same;
    u[t] += __popc(u[t]) + __clz(i[t]) + __ffs(i[t]) + __brev(u[t]) + __umulhi(u[t], 9) +
            __byte_perm(u[t], 3, 0x1234) + __funnelshift_l(u[t], 1, t) + __dp4a(u[t], 3u, 4u);
    u[t] += __syncthreads_count(t) + __syncthreads_and(t) + __syncthreads_or(t);
    __threadfence();
    __threadfence_block();
    __syncwarp();
    __nanosleep(10);
    l[t] += clock64() + clock();
    __int128 wide = (__int128)l[t] * l[t + 1];
    l[t] = (unsigned long long)(wide >> 64);
}

__global__ void numeric(float *x, __half *h, __half2 *h2)
{
    int t = threadIdx.x;
    unsigned a;
    unsigned b;

    x[t] += __sinf(x[t]) + __expf(x[t]) + __logf(x[t]) + rsqrtf(x[t]) + tanhf(x[t]) +
            powf(x[t], 3.3f) + fmodf(x[t], 2.0f) + fminf(x[t], 2) + fabsf(x[t]) + floorf(x[t]) +
            rintf(x[t]) + copysignf(x[t], -1.0f) + __frcp_rn(x[t]) + __fadd_ru(x[t], 1) +
            isnan(x[t]);
    h[t] = __hadd(h[t], h[t + 1]);
    h2[t] = __hfma2(h2[t], h2[t], h2[t + 1]);
    float4 four = ((float4 *)x)[t];
    four.x += four.w;
    ((float4 *)x)[t] = four;
    asm volatile("{ .reg .u32 %%tmp; .reg .pred q; setp.ne.u32 q, %2, 0;\n"
                 "@q mov.u32 %%tmp, 0b101; @!q mov.u32 %%tmp, 017;\n"
                 "add.cc.u32 %0, %%tmp, 1; addc.u32 %1, %%tmp, 0x10U; }"
                 : "=r"(a), "=r"(b)
                 : "r"(t));
    x[t] += a + b;
}

int main()
{
    dynamic<<<1, 1, 64>>>(nullptr, 0);
    return 0;
}
