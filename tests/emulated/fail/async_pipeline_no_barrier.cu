/* Each thread waits for its own stage of a cuda::pipeline, and reads what another one has copied
 * without a barrier. "arch: compute_80" */
#include "../kernel_program.h"

#include <cuda/pipeline>

#define THREADS 64

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[tx], &in[tx], sizeof(int), pipe); // error: R01 write
    pipe.producer_commit();
    pipe.consumer_wait();
    out[tx] = tile[(tx + 32) % THREADS]; // error: R01 read
    pipe.consumer_release();
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_pipeline_no_barrier", out, THREADS);
    return 0;
}
