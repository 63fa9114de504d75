/* Even lanes wait at one barrier, odd lanes at another. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void branch(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    if (tx % 2 == 0) {
        tile[tx] = in[tx];
        __syncthreads(); // error: D02 barrier
        out[tx] = tile[tx + 1];
    } else {
        tile[tx] = -in[tx];
        __syncthreads(); // error: D02 barrier
        out[tx] = tile[tx - 1] + 1;
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    branch<<<1, THREADS>>>(in, out);
    print_result("barrier_in_both_branches", out, THREADS);
    return 0;
}
