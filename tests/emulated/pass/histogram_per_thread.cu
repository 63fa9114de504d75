/* Each thread counts into bytes of its own; neighbours share words, not bytes. */
#include "../kernel_program.h"

#define BINS 8
#define THREADS 64
#define VALUES 20

__global__ void count_values(const int *in, unsigned *bins)
{
    __shared__ unsigned char counts[BINS][THREADS];
    const int tx = threadIdx.x;
    for (int bin = 0; bin < BINS; bin++) {
        counts[bin][tx] = 0;
    }
    for (int i = 0; i < VALUES; i++) {
        counts[in[i * THREADS + tx] % BINS][tx]++;
    }
    __syncthreads();
    if (tx < BINS) {
        unsigned sum = 0;
        for (int i = 0; i < THREADS; i++) {
            sum += counts[tx][i];
        }
        bins[tx] = sum;
    }
}

int main()
{
    int *in = new_input<int>(VALUES * THREADS);
    unsigned *bins = new_output<unsigned>(BINS);
    count_values<<<1, THREADS>>>(in, bins);
    print_result("histogram_per_thread", bins, BINS);
    return 0;
}
