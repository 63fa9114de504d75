/* Two tiles in turn, filled by asynchronous copies: the next tile is under way while this one is
 * read. What double_buffer.cu computes. "arch: compute_80" */
#include "../kernel_program.h"

#include <cuda_pipeline.h>

#define THREADS 64
#define STEPS 6

__global__ void sum_neighbours(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int tx = threadIdx.x;
    const int *row = in + blockIdx.x * STEPS * THREADS;
    int sum = 0;
    __pipeline_memcpy_async(&tile[0][tx], &row[tx], sizeof(int));
    __pipeline_commit();
    for (int step = 0; step < STEPS; step++) {
        if (step + 1 < STEPS) {
            __pipeline_memcpy_async(&tile[(step + 1) % 2][tx], &row[(step + 1) * THREADS + tx],
                                    sizeof(int));
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += tile[step % 2][(tx + 33) % THREADS];
        __syncthreads();
    }
    out[blockIdx.x * THREADS + tx] = sum;
}

int main()
{
    const int blocks = 3;
    int *in = new_input<int>(blocks * STEPS * THREADS);
    int *out = new_output<int>(blocks * THREADS);
    sum_neighbours<<<blocks, THREADS>>>(in, out);
    print_result("async_double_buffer", out, blocks * THREADS);
    return 0;
}
