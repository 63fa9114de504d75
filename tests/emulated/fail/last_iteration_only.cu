/* The barrier is skipped in the last round, by all threads: a race in one round of many. */
#include "../kernel_program.h"

#define THREADS 64
#define ROUNDS 10

__global__ void rounds(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    int value = in[tx];
    for (int i = 0; i < ROUNDS; i++) {
        tile[tx] = value; // error: R01 write
        if (i + 1 < ROUNDS) {
            __syncthreads();
        }
        value = tile[THREADS - 1 - tx] + i; // error: R01 read
        if (i + 1 < ROUNDS) {
            __syncthreads();
        }
    }
    out[tx] = value;
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    rounds<<<1, THREADS>>>(in, out);
    print_result("last_iteration_only", out, THREADS);
    return 0;
}
