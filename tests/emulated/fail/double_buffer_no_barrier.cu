/* Two tiles in turn, but no barrier between the steps. */
#include "../kernel_program.h"

#define THREADS 64
#define STEPS 4

__global__ void sum_neighbours(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int tx = threadIdx.x;
    int sum = 0;
    tile[0][tx] = in[tx];
    __syncthreads();
    for (int step = 0; step < STEPS; step++) {
        tile[(step + 1) % 2][tx] = in[(step + 1) * THREADS + tx]; // error: R01 write
        sum += tile[step % 2][(tx + 32) % THREADS]; // error: R01 read
    }
    out[tx] = sum;
}

int main()
{
    int *in = new_input<int>((STEPS + 1) * THREADS);
    int *out = new_output<int>(THREADS);
    sum_neighbours<<<1, THREADS>>>(in, out);
    print_result("double_buffer_no_barrier", out, THREADS);
    return 0;
}
