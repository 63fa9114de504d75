#include "heat.h"

__global__ void heatStep(float *field, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
        int i = y * width + x;
        field[i] = 0.25f * (field[i - width] + field[i + width] + field[i - 1] + field[i + 1]);
    }
}

void heat(float *d_a, float *d_b, int width, int height, int steps)
{
    dim3 block(16, 16);
    dim3 grid((width + 15) / 16, (height + 15) / 16);
    for (int step = 0; step < steps; step++) {
        heatStep<<<grid, block>>>(d_a, width, height);
    }
}
