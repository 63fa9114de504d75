/* Only block 5 of 8 lacks the barrier, and only one pair of threads meets. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void blocks(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    tile[tx] = in[blockIdx.x * THREADS + tx]; // error: R01 write
    if (blockIdx.x != 5) {
        __syncthreads();
    }
    const int other = blockIdx.x == 5 ? (tx == 40 ? 3 : tx) : THREADS - 1 - tx;
    out[blockIdx.x * THREADS + tx] = tile[other]; // error: R01 read
}

int main()
{
    int *in = new_input<int>(8 * THREADS);
    int *out = new_output<int>(8 * THREADS);
    blocks<<<8, THREADS>>>(in, out);
    print_result("one_block_of_many", out, 8 * THREADS);
    return 0;
}
