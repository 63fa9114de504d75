/* Half of each warp skips the barrier. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void skip(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    int value = in[tx];
    if (tx % 2 == 0) {
        tile[tx] = value;
        __syncthreads(); // error: D02 barrier, D04 barrier
        value = tile[tx] * 2;
    }
    out[tx] = value;
} // error: D04 here

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    skip<<<1, THREADS>>>(in, out);
    print_result("barrier_in_divergent_branch", out, THREADS);
    return 0;
}
