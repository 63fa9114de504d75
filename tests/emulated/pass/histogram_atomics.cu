/* Histogram in shared memory: cleared, counted by atomics, then merged, with barriers between. */
#include "../kernel_program.h"

#define BINS 64
#define THREADS 128

__global__ void count_values(const int *in, unsigned *bins, int count)
{
    __shared__ unsigned local[BINS];
    const int tx = threadIdx.x;
    if (tx < BINS) {
        local[tx] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * THREADS + tx; i < count; i += gridDim.x * THREADS) {
        atomicAdd(&local[in[i] % BINS], 1u);
    }
    __syncthreads();
    if (tx < BINS) {
        atomicAdd(&bins[tx], local[tx]);
    }
}

int main()
{
    const int count = 1000;
    int *in = new_input<int>(count);
    unsigned *bins = new_output<unsigned>(BINS);
    count_values<<<3, THREADS>>>(in, bins, count);
    print_result("histogram_atomics", bins, BINS);
    return 0;
}
