#include <stdio.h>
#include <stdlib.h>
#define N 1000
#define THREADS 128
extern "C" __global__ void __launch_bounds__(THREADS, 4)
saxpy(const int n, const float a, const float *__restrict__ x, float *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}
extern "C" {
__global__ void __launch_bounds__(256) init(float *p, int n) { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) p[i] = (float)i; }
__device__ float twice(float x) { return 2 * x; }
}
template <int B> __launch_bounds__(B) __global__ void doubled(float *__restrict p, size_t n)
{
    const size_t i = blockIdx.x * static_cast<size_t>(B) + threadIdx.x;
    if (i < n) p[i] = twice(p[i]);
}
__global__ __launch_bounds__(64, 2) void minus(float *p, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; p[i] -= 1.f; }
int main(int argc, char **argv)
{
    float *x, *y, *h = (float *)malloc(N * sizeof(float));
    cudaMalloc((void **)&x, N * sizeof(float));
    cudaMalloc((void **)&y, N * sizeof(float));
    init<<<(N + 255) / 256, 256>>>(x, N);
    init<<<(N + 255) / 256, 256>>>(y, N);
    saxpy<<<4, THREADS>>>(N, 3.0f, x, y);
    doubled<THREADS><<<(N + THREADS - 1) / THREADS, THREADS>>>(y, N);
    minus<<<(N + 63) / 64, 64>>>(y, N);
    cudaMemcpy(h, y, N * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.1f %.1f %.1f\n", h[0], h[1], h[N - 1]);
    free(h); cudaFree(x); cudaFree(y);
    return EXIT_SUCCESS;
}

/* exit status 0, findings: none
-1.0 7.0 7991.0
*/
