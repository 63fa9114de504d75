/* Each thread waits for its copy after the barrier, so nobody waits for that of others. "arch: compute_80" */
#include "../kernel_program.h"

#include <cuda_pipeline.h>

#define THREADS 64

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    __pipeline_memcpy_async(&tile[tx], &in[tx], sizeof(int)); // error: R01 write
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    out[tx] = tile[(tx + 32) % THREADS]; // error: R01 read
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_waited_after_barrier", out, THREADS);
    return 0;
}
