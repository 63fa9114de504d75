/* A value and the next one go into its place, while others read it. BLOCKS_OF blocks; ONE_WARP lanes
 * of one warp; SYNC lets them meet between reads and stores; HALVES lets only half of the warp meet;
 * BACKWARDS, SEVERAL and LATE have other readers; DOUBLE writes into another array. */
#include "../kernel_program.h"

#ifdef VOLATILE
typedef volatile int data_t;
#else
typedef int data_t;
#endif
#ifdef ONE_WARP
#define THREADS 32
#else
#define THREADS 128
#endif
#ifndef BLOCKS_OF
#define BLOCKS_OF 1
#endif

__device__ void meet(void)
{
#if defined(SYNC) && defined(ONE_WARP)
    __syncwarp();
#elif defined(HALVES)
    __syncwarp(threadIdx.x < 16 ? 0xffffu : 0xffff0000u);
#elif defined(SYNC)
    __syncthreads();
#endif
}

__global__ void relax(data_t *in, data_t *out, int count)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count) {
        return;
    }
#if defined(BACKWARDS)
    const int t = in[i == 0 ? 0 : i - 1];
#elif defined(SEVERAL)
    const int t = in[i + 1] + in[i + 2] + in[(i + 5) % count];
#elif defined(LATE)
    const int t = i % 64 == 63 ? in[i + 1] : 1;
#else
    const int t = in[i + 1];
#endif
    const int own = in[i];
    meet();
    out[i] = own + t;
}

int main()
{
    const int count = BLOCKS_OF * THREADS;
    int *in = new_input<int>(count + 2);
    int *out = new_output<int>(count + 2);
#ifndef DOUBLE
    out = in;
#endif
    relax<<<BLOCKS_OF, THREADS>>>(in, out, count);
    print_result("in_place", out, count);
    return 0;
}
