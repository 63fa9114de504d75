/* The tile is filled before the barrier, the halo after it. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void blur(const int *in, int *out)
{
    __shared__ int tile[THREADS + 1];
    const int tx = threadIdx.x;
    tile[tx] = in[tx];
    __syncthreads();
    if (tx == 0) {
        tile[THREADS] = in[THREADS]; // error: R01 write
    }
    out[tx] = tile[tx] + tile[tx + 1]; // error: R01 read
}

int main()
{
    int *in = new_input<int>(THREADS + 1);
    int *out = new_output<int>(THREADS);
    blur<<<1, THREADS>>>(in, out);
    print_result("stencil_halo_after_barrier", out, THREADS);
    return 0;
}
