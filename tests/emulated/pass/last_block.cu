/* The last block to finish adds up what all blocks wrote: a fence, then an atomic ticket. */
#include "../kernel_program.h"

#define THREADS 64
#define BLOCKS 6

__device__ unsigned tickets;

__global__ void reduce(const int *in, int *partial, int *out)
{
    __shared__ int sums[THREADS];
    __shared__ bool is_last;
    const int tx = threadIdx.x;
    sums[tx] = in[blockIdx.x * THREADS + tx];
    __syncthreads();
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tx < stride) {
            sums[tx] += sums[tx + stride];
        }
        __syncthreads();
    }
    if (tx == 0) {
        partial[blockIdx.x] = sums[0];
        __threadfence();
        is_last = atomicAdd(&tickets, 1u) == BLOCKS - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last && tx == 0) {
        int sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            sum += partial[i];
        }
        out[0] = sum;
    }
}

int main()
{
    int *in = new_input<int>(BLOCKS * THREADS);
    int *partial = new_output<int>(BLOCKS);
    int *out = new_output<int>(1);
    reduce<<<BLOCKS, THREADS>>>(in, partial, out);
    print_result("last_block", out, 1);
    return 0;
}
