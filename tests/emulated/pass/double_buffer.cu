/* Two tiles in turn: one barrier a step is enough, because a tile is filled again only two barriers
 * after it was read. */
#include "../kernel_program.h"

#define THREADS 64
#define STEPS 6

__global__ void sum_neighbours(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int tx = threadIdx.x;
    const int *row = in + blockIdx.x * STEPS * THREADS;
    int sum = 0;
    tile[0][tx] = row[tx];
    __syncthreads();
    for (int step = 0; step < STEPS; step++) {
        if (step + 1 < STEPS) {
            tile[(step + 1) % 2][tx] = row[(step + 1) * THREADS + tx];
        }
        sum += tile[step % 2][(tx + 33) % THREADS];
        __syncthreads();
    }
    out[blockIdx.x * THREADS + tx] = sum;
}

int main()
{
    const int blocks = 3;
    int *in = new_input<int>(blocks * STEPS * THREADS);
    int *out = new_output<int>(blocks * THREADS);
    sum_neighbours<<<blocks, THREADS>>>(in, out);
    print_result("double_buffer", out, blocks * THREADS);
    return 0;
}
