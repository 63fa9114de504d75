/* __syncthreads_or, _and and _count order accesses as __syncthreads does. */
#include "../kernel_program.h"

#define THREADS 96

__global__ void settle(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    int value = in[tx];
    int rounds = 0;
    tile[tx] = value;
    while (__syncthreads_or(tile[tx] > 9)) {
        const int right = tile[(tx + 1) % THREADS];
        const int large = __syncthreads_count(right > 100);
        value = (value + right + large) / 3;
        tile[tx] = value;
        rounds++;
        if (__syncthreads_and(rounds >= 12)) {
            break;
        }
    }
    out[tx] = value * 100 + rounds;
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    settle<<<1, THREADS>>>(in, out);
    print_result("barriers_that_vote", out, THREADS);
    return 0;
}
