/* The last rounds within a warp, as in old examples: neither volatile nor __syncwarp. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void reduce(const int *in, int *out)
{
    __shared__ int partial[THREADS];
    const int tx = threadIdx.x;
    partial[tx] = in[blockIdx.x * THREADS + tx];
    __syncthreads();
    if (tx < 32) {
        for (int stride = 32; stride > 0; stride /= 2) {
            partial[tx] += partial[tx + stride]; // error: R02 read, R02 write
        }
    }
    if (tx == 0) {
        out[blockIdx.x] = partial[0];
    }
}

int main()
{
    int *in = new_input<int>(2 * THREADS);
    int *out = new_output<int>(2);
    reduce<<<2, THREADS>>>(in, out);
    print_result("reduction_of_a_warp", out, 2);
    return 0;
}
