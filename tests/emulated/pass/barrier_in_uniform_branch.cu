/* Barriers in branches and loops that depend on the block only. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void rotate(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    const int index = blockIdx.x * THREADS + tx;
    int value = in[index];
    if (blockIdx.x % 2 == 0) {
        tile[tx] = value;
        __syncthreads();
        value = tile[THREADS - 1 - tx];
    } else {
        for (int i = 0; i < (int)blockIdx.x; i++) {
            tile[(tx + i) % THREADS] = value;
            __syncthreads();
            value = tile[tx] + i;
            __syncthreads();
        }
    }
    out[index] = value;
}

int main()
{
    const int blocks = 5;
    int *in = new_input<int>(blocks * THREADS);
    int *out = new_output<int>(blocks * THREADS);
    rotate<<<blocks, THREADS>>>(in, out);
    print_result("barrier_in_uniform_branch", out, blocks * THREADS);
    return 0;
}
