#include "mandelbrot.h"

__global__ void rows(int *count, int width, int height, float x0, float y0, float x1, float y1,
                     int limit)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= height) {
        return;
    }
    const float cy = y0 + j * (y1 - y0) / height;
    for (int i = 0; i < width; i++) {
        const float cx = x0 + i * (x1 - x0) / width;
        float x = 0, y = 0;
        int n = 0;
        while (n < limit && x * x + y * y <= 4) {
            const float t = x * x - y * y + cx;
            y = 2 * x * y + cy;
            x = t;
            n++;
        }
        count[j * width + i] = n;
    }
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    rows<<<(height + 127) / 128, 128>>>(d_count, width, height, x0, y0, x1, y1, limit);
}
