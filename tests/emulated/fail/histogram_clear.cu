/* No barrier between clearing the bins and counting with atomics: an atomic meets a plain store. */
#include "../kernel_program.h"

#define BINS 32
#define THREADS 64

__global__ void count_values(int *out)
{
    __shared__ int bins[BINS];
    const int tx = threadIdx.x;
    if (tx < BINS) {
        bins[tx] = 0; // error: R01 write
    }
    if (tx >= 32) {
        atomicAdd(&bins[tx % BINS], 1); // error: R01 atomic
    }
    __syncthreads();
    if (tx < BINS) {
        out[tx] = bins[tx];
    }
}

int main()
{
    int *out = new_output<int>(BINS);
    count_values<<<1, THREADS>>>(out);
    print_result("histogram_clear", out, BINS);
    return 0;
}
