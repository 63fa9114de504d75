/* The first warp waits at one __syncthreads, the second warp at another. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void branch(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    tile[tx] = in[tx];
    if (tx < 32) {
        __syncthreads(); // error: D03 barrier
        out[tx] = tile[tx + 32];
    } else {
        __syncthreads(); // error: D03 barrier
        out[tx] = tile[tx - 32] * 2;
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    branch<<<1, THREADS>>>(in, out);
    print_result("barrier_of_other_line", out, THREADS);
    return 0;
}
