#include "vector_add.h"

/* Four elements a thread, one block width apart. */
__global__ void axpyFour(float alpha, const float *x, float *y, int n)
{
    const int first = blockIdx.x * 4 * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int i = first + k * blockDim.x;
        if (i < n) {
            y[i] = alpha * x[i] + y[i];
        }
    }
}

void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    const int each = 4 * 256;
    axpyFour<<<(n + each - 1) / each, 256>>>(alpha, d_x, d_y, n);
}
