#include "vector_add.h"

__global__ void axpyPiece(float alpha, const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = alpha * x[i] + y[i];
    }
}

/* At most 65536 elements in one launch. */
void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    const int most = 65536;
    for (int first = 0; first < n; first += most) {
        const int count = n - first < most ? n - first : most;
        axpyPiece<<<(count + 255) / 256, 256>>>(alpha, d_x + first, d_y + first, count);
    }
}
