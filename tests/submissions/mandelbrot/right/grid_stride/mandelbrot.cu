#include "mandelbrot.h"

__global__ void iterate(int *count, int width, int height, float x0, float y0, float x1, float y1,
                        int limit)
{
    const int pixels = width * height;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += gridDim.x * blockDim.x) {
        const int i = p % width;
        const int j = p / width;
        const float cr = x0 + i * ((x1 - x0) / width);
        const float ci = y0 + j * ((y1 - y0) / height);
        float zr = 0, zi = 0, zr2 = 0, zi2 = 0;
        int n = 0;
        for (; n < limit && zr2 + zi2 <= 4.0f; n++) {
            zi = 2 * zr * zi + ci;
            zr = zr2 - zi2 + cr;
            zr2 = zr * zr;
            zi2 = zi * zi;
        }
        count[p] = n;
    }
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    iterate<<<264, 256>>>(d_count, width, height, x0, y0, x1, y1, limit);
}
