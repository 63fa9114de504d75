/* Warps reduce by shuffles, the block by the sums of its warps. */
#include "../kernel_program.h"

#define THREADS 256

__device__ float warp_sum(float value)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    return value;
}

__global__ void reduce(const float *in, float *out)
{
    __shared__ float sums[THREADS / 32];
    const int tx = threadIdx.x;
    float value = warp_sum(in[blockIdx.x * THREADS + tx]);
    if (tx % 32 == 0) {
        sums[tx / 32] = value;
    }
    __syncthreads();
    if (tx < 32) {
        value = warp_sum(tx < THREADS / 32 ? sums[tx] : 0.0f);
        if (tx == 0) {
            out[blockIdx.x] = value;
        }
    }
}

int main()
{
    const int blocks = 3;
    float *in = new_input<float>(blocks * THREADS);
    float *out = new_output<float>(blocks);
    reduce<<<blocks, THREADS>>>(in, out);
    print_result("reduction_shuffle", out, blocks);
    return 0;
}
