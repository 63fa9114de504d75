/* simple.cu: adjacent differences without shared memory. Every thread except the first
 * loads two elements from global memory. */
#include "adjacent_difference.h"

enum { SIMPLE_THREADS = 256 };

__global__ void adjDiffSimple(int *result, const int *input, int n)
{
    const int i = blockIdx.x * SIMPLE_THREADS + threadIdx.x;
    if (i >= n) {
        return;
    }
    result[i] = i == 0 ? input[0] : input[i] - input[i - 1];
}

void launchSimple(int *d_result, const int *d_input, int n)
{
    adjDiffSimple<<<(n + SIMPLE_THREADS - 1) / SIMPLE_THREADS, SIMPLE_THREADS>>>(d_result, d_input,
                                                                                 n);
}
