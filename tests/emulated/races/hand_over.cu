/* One thread hands a value to one of another block, or of another warp (WITHIN), behind a flag.
 * ATOMIC_FLAG, RELEASE (st.release, ld.acquire) or else a volatile flag; NO_FENCE_BEFORE and
 * NO_FENCE_AFTER leave a fence out; BLOCK_FENCE has fences of a block; BLOCK_FLAG an atomic of a
 * block; PLAIN_FLAG a flag that is not volatile; AFTER_FENCE writes the value behind the fence. */
#include "../kernel_program.h"

#ifdef PLAIN_FLAG
__device__ int flag;
#else
__device__ volatile int flag;
#endif
__device__ int message, second;

#ifdef BLOCK_FENCE
#define FENCE() __threadfence_block()
#else
#define FENCE() __threadfence()
#endif

__device__ void give(int value)
{
    message = value;
#if defined(RELEASE)
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(&flag), "r"(1) : "memory");
#else
#ifndef NO_FENCE_BEFORE
    FENCE();
#endif
#ifdef AFTER_FENCE
    second = value;
#endif
#if defined(BLOCK_FLAG)
    atomicExch_block((int *)&flag, 1);
#elif defined(ATOMIC_FLAG)
    atomicExch((int *)&flag, 1);
#else
    flag = 1;
#endif
#endif
}

__device__ int take(void)
{
#if defined(RELEASE)
    int seen;
    do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&flag) : "memory");
    } while (seen == 0);
#else
#if defined(BLOCK_FLAG)
    while (atomicAdd_block((int *)&flag, 0) == 0) {
    }
#elif defined(ATOMIC_FLAG)
    while (atomicAdd((int *)&flag, 0) == 0) {
    }
#elif defined(PLAIN_FLAG)
    for (int i = 0; i < 100 && *(volatile int *)&flag == 0; i++) {
    }
#else
    while (flag == 0) {
    }
#endif
#ifndef NO_FENCE_AFTER
    FENCE();
#endif
#endif
    return message + second;
}

__global__ void hand_over(const int *in, int *out)
{
#ifdef WITHIN
    const int role = threadIdx.x == 0 ? 0 : threadIdx.x == 32 ? 1 : 2;
#else
    const int role = threadIdx.x == 0 ? blockIdx.x : 2;
#endif
    if (role == 0) {
        give(in[0]);
    } else if (role == 1) {
        *out = take();
    }
}

int main()
{
    const int *in = new_input<int>(1);
    int *out = new_output<int>(1);
#ifdef WITHIN
    hand_over<<<1, 64>>>(in, out);
#else
    hand_over<<<2, 32>>>(in, out);
#endif
    print_result("hand_over", out, 1);
    return 0;
}
