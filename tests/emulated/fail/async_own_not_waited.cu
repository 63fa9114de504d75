/* Each thread reads what its own asynchronous copy brings, without waiting for it, and as bytes too.
 * "arch: compute_80" */
#include "../kernel_program.h"

#include <cuda_pipeline.h>

#define THREADS 64

__global__ void own(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int tx = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][tx], &in[tx], sizeof(int)); // error: N01 write
    __pipeline_commit();
    __pipeline_memcpy_async(&tile[1][tx], &in[tx], sizeof(int)); // error: N01 write
    __pipeline_commit();
    __pipeline_wait_prior(2);
    out[tx] = tile[0][tx]; // error: N01 read
    __pipeline_wait_prior(1);
    out[tx] += tile[0][tx];
    out[tx] += ((const unsigned char *)&tile[1][tx])[1]; // error: N01 read
    __pipeline_wait_prior(0);
    out[tx] += tile[1][tx];
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    own<<<1, THREADS>>>(in, out);
    print_result("async_own_not_waited", out, THREADS);
    return 0;
}
