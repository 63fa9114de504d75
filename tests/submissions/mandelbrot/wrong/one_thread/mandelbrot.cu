#include "mandelbrot.h"

__global__ void countAll(int *count, int width, int height, float x0, float y0, float x1, float y1,
                         int limit)
{
    for (int i = 0; i < width * height; i++) {
        const float cx = x0 + i % width * (x1 - x0) / width;
        const float cy = y0 + i / width * (y1 - y0) / height;
        float x = 0, y = 0;
        int steps = 0;
        for (; steps < limit && x * x + y * y <= 4.0f; steps++) {
            const float next = x * x - y * y + cx;
            y = 2.0f * x * y + cy;
            x = next;
        }
        count[i] = steps;
    }
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    countAll<<<1, 1>>>(d_count, width, height, x0, y0, x1, y1, limit);
}
