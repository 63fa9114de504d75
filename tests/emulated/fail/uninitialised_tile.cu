/* A sum starts from whatever the shared memory held. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void add(const int *in, int *out)
{
    __shared__ int sums[THREADS];
    const int tx = threadIdx.x;
    sums[tx] += in[tx]; // error: N01 read
    __syncthreads();
    out[tx] = sums[THREADS - 1 - tx];
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    add<<<1, THREADS>>>(in, out);
    print_result("uninitialised_tile", out, THREADS);
    return 0;
}
