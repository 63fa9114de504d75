/* Two warps store different values to the same places. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void last_wins(const int *in, int *out)
{
    __shared__ int tile[32];
    const int tx = threadIdx.x;
    tile[tx % 32] = in[tx]; // error: R01 write
    __syncthreads();
    out[tx] = tile[tx % 32];
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    last_wins<<<1, THREADS>>>(in, out);
    print_result("write_write", out, THREADS);
    return 0;
}
