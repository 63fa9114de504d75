/* A lock made of atomics guards a plain counter; the fences of its holders order them. */
#include "../kernel_program.h"

#define THREADS 96

__global__ void count(int *out)
{
    __shared__ int lock;
    __shared__ int total;
    const int tx = threadIdx.x;
    if (tx == 0) {
        lock = 0;
        total = 0;
    }
    __syncthreads();
    if (tx % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence_block();
        *(volatile int *)&total += tx;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    out[tx] = total;
}

int main()
{
    int *out = new_output<int>(THREADS);
    count<<<1, THREADS>>>(out);
    print_result("lock_in_shared_memory", out, THREADS);
    return 0;
}
