#include "heat.h"

__global__ void heatStep(float *from, float *to, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const int i = y * width + x;
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1) {
        to[i] = from[i];
    } else {
        to[i] = 0.25f * (from[i - width] + from[i + width] + from[i - 1] + from[i + 1]);
    }
    float *old = from;
    from = to;
    to = old;
}

void heat(float *d_a, float *d_b, int width, int height, int steps)
{
    const dim3 block(16, 16);
    const dim3 grid((width + 15) / 16, (height + 15) / 16);
    for (int step = 0; step < steps; step++) {
        heatStep<<<grid, block>>>(d_a, d_b, width, height);
    }
}
