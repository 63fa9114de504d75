/* A cuda::pipeline of a whole block, whose stages its barriers tell of: the tile is read before
 * consumer_wait(). "arch: compute_80"; "order: matters", as the first wait of a thread is one for all. */
#include "../kernel_program.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>

#define THREADS 64

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    const int tx = threadIdx.x;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[tx], &in[tx], sizeof(int), pipe); // error: N01 write
    pipe.producer_commit();
    block.sync();
    out[tx] = tile[(tx + 32) % THREADS]; // error: N01 read
    pipe.consumer_wait();
    pipe.consumer_release();
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_pipeline_of_block_not_waited", out, THREADS);
    return 0;
}
