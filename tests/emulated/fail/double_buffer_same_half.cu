/* Two tiles in turn, but the tile that is being read is filled. */
#include "../kernel_program.h"

#define THREADS 64
#define STEPS 4

__global__ void sum_neighbours(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int tx = threadIdx.x;
    int sum = 0;
    tile[0][tx] = in[tx];
    tile[1][tx] = in[THREADS + tx];
    __syncthreads();
    for (int step = 0; step < STEPS; step++) {
        sum += tile[step % 2][(tx + 32) % THREADS]; // error: R01 read
        tile[step % 2][tx] = in[(step + 2) * THREADS + tx]; // error: R01 write
        __syncthreads();
    }
    out[tx] = sum;
}

int main()
{
    int *in = new_input<int>((STEPS + 2) * THREADS);
    int *out = new_output<int>(THREADS);
    sum_neighbours<<<1, THREADS>>>(in, out);
    print_result("double_buffer_same_half", out, THREADS);
    return 0;
}
