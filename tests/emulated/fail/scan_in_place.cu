/* Scan in place with one barrier a round: writes meet the reads of the same round. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void scan(const int *in, int *out)
{
    __shared__ int sums[THREADS];
    const int tx = threadIdx.x;
    sums[tx] = in[tx];
    __syncthreads();
    for (int offset = 1; offset < THREADS; offset *= 2) {
        const int left = tx >= offset ? sums[tx - offset] : 0; // error: R01 read
        sums[tx] += left; // error: R01 write
        __syncthreads();
    }
    out[tx] = sums[tx];
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    scan<<<1, THREADS>>>(in, out);
    print_result("scan_in_place", out, THREADS);
    return 0;
}
