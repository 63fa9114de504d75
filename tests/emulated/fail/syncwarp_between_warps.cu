/* __syncwarp where __syncthreads is needed. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void exchange(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    tile[tx] = in[tx]; // error: R01 write
    __syncwarp();
    out[tx] = tile[THREADS - 1 - tx]; // error: R01 read
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    exchange<<<1, THREADS>>>(in, out);
    print_result("syncwarp_between_warps", out, THREADS);
    return 0;
}
