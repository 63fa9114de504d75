/* alpha times x, added to y. */
#include "vector_add.h"

enum { BLOCK = 256 };

__global__ void addScaled(float alpha, const float *x, float *y, int n)
{
    const int threads = gridDim.x * blockDim.x;
    const int each = (n + threads - 1) / threads;
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < min(first + each, n); i++) {
        y[i] = alpha * x[i] + y[i];
    }
}

void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    addScaled<<<16, BLOCK>>>(alpha, d_x, d_y, n);
}
