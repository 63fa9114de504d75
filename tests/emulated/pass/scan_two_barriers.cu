/* Scan in place: a barrier between reading and writing, and one before the next round. */
#include "../kernel_program.h"

#define THREADS 128

__global__ void scan(const int *in, int *out)
{
    __shared__ int sums[THREADS];
    const int tx = threadIdx.x;
    sums[tx] = in[blockIdx.x * THREADS + tx];
    __syncthreads();
    for (int offset = 1; offset < THREADS; offset *= 2) {
        const int left = tx >= offset ? sums[tx - offset] : 0;
        __syncthreads();
        sums[tx] += left;
        __syncthreads();
    }
    out[blockIdx.x * THREADS + tx] = sums[tx];
}

int main()
{
    const int blocks = 3;
    int *in = new_input<int>(blocks * THREADS);
    int *out = new_output<int>(blocks * THREADS);
    scan<<<blocks, THREADS>>>(in, out);
    print_result("scan_two_barriers", out, blocks * THREADS);
    return 0;
}
