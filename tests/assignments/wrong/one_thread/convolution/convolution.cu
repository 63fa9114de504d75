#include "convolution.h"

static __constant__ float c_mask[81];
static int mask_radius;

__global__ void convolveAll(const float *in, float *out, int width, int height, int radius)
{
    for (int i = 0; i < width * height; i++) {
        float sum = 0;
        for (int k = 0; k < (2 * radius + 1) * (2 * radius + 1); k++) {
            const int y = i / width + k / (2 * radius + 1) - radius;
            const int x = i % width + k % (2 * radius + 1) - radius;
            if (y >= 0 && y < height && x >= 0 && x < width) {
                sum += c_mask[k] * in[y * width + x];
            }
        }
        out[i] = sum;
    }
}

void setMask(const float *h_mask, int radius)
{
    cudaMemcpyToSymbol(c_mask, h_mask, (2 * radius + 1) * (2 * radius + 1) * sizeof(float));
    mask_radius = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    convolveAll<<<1, 1>>>(d_in, d_out, width, height, mask_radius);
}
