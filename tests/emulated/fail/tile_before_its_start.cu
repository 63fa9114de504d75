/* The left neighbour of the first element lies before the tile. */
#include "../kernel_program.h"

#define THREADS 32

__global__ void differences(const int *in, int *out)
{
    __shared__ int weights[THREADS];
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    weights[tx] = 2;
    tile[tx] = in[tx];
    __syncthreads();
    out[tx] = tile[tx] - tile[tx - 1]; // error: B02 read
    out[tx] *= weights[THREADS - 1 - tx];
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    differences<<<1, THREADS>>>(in, out);
    print_result("tile_before_its_start", out, THREADS);
    return 0;
}
