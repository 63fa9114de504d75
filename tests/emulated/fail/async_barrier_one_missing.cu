/* async_barrier_one_missing.cu: the barrier counts one thread more than the block has.
 * arch: compute_80; order: matters, as the launch stops with the first block that waits.
 */
#include "../kernel_program.h"

#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void one_missing(const int *in, int *out)
{
    __shared__ int row[64];
    __shared__ barrier ready;
    if (threadIdx.x == 0) {
        init(&ready, blockDim.x + 1);
    }
    __syncthreads();
    row[threadIdx.x] = in[threadIdx.x];
    ready.arrive_and_wait(); // error: D01 barrier
    out[threadIdx.x] = row[63 - threadIdx.x];
}

int main()
{
    int *in = new_input<int>(64);
    int *out = new_output<int>(64);
    one_missing<<<3, 64>>>(in, out);
    return cudaDeviceSynchronize() == cudaSuccess;
}
