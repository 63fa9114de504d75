#include <stdio.h>
#define RADIUS 3
struct Params { float a; int n; double eps; };
__constant__ float coef[2 * RADIUS + 1];
__constant__ Params params;
__constant__ int two[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ int counter = 5;
__device__ float results[4];
static __device__ unsigned long long total;
__device__ const int device_const = 12;
__device__ Params *pointer;

static __global__ void kernel(void) {
    float s = 0;
    for (int i = 0; i < 2 * RADIUS + 1; i++) s += coef[i];
    results[threadIdx.x] = s * params.a + two[1][threadIdx.x % 3] + device_const;
    atomicAdd(&counter, params.n);
    if (threadIdx.x == 0) { total = 1ULL << 40; pointer = &params; }
}
int main(void) {
    float h[7] = {1, 2, 3, 4, 5, 6, 7}, r[4], extra[2] = {10, 20}; int c; unsigned long long t;
    Params p = {0.5f, 3, 1e-9};
    cudaMemcpyToSymbol(coef, h, sizeof(h));
    cudaMemcpyToSymbol(coef, extra, 2 * sizeof(float), 5 * sizeof(float));
    cudaMemcpyToSymbol(coef, extra, sizeof(float), 0, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(params, &p, sizeof(Params));
    kernel<<<1, 4>>>();
    cudaMemcpyFromSymbol(r, results, sizeof(r));
    cudaMemcpyFromSymbol(&c, counter, sizeof(int), 0, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&t, total, sizeof(t));
    void *addr; float *fp; size_t size;
    cudaGetSymbolAddress(&addr, counter); cudaGetSymbolAddress((void **)&fp, results);
    cudaGetSymbolSize(&size, coef);
    int zero = 0; cudaMemcpy(addr, &zero, sizeof(int), cudaMemcpyHostToDevice);
    int after; cudaMemcpyFromSymbol(&after, counter, sizeof(after));
    cudaMemset(fp, 0, sizeof(float)); float first; cudaMemcpyFromSymbol(&first, results, 4);
    printf("%g %g %g %g %d %llu %zu %d %g\n", r[0], r[1], r[2], r[3], c, t, size, after, first);
    cudaError_t e = cudaMemcpyToSymbol(coef, h, sizeof(h), 4);
    printf("%s\n", cudaGetErrorString(e));
    return 0;
}
/* exit status 1, findings: api_error
43 44 45 43 17 1099511627776 28 0 0
invalid argument
*/
