#include "mandelbrot.h"

enum { WIDTH = 32, HEIGHT = 8 };

__global__ void countSteps(int *count, int width, int height, float x0, float y0, float x1,
                           float y1, int limit)
{
    const int i = blockIdx.x * WIDTH + threadIdx.x, j = blockIdx.y * HEIGHT + threadIdx.y;
    if (i >= width || j >= height) {
        return;
    }
    const double cx = (double)x0 + i * ((double)x1 - x0) / width;
    const double cy = (double)y0 + j * ((double)y1 - y0) / height;
    double x = 0.0, y = 0.0;
    int steps = 0;
    while (steps < limit && x * x + y * y <= 4.0) {
        const double next = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = next;
        steps++;
    }
    count[j * width + i] = steps;
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    const dim3 blocks((width + WIDTH - 1) / WIDTH, (height + HEIGHT - 1) / HEIGHT);
    countSteps<<<blocks, dim3(WIDTH, HEIGHT)>>>(d_count, width, height, x0, y0, x1, y1, limit);
}
