/* Reduction by halves with a barrier in each round. */
#include "../kernel_program.h"

#define THREADS 128

__global__ void reduce(const float *in, float *out)
{
    __shared__ float partial[THREADS];
    const int tx = threadIdx.x;
    partial[tx] = in[blockIdx.x * THREADS + tx];
    __syncthreads();
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tx < stride) {
            partial[tx] += partial[tx + stride];
        }
        __syncthreads();
    }
    if (tx == 0) {
        out[blockIdx.x] = partial[0];
    }
}

int main()
{
    const int blocks = 5;
    float *in = new_input<float>(blocks * THREADS);
    float *out = new_output<float>(blocks);
    reduce<<<blocks, THREADS>>>(in, out);
    print_result("reduction_tree", out, blocks);
    return 0;
}
