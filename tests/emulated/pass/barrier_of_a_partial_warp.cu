/* 70 threads: the last warp has six lanes, and all of them come to the barrier. */
#include "../kernel_program.h"

#define THREADS 70

__global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    tile[tx] = in[blockIdx.x * THREADS + tx];
    __syncthreads();
    out[blockIdx.x * THREADS + tx] = tile[THREADS - 1 - tx];
}

int main()
{
    const int blocks = 2;
    int *in = new_input<int>(blocks * THREADS);
    int *out = new_output<int>(blocks * THREADS);
    reverse<<<blocks, THREADS>>>(in, out);
    print_result("barrier_of_a_partial_warp", out, blocks * THREADS);
    return 0;
}
