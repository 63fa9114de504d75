/* Asynchronous copies of 16 bytes whose source is shorter: the rest is zero, and what lies behind
 * the source is not read. "arch: compute_80" */
#include "../kernel_program.h"

#include <cuda_pipeline.h>

#define THREADS 32
#define COUNT 101

__global__ void sum_of_four(const int *in, int *out)
{
    __shared__ alignas(16) int tile[THREADS][4];
    const int tx = threadIdx.x;
    const int left = COUNT - tx * 4;
    const int have = left < 0 ? 0 : left < 4 ? left : 4;
    __pipeline_memcpy_async(tile[tx], in + tx * 4, 16, (4 - have) * sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += (i + 1) * tile[tx][i];
    }
    out[tx] = sum;
}

int main()
{
    int *in = new_input<int>(COUNT);
    int *out = new_output<int>(THREADS);
    sum_of_four<<<1, THREADS>>>(in, out);
    print_result("async_filled_with_zero", out, THREADS);
    return 0;
}
