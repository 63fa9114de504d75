/* Loops of different length in each warp and in each lane, without a barrier inside. */
#include "../kernel_program.h"

#define THREADS 128

__global__ void collatz(const int *in, int *out)
{
    __shared__ int steps[THREADS];
    const int tx = threadIdx.x;
    int value = in[tx] + 1 + tx / 32 * 1000;
    int count = 0;
    while (value != 1) {
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        count++;
    }
    steps[tx] = count;
    __syncthreads();
    out[tx] = steps[(tx + 64) % THREADS];
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    collatz<<<1, THREADS>>>(in, out);
    print_result("trip_counts_per_warp", out, THREADS);
    return 0;
}
