#include "heat.h"

__global__ void heatStep(const float *from, float *to, int width, int height)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const int i = y * width + x;
    const float up = y > 0 ? from[i - width] : 0.0f;
    const float down = y < height - 1 ? from[i + width] : 0.0f;
    const float left = x > 0 ? from[i - 1] : 0.0f;
    const float right = x < width - 1 ? from[i + 1] : 0.0f;
    to[i] = 0.25f * (up + down + left + right);
}

void heat(float *d_a, float *d_b, int width, int height, int steps)
{
    const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    for (int step = 0; step < steps; step++) {
        heatStep<<<grid, block>>>(step % 2 ? d_b : d_a, step % 2 ? d_a : d_b, width, height);
    }
    if (steps % 2) {
        cudaMemcpy(d_a, d_b, sizeof(float) * width * height, cudaMemcpyDeviceToDevice);
    }
}
