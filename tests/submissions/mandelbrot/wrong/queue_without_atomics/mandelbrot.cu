#include "mandelbrot.h"

__global__ void fromQueue(int *count, int *next, int width, int height, float x0, float y0,
                          float x1, float y1, int limit)
{
    const int lane = threadIdx.x % 32;
    for (;;) {
        int first = 0;
        if (lane == 0) {
            first = *next;
            *next = first + 32;
        }
        first = __shfl_sync(0xffffffffu, first, 0);
        if (first >= width * height) {
            return;
        }
        const int pixel = first + lane;
        if (pixel < width * height) {
            const float cx = x0 + pixel % width * (x1 - x0) / width;
            const float cy = y0 + pixel / width * (y1 - y0) / height;
            float x = 0.0f, y = 0.0f;
            int n = 0;
            while (n < limit && x * x + y * y <= 4.0f) {
                const float next_x = x * x - y * y + cx;
                y = 2.0f * x * y + cy;
                x = next_x;
                n++;
            }
            count[pixel] = n;
        }
        __syncwarp();
    }
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    int *next = nullptr;
    cudaMalloc(&next, sizeof *next);
    cudaMemset(next, 0, sizeof *next);
    fromQueue<<<66, 128>>>(d_count, next, width, height, x0, y0, x1, y1, limit);
    cudaFree(next);
}
