#include "image.h"

enum { BLOCK = 256 };

__global__ void gray(const unsigned char *rgb, unsigned char *out, int pixels)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < pixels) {
        const float sum = 0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2];
        out[i] = (unsigned char)(sum + 0.5f);
    }
}

void grayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height)
{
    const int pixels = width * height;
    gray<<<(pixels + BLOCK - 1) / BLOCK, BLOCK>>>(d_rgb, d_gray, pixels);
}
