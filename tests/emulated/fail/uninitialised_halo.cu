/* The right halo is forgotten. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void blur(const int *in, int *out)
{
    __shared__ int tile[THREADS + 2];
    const int tx = threadIdx.x;
    tile[tx + 1] = in[tx + 1];
    if (tx == 0) {
        tile[0] = in[0];
    }
    __syncthreads();
    out[tx] = tile[tx] + tile[tx + 1];
    out[tx] += tile[tx + 2]; // error: N01 read
}

int main()
{
    int *in = new_input<int>(THREADS + 2);
    int *out = new_output<int>(THREADS);
    blur<<<1, THREADS>>>(in, out);
    print_result("uninitialised_halo", out, THREADS);
    return 0;
}
