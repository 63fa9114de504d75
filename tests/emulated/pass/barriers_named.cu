/* Two halves of a block work apart, each with a named barrier of its own, and meet at the end. */
#include "../kernel_program.h"

#define HALF 64

__device__ void meet(int barrier)
{
    asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");
}

__global__ void reverse_halves(const int *in, int *out)
{
    __shared__ int tile[2 * HALF];
    const int half = threadIdx.x / HALF;
    const int tx = threadIdx.x % HALF;
    tile[half * HALF + tx] = in[threadIdx.x];
    for (int round = 0; round < 3 + half; round++) {
        meet(1 + half);
        const int value = tile[half * HALF + HALF - 1 - tx] + round;
        meet(1 + half);
        tile[half * HALF + tx] = value;
    }
    __syncthreads();
    out[threadIdx.x] = tile[(threadIdx.x + HALF) % (2 * HALF)];
}

int main()
{
    int *in = new_input<int>(2 * HALF);
    int *out = new_output<int>(2 * HALF);
    reverse_halves<<<1, 2 * HALF>>>(in, out);
    print_result("barriers_named", out, 2 * HALF);
    return 0;
}
