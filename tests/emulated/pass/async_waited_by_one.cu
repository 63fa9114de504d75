/* Copies that a cuda::barrier tells of: one thread waits for all of them, and the others for it.
 * "arch: compute_80" */
#include "../kernel_program.h"

#include <cooperative_groups.h>
#include <cuda/barrier>

#define THREADS 64
#define ROUNDS 3

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
    auto block = cooperative_groups::this_thread_block();
    const int tx = threadIdx.x;
    if (tx == 0) {
        init(&loaded, THREADS);
    }
    __syncthreads();
    for (int round = 0; round < ROUNDS; round++) {
        cuda::memcpy_async(block, tile, in + round * THREADS, sizeof tile, loaded);
        auto token = loaded.arrive();
        if (tx == round) {
            loaded.wait(std::move(token));
        }
        __syncthreads();
        out[round * THREADS + tx] = tile[(tx + 32) % THREADS];
        __syncthreads();
    }
}

int main()
{
    int *in = new_input<int>(ROUNDS * THREADS);
    int *out = new_output<int>(ROUNDS * THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_waited_by_one", out, ROUNDS * THREADS);
    return 0;
}
