/* Counters: BLOCK_SCOPE counts by atomics of a block, in BLOCKS_OF blocks; RESET clears it by a plain
 * store; SAME stores one value, OTHER different ones; BYTES stores neighbouring bytes; LANES is one
 * instruction by which lanes store to one place; MIXED has a byte and its word. */
#include "../kernel_program.h"

#ifndef BLOCKS_OF
#define BLOCKS_OF 1
#endif

#ifdef VOLATILE
typedef volatile int data_t;
#else
typedef int data_t;
#endif

__global__ void count(data_t *counter)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined(SAME)
    *counter = 7;
#elif defined(OTHER)
    if (threadIdx.x % 32 == 0) {
        *counter = i;
    }
#elif defined(LANES)
    if (threadIdx.x < 32) {
        *counter = i;
    }
#elif defined(BYTES)
    ((char *)counter)[i] = (char)i;
#elif defined(MIXED)
    if (i % 2 == 1) {
        ((char *)counter)[i / 4 * 4 + 3] = (char)i;
    } else {
        counter[i / 4] = i;
    }
#elif defined(BLOCK_SCOPE)
    atomicAdd_block((int *)counter, 1);
#elif defined(RESET)
    if (i == 0) {
        *counter = 0;
    }
    atomicAdd((int *)counter, 1);
#else
    atomicAdd((int *)counter, 1);
#endif
}

int main()
{
    int *counter = new_output<int>(1024);
    count<<<BLOCKS_OF, 64>>>(counter);
    print_result("counters", counter, 1);
    return 0;
}
