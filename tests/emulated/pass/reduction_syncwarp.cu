/* The last rounds stay within a warp and are ordered by __syncwarp alone. */
#include "../kernel_program.h"

#define THREADS 128

__global__ void reduce(const int *in, int *out)
{
    __shared__ int partial[THREADS];
    const int tx = threadIdx.x;
    partial[tx] = in[blockIdx.x * THREADS + tx];
    __syncthreads();
    if (tx < 64) {
        partial[tx] += partial[tx + 64];
    }
    __syncthreads();
    if (tx < 32) {
        int sum = partial[tx] + partial[tx + 32];
        for (int stride = 16; stride > 0; stride /= 2) {
            __syncwarp();
            partial[tx] = sum;
            __syncwarp();
            sum += partial[tx ^ stride];
        }
        if (tx == 0) {
            out[blockIdx.x] = sum;
        }
    }
}

int main()
{
    const int blocks = 4;
    int *in = new_input<int>(blocks * THREADS);
    int *out = new_output<int>(blocks);
    reduce<<<blocks, THREADS>>>(in, out);
    print_result("reduction_syncwarp", out, blocks);
    return 0;
}
