#include <stdio.h>
#define UNROLLED
#define DO_PRAGMA(x) _Pragma(#x)
#define THREADS 64
__forceinline__ __device__ int inl(int x) { return x + 1; }
__noinline__ __device__ int noinl(int x) { return x * 2; }
static inline __device__ int plain(const int x) { return x - 1; }
__device__ __noinline__ __attribute__((unused)) void never(volatile int *p) { *p = 0; }
__host__ __device__ static __forceinline__ float sq(float x) { return x * x; }
extern "C" __global__ void __launch_bounds__(THREADS) c_kernel(int *__restrict__ a, const int *__restrict__ b);
__global__ __launch_bounds__(THREADS, 2) void bounded(int *__restrict a, int const *const __restrict__ b) { a[threadIdx.x] = b[threadIdx.x] + inl(noinl(plain(threadIdx.x))); }
__launch_bounds__(128) __global__ static void other(register_t *unused_p, volatile int *v, int n) {
    int s = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) s += v[i];
#pragma unroll 1
    for (int i = 0; i < n; i++) s += i;
#pragma unroll 4
    for (int i = 0; i < n; ++i) s ^= i;
#pragma unroll (8)
    for (int i = n; i--;) s += v[i & 7];
#pragma nounroll
    while (n-- > 0) { s += 3; }
    DO_PRAGMA(unroll)
    for (int i = 0; i < 2; i++) s++;
#pragma unroll 32
    do { s--; } while (s > 1000);
    v[threadIdx.x] = s;
}
extern "C" __global__ void c_kernel(int *__restrict__ a, const int *__restrict__ b) { a[threadIdx.x] = sq(b[threadIdx.x]); }
int main() {
    int h[THREADS], *a, *b;
    for (int i = 0; i < THREADS; i++) h[i] = i;
    cudaMalloc(&a, sizeof(h)); cudaMalloc(&b, sizeof(h));
    cudaMemcpy(b, h, sizeof(h), cudaMemcpyHostToDevice);
    c_kernel<<<1, THREADS>>>(a, b); cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost); printf("%d ", h[9]);
    bounded<<<1, THREADS>>>(a, b); cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost); printf("%d ", h[9]);
    other<<<1, 1>>>(nullptr, b, 10); cudaMemcpy(h, b, 4, cudaMemcpyDeviceToHost); printf("%d\n", h[0]);
    return 0;
}
/* exit status 0, findings: none
81 26 132
*/
