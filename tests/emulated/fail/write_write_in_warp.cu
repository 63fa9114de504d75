/* All lanes of a warp store their own value to one place in one instruction. */
#include "../kernel_program.h"

__global__ void last_wins(const int *in, int *out)
{
    __shared__ int winner;
    const int tx = threadIdx.x;
    winner = in[tx]; // error: R02 write
    __syncthreads();
    out[tx] = winner;
}

int main()
{
    int *in = new_input<int>(32);
    int *out = new_output<int>(32);
    last_wins<<<1, 32>>>(in, out);
    print_result("write_write_in_warp", out, 32);
    return 0;
}
