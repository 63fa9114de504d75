/* Counts without atomics. */
#include "../kernel_program.h"

#define BINS 16
#define THREADS 64

__global__ void count_values(const int *in, int *out)
{
    __shared__ int bins[BINS];
    const int tx = threadIdx.x;
    if (tx < BINS) {
        bins[tx] = 0;
    }
    __syncthreads();
    bins[in[tx] % BINS]++; // error: R01 read, R01 write
    __syncthreads();
    if (tx < BINS) {
        out[tx] = bins[tx];
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(BINS);
    count_values<<<1, THREADS>>>(in, out);
    print_result("histogram_plain_increment", out, BINS);
    return 0;
}
