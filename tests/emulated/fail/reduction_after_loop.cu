/* All threads read the sum that the first one writes in the last round, without a barrier. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void reduce(const int *in, int *out)
{
    __shared__ int partial[THREADS];
    const int tx = threadIdx.x;
    partial[tx] = in[tx];
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (tx < stride) {
            partial[tx] += partial[tx + stride]; // error: R01 write
        }
    }
    out[tx] = in[tx] - partial[0]; // error: R01 read
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    reduce<<<1, THREADS>>>(in, out);
    print_result("reduction_after_loop", out, THREADS);
    return 0;
}
