/* No barrier between filling tile and halo and reading the window. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void blur(const int *in, int *out)
{
    __shared__ int tile[THREADS + 2];
    const int tx = threadIdx.x;
    const int *first = in + blockIdx.x * THREADS;
    tile[tx + 1] = first[tx + 1]; // error: R01 write
    if (tx == 0) {
        tile[0] = first[0];
        tile[THREADS + 1] = first[THREADS + 1]; // error: R01 write
    }
    out[blockIdx.x * THREADS + tx] = tile[tx] + tile[tx + 2]; // error: R01 read
}

int main()
{
    int *in = new_input<int>(2 * THREADS + 2);
    int *out = new_output<int>(2 * THREADS);
    blur<<<2, THREADS>>>(in, out);
    print_result("stencil_halo", out, 2 * THREADS);
    return 0;
}
