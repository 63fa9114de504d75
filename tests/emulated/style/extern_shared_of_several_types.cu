#include <cstdio>
extern __shared__ int shared_ints[];
template <typename T> struct SharedMemory {
    __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; }
    __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; }
};
__global__ void one(float *out, int n) {
    extern __shared__ float sdata[];
    sdata[threadIdx.x] = threadIdx.x; __syncthreads();
    out[threadIdx.x] = sdata[n - 1 - threadIdx.x];
}
__global__ void two(float *out, int n) {
    extern __shared__ char buf[];
    double *d = (double *)buf; int *i = (int *)&d[n]; unsigned char *c = (unsigned char *)(i + n);
    int t = threadIdx.x;
    d[t] = t * .5; i[t] = t * 2; c[t] = t + 250; __syncthreads();
    int r = (t + 1) % n; out[t] = d[r] + i[r] + c[r];
}
template <class T> __global__ void three(T *out, int n) {
    T *s = SharedMemory<T>(); s[threadIdx.x] = out[threadIdx.x]; __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1] + (T)n;
}
__global__ void four(float *out) {
    shared_ints[threadIdx.x] = threadIdx.x; __syncthreads();
    out[threadIdx.x] += shared_ints[(threadIdx.x + 3) % blockDim.x];
}
__global__ void five(float *out) {
    extern __shared__ float4 v[]; extern __shared__ volatile int vi[];
    v[threadIdx.x] = make_float4(1, 2, threadIdx.x, 4); __syncthreads();
    out[threadIdx.x] += v[(threadIdx.x + 1) % 8].z + (vi[0] != 0);
}
int main() {
    float *d, h[8]; const int n = 8; size_t bytes = n * sizeof(float);
    cudaMalloc(&d, bytes);
#define SHOW cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost); for (int k = 0; k < n; k++) printf("%g ", h[k]); puts("");
    one<<<1, n, bytes>>>(d, n); SHOW
    two<<<1, n, n * (sizeof(double) + sizeof(int) + 1)>>>(d, n); SHOW
    three<float><<<1, n, bytes>>>(d, n); SHOW
    four<<<1, n, n * sizeof(int), 0>>>(d); SHOW
    five<<<1, n, n * sizeof(float4)>>>(d); SHOW
    return 0;
}
/* exit status 0, findings: none
7 6 5 4 3 2 1 0 
253.5 257 260.5 264 267.5 15 18.5 250 
265 261.5 272 268.5 23 275.5 258 26.5 
268 265.5 277 274.5 30 275.5 259 28.5 
270 268.5 281 279.5 36 282.5 267 29.5 
*/
