/* Each warp transposes 32 values of its own part of the tile, ordered by __syncwarp. */
#include "../kernel_program.h"

#define WARPS 4

__global__ void transpose(const int *in, int *out)
{
    __shared__ int parts[WARPS][4][8];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int index = blockIdx.x * WARPS * 32 + threadIdx.x;
    parts[warp][lane / 8][lane % 8] = in[index];
    __syncwarp();
    out[index] = parts[warp][lane % 4][lane / 4];
}

int main()
{
    const int blocks = 2;
    int *in = new_input<int>(blocks * WARPS * 32);
    int *out = new_output<int>(blocks * WARPS * 32);
    transpose<<<blocks, WARPS * 32>>>(in, out);
    print_result("transpose_in_warp", out, blocks * WARPS * 32);
    return 0;
}
