/* Keeps the even values in order: a scan of flags gives each its place. */
#include "../kernel_program.h"

#define THREADS 128

__global__ void keep_even(const int *in, int *out, int *count)
{
    __shared__ int places[THREADS];
    const int tx = threadIdx.x;
    const int value = in[tx];
    const int is_even = value % 2 == 0;
    places[tx] = is_even;
    __syncthreads();
    for (int offset = 1; offset < THREADS; offset *= 2) {
        const int left = tx >= offset ? places[tx - offset] : 0;
        __syncthreads();
        places[tx] += left;
        __syncthreads();
    }
    if (is_even) {
        out[places[tx] - 1] = value;
    }
    if (tx == THREADS - 1) {
        *count = places[tx];
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    int *count = new_output<int>(1);
    keep_even<<<1, THREADS>>>(in, out, count);
    print_result("compaction, values", out, THREADS);
    print_result("compaction, count", count, 1);
    return 0;
}
