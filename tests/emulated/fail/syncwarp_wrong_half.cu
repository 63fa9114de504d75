/* __syncwarp of each half of the warp, but the halves exchange values. */
#include "../kernel_program.h"

__global__ void exchange(const int *in, int *out)
{
    __shared__ int part[32];
    const int lane = threadIdx.x;
    part[lane] = in[lane]; // error: R02 write
    __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
    out[lane] = part[lane ^ 16]; // error: R02 read
}

int main()
{
    int *in = new_input<int>(32);
    int *out = new_output<int>(32);
    exchange<<<1, 32>>>(in, out);
    print_result("syncwarp_wrong_half", out, 32);
    return 0;
}
