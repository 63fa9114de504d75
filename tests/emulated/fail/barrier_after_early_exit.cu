/* A warp without work returns before the barrier that the others come to. */
#include "../kernel_program.h"

#define THREADS 128

__global__ void differences(const int *in, int *out, int count)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    if (tx >= count) {
        return;
    }
    tile[tx] = in[tx];
    __syncthreads(); // error: D04 barrier
    out[tx] = tile[count - 1 - tx];
} // error: D04 here

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    differences<<<1, THREADS>>>(in, out, 64);
    print_result("barrier_after_early_exit", out, THREADS);
    return 0;
}
