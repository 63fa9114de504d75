/* Blocks without work return before the barrier as a whole; threads without work stay. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void differences(const int *in, int *out, int count)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    const int index = blockIdx.x * THREADS + tx;
    if ((int)blockIdx.x * THREADS >= count) {
        return;
    }
    tile[tx] = index < count ? in[index] : 0;
    __syncthreads();
    if (index < count) {
        out[index] = tile[tx] - (tx > 0 ? tile[tx - 1] : 0);
    }
}

int main()
{
    const int count = 150;
    int *in = new_input<int>(count);
    int *out = new_output<int>(count);
    differences<<<5, THREADS>>>(in, out, count);
    print_result("exit_of_whole_blocks", out, count);
    return 0;
}
