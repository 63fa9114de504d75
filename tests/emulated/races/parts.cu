/* The last block adds up what the others wrote, or (WARPS) warp 0 what other warps wrote behind a
 * barrier with a count. NO_SYNC lets one thread fence and count for a block that has not met;
 * NO_FENCE leaves the fence out; EARLY lets a warp only arrive that should wait. */
#include "../kernel_program.h"

#define THREADS 128
#define BLOCKS 3

__device__ unsigned tickets;

__global__ void add(const int *in, int *parts, int *out)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
#ifdef WARPS
    if (threadIdx.x >= 64) {
        parts[i] = in[i];
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
#ifdef EARLY
        asm volatile("bar.arrive 1, 128;" ::: "memory");
#else
        asm volatile("bar.sync 1, 128;" ::: "memory");
#endif
        out[i] = parts[i + 64];
    }
#else
    __shared__ bool is_last;
    parts[i] = in[i] * 2;
#ifndef NO_SYNC
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
#ifndef NO_FENCE
        __threadfence();
#endif
        is_last = atomicAdd(&tickets, 1u) == BLOCKS - 1;
#ifndef NO_FENCE
        __threadfence();
#endif
    }
    __syncthreads();
    if (is_last) {
        int sum = 0;
        for (int b = 0; b < BLOCKS; b++) {
            sum += parts[b * THREADS + threadIdx.x];
        }
        out[threadIdx.x] = sum;
    }
#endif
}

int main()
{
    const int *in = new_input<int>(BLOCKS * THREADS);
    int *out = new_output<int>(BLOCKS * THREADS);
    add<<<BLOCKS, THREADS>>>(in, new_output<int>(BLOCKS * THREADS), out);
    print_result("parts", out, THREADS);
    return 0;
}
