/* Interleaved addressing: strides grow, the barrier stands at the start of each round. */
#include "../kernel_program.h"

#define THREADS 96

__global__ void largest(const int *in, int *out)
{
    __shared__ int partial[THREADS];
    const int tx = threadIdx.x;
    partial[tx] = in[blockIdx.x * THREADS + tx];
    for (int stride = 1; stride < THREADS; stride *= 2) {
        __syncthreads();
        const int index = 2 * stride * tx;
        if (index + stride < THREADS) {
            partial[index] = max(partial[index], partial[index + stride]);
        }
    }
    if (tx == 0) {
        out[blockIdx.x] = partial[0];
    }
}

int main()
{
    const int blocks = 4;
    int *in = new_input<int>(blocks * THREADS);
    int *out = new_output<int>(blocks);
    largest<<<blocks, THREADS>>>(in, out);
    print_result("reduction_interleaved", out, blocks);
    return 0;
}
