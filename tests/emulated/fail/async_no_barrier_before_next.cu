/* Two tiles in turn: the copy into the next one begins while others still read it, though it may
 * end only behind the barrier. "arch: compute_80" */
#include "../kernel_program.h"

#include <cuda_pipeline.h>

#define THREADS 64
#define STEPS 4

__global__ void sum_neighbours(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int tx = threadIdx.x;
    int sum = 0;
    __pipeline_memcpy_async(&tile[0][tx], &in[tx], sizeof(int));
    __pipeline_commit();
    for (int step = 0; step < STEPS; step++) {
        __pipeline_memcpy_async(&tile[(step + 1) % 2][tx], &in[(step + 1) * THREADS + tx], sizeof(int)); // error: R01 write
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += tile[step % 2][(tx + 32) % THREADS]; // error: R01 read
    }
    __pipeline_wait_prior(0);
    out[tx] = sum;
}

int main()
{
    int *in = new_input<int>((STEPS + 1) * THREADS);
    int *out = new_output<int>(THREADS);
    sum_neighbours<<<1, THREADS>>>(in, out);
    print_result("async_no_barrier_before_next", out, THREADS);
    return 0;
}
