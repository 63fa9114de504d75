#include "heat.h"

__global__ void heatStep(const float *from, float *to, int width, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    bool inner = i >= width && i < count - width;
    if (inner)
        to[i] = 0.25f * (from[i - width] + from[i + width] + from[i - 1] + from[i + 1]);
    else
        to[i] = from[i];
}

void heat(float *d_a, float *d_b, int width, int height, int steps)
{
    int count = width * height;
    float *from = d_a, *to = d_b;
    for (int step = 0; step < steps; step++) {
        heatStep<<<(count + 255) / 256, 256>>>(from, to, width, count);
        float *t = from;
        from = to;
        to = t;
    }
    if (from != d_a)
        cudaMemcpy(d_a, from, count * sizeof(float), cudaMemcpyDeviceToDevice);
}
