/* cuda::barrier: arrivals release what was stored, and who waits polls and acquires it. */
#include "../kernel_program.h"

#include <cuda/barrier>

#define THREADS 128
#define ROUNDS 4

__global__ void turn(int *out)
{
    __shared__ int row[THREADS];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    const int tx = threadIdx.x;
    if (tx == 0) {
        init(&barrier, THREADS);
    }
    __syncthreads();
    int value = tx;
    for (int i = 0; i < ROUNDS; i++) {
        row[tx] = value;
        barrier.arrive_and_wait();
        value = row[(tx + 33) % THREADS];
        barrier.arrive_and_wait();
    }
    out[tx] = value;
}

int main()
{
    int *out = new_output<int>(THREADS);
    turn<<<1, THREADS>>>(out);
    print_result("barrier_of_the_library", out, THREADS);
    return 0;
}
