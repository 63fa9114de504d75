/* Blocks read what others have written before a barrier of the grid: that of cooperative groups,
 * or of their own making (OWN). NONE has none; NO_FENCE, BLOCK_FENCE and NO_SYNC spoil it;
 * NO_FENCE_BEHIND leaves to __syncthreads() what comes in. */
#include "../kernel_program.h"

#include <cooperative_groups.h>

#define THREADS 64
#define BLOCKS 4

__device__ unsigned arrived;

__device__ void meet(void)
{
#if defined(OWN)
#ifndef NO_SYNC
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
#if defined(BLOCK_FENCE)
        __threadfence_block();
#elif !defined(NO_FENCE)
        __threadfence();
#endif
        atomicAdd(&arrived, 1u);
        while (*(volatile unsigned *)&arrived < BLOCKS) {
        }
#if !defined(NO_FENCE) && !defined(NO_FENCE_BEHIND)
        __threadfence();
#endif
    }
    __syncthreads();
#elif !defined(NONE)
    cooperative_groups::this_grid().sync();
#endif
}

__global__ void exchange(const int *in, int *between, int *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    between[i] = in[i] * 3;
    meet();
    out[i] = between[BLOCKS * THREADS - 1 - i];
}

int main()
{
    const int count = BLOCKS * THREADS;
    int *in = new_input<int>(count);
    int *between = new_output<int>(count);
    int *out = new_output<int>(count);
    void *arguments[] = {&in, &between, &out};
    CHECK(cudaLaunchCooperativeKernel((const void *)exchange, dim3(BLOCKS), dim3(THREADS),
                                      arguments, 0, 0));
    print_result("grid_barrier", out, count);
    return 0;
}
