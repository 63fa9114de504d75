#include "vector_add.h"

__global__ void axpyStriding(int n, float alpha, const float *x, float *y)
{
    const int step = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        y[i] += alpha * x[i];
        i += step;
    }
}

void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    axpyStriding<<<96, 128>>>(n, alpha, d_x, d_y);
}
