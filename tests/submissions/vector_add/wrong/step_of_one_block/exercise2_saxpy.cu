/* alpha times x, added to y. */
#include "vector_add.h"
#include <algorithm>

using std::min;

enum { BLOCK = 256 };

__global__ void addScaled(float alpha, const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) {
        y[i] = alpha * x[i] + y[i];
    }
}

void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    const int blocks = min((n + BLOCK - 1) / BLOCK, 8);
    addScaled<<<blocks, BLOCK>>>(alpha, d_x, d_y, n);
}
