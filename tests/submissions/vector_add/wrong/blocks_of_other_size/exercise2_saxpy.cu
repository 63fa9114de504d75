/* As the addition, but in place: each thread reads its element of y before it writes it, and no
 * other thread touches that element.
 */
#include "vector_add.h"

enum { BLOCK = 256 };

__global__ void addScaled(float alpha, const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = alpha * x[i] + y[i];
    }
}

void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    addScaled<<<blocks, 128>>>(alpha, d_x, d_y, n);
}
