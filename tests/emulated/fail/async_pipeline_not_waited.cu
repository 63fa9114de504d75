/* The stages of a cuda::pipeline: what is committed is read before consumer_wait(). "arch: compute_80"
 */
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
    __syncthreads();
    out[tx] = tile[(tx + 32) % THREADS]; // error: R01 read
    pipe.consumer_wait();
    pipe.consumer_release();
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_pipeline_not_waited", out, THREADS);
    return 0;
}
