/* Threads add to a sum under a lock. BLOCKS_OF blocks, one thread of each warp. BLOCK_SCOPE has
 * atomics and fences of a block; NO_FENCES none; FREE_BY_STORE frees it by a volatile store,
 * FREE_PLAIN by a plain one; NO_LOCK takes none. */
#include "../kernel_program.h"

#ifndef BLOCKS_OF
#define BLOCKS_OF 1
#endif

__device__ int the_lock;
__device__ int sum;

#if defined(NO_FENCES)
#define FENCE()
#elif defined(BLOCK_SCOPE)
#define FENCE() __threadfence_block()
#else
#define FENCE() __threadfence()
#endif

__device__ void take(int *lock)
{
#if defined(BLOCK_SCOPE)
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
#elif !defined(NO_LOCK)
    while (atomicCAS(lock, 0, 1) != 0) {
    }
#endif
    FENCE();
}

__device__ void give(int *lock)
{
    FENCE();
#if defined(BLOCK_SCOPE)
    atomicExch_block(lock, 0);
#elif defined(FREE_BY_STORE)
    *(volatile int *)lock = 0;
#elif defined(FREE_PLAIN)
    *lock = 0;
#elif !defined(NO_LOCK)
    atomicExch(lock, 0);
#endif
}

__global__ void add(const int *in)
{
    int *lock = &the_lock;
    if (threadIdx.x % 32 == 0) {
        take(lock);
        sum += in[threadIdx.x];
        give(lock);
    }
}

__global__ void fetch(int *out)
{
    *out = sum;
}

int main()
{
    const int *in = new_input<int>(128);
    int *out = new_output<int>(1);
    add<<<BLOCKS_OF, 128>>>(in);
    fetch<<<1, 1>>>(out);
    print_result("locked", out, 1);
    return 0;
}
