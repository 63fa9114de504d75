/* A halo is written into a tile that has no room for it. */
#include "../kernel_program.h"

#define THREADS 32

__global__ void blur(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    __shared__ int weights[THREADS];
    const int tx = threadIdx.x;
    weights[tx] = tx;
    __syncthreads();
    tile[tx + 1] = in[tx]; // error: B02 write
    __syncthreads();
    out[tx] = tx > 0 ? tile[tx] * weights[tx] : 0;
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    blur<<<1, THREADS>>>(in, out);
    print_result("tile_overrun_write", out, THREADS);
    return 0;
}
