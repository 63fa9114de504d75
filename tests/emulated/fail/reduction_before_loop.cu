/* The barrier after loading is missing; the rounds have theirs. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void reduce(const int *in, int *out)
{
    __shared__ int partial[THREADS];
    const int tx = threadIdx.x;
    partial[tx] = in[blockIdx.x * THREADS + tx]; // error: R01 write
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tx < stride) {
            partial[tx] += partial[tx + stride]; // error: R01 read
        }
        __syncthreads();
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
    print_result("reduction_before_loop", out, 2);
    return 0;
}
