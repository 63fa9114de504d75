/* The counts are read while others still add to them. */
#include "../kernel_program.h"

#define BINS 32
#define THREADS 64

__global__ void count_values(const int *in, int *out)
{
    __shared__ int bins[BINS];
    const int tx = threadIdx.x;
    if (tx < BINS) {
        bins[tx] = 0;
    }
    __syncthreads();
    if (tx >= 32) {
        atomicAdd(&bins[in[tx] % BINS], 1); // error: R01 atomic
    } else {
        out[tx] = bins[tx]; // error: R01 read
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(BINS);
    count_values<<<1, THREADS>>>(in, out);
    print_result("histogram_read_early", out, BINS);
    return 0;
}
