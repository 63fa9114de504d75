/* __syncwarp with the mask of one half: each half of a warp works on its own part. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void reduce_halves(const int *in, int *out)
{
    __shared__ int parts[THREADS];
    const int tx = threadIdx.x;
    const unsigned half = tx % 32 / 16 == 0 ? 0x0000ffffu : 0xffff0000u;
    int *part = parts + tx / 16 * 16;
    int sum = in[tx];
    for (int stride = 8; stride > 0; stride /= 2) {
        part[tx % 16] = sum;
        __syncwarp(half);
        sum += part[tx % 16 ^ stride];
        __syncwarp(half);
    }
    out[tx] = sum;
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    reduce_halves<<<1, THREADS>>>(in, out);
    print_result("syncwarp_of_half_warps", out, THREADS);
    return 0;
}
