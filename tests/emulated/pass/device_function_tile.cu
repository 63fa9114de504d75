/* Device functions, inlined and not, that work on a tile through a pointer. */
#include "../kernel_program.h"

#define THREADS 64

__device__ __noinline__ int window(const int *tile, int tx)
{
    return tile[tx] + tile[(tx + 1) % THREADS] + tile[(tx + 40) % THREADS];
}

__device__ void fill(int *tile, const int *in)
{
    tile[threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x];
    __syncthreads();
}

__global__ void sum_windows(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    fill(tile, in);
    out[blockIdx.x * THREADS + threadIdx.x] = window(tile, threadIdx.x);
}

int main()
{
    const int blocks = 2;
    int *in = new_input<int>(blocks * THREADS);
    int *out = new_output<int>(blocks * THREADS);
    sum_windows<<<blocks, THREADS>>>(in, out);
    print_result("device_function_tile", out, blocks * THREADS);
    return 0;
}
