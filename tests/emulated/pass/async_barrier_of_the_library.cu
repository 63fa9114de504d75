/* cuda::barrier counts asynchronous copies: who has waited for it sees what all have copied. What
 * double_buffer.cu computes. "arch: compute_80" */
#include "../kernel_program.h"

#include <cuda/barrier>

#define THREADS 64
#define STEPS 6

__global__ void sum_neighbours(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    const int tx = threadIdx.x;
    const int *row = in + blockIdx.x * STEPS * THREADS;
    int sum = 0;
    if (tx == 0) {
        init(&barrier, THREADS);
    }
    __syncthreads();
    for (int step = 0; step < STEPS; step++) {
        cuda::memcpy_async(&tile[tx], &row[step * THREADS + tx], sizeof(int), barrier);
        barrier.arrive_and_wait();
        sum += tile[(tx + 33) % THREADS];
        barrier.arrive_and_wait();
    }
    out[blockIdx.x * THREADS + tx] = sum;
}

int main()
{
    const int blocks = 3;
    int *in = new_input<int>(blocks * STEPS * THREADS);
    int *out = new_output<int>(blocks * THREADS);
    sum_neighbours<<<blocks, THREADS>>>(in, out);
    print_result("async_barrier_of_the_library", out, blocks * THREADS);
    return 0;
}
