/* Lanes of one warp exchange through shared memory without __syncwarp. */
#include "../kernel_program.h"

__global__ void transpose(const int *in, int *out)
{
    __shared__ int part[4][8];
    const int lane = threadIdx.x;
    part[lane / 8][lane % 8] = in[lane]; // error: R02 write
    out[lane] = part[lane % 4][lane / 4]; // error: R02 read
}

int main()
{
    int *in = new_input<int>(32);
    int *out = new_output<int>(32);
    transpose<<<1, 32>>>(in, out);
    print_result("transpose_in_warp", out, 32);
    return 0;
}
