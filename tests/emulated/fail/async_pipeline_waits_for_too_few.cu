/* Two stages are committed, and the wait leaves one of them under way. "arch: compute_80" */
#include "../kernel_program.h"

#include <cuda/pipeline>

#define THREADS 64

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int tx = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[0][tx], &in[tx], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[1][tx], &in[THREADS + tx], sizeof(int), pipe); // error: R01 write
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    out[tx] = tile[0][(tx + 32) % THREADS];
    out[THREADS + tx] = tile[1][(tx + 32) % THREADS]; // error: R01 read
}

int main()
{
    int *in = new_input<int>(2 * THREADS);
    int *out = new_output<int>(2 * THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_pipeline_waits_for_too_few", out, 2 * THREADS);
    return 0;
}
