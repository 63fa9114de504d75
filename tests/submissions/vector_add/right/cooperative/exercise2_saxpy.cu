#include "vector_add.h"

/* Through shared memory, which each thread reads at its own place only. */
__global__ void axpyStaged(float alpha, const float *x, float *y, int n)
{
    extern __shared__ float staged[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    staged[threadIdx.x] = i < n ? alpha * __ldg(&x[i]) : 0.0f;
    __syncthreads();
    if (i < n) {
        y[i] += staged[threadIdx.x];
    }
}

void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    int threads = 0, least_blocks = 0;
    cudaOccupancyMaxPotentialBlockSize(&least_blocks, &threads, axpyStaged, 4096, 256);
    axpyStaged<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(alpha, d_x, d_y,
                                                                                 n);
}
