/* Copies that a cuda::barrier tells of: all threads arrive there, but wait at __syncthreads().
 * "arch: compute_80" */
#include "../kernel_program.h"

#include <cooperative_groups.h>
#include <cuda/barrier>

#define THREADS 64

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
    const int tx = threadIdx.x;
    if (tx == 0) {
        init(&loaded, THREADS);
    }
    __syncthreads();
    cuda::memcpy_async(&tile[tx], &in[tx], sizeof(int), loaded); // error: N01 write
    (void)loaded.arrive();
    __syncthreads();
    out[tx] = tile[(tx + 32) % THREADS]; // error: N01 read
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_barrier_not_waited", out, THREADS);
    return 0;
}
