/* The Mandelbrot set: a thread computes each pixel. */
#include "mandelbrot.h"

/* A warp is one row of a block, so it stores 32 counts that are next to each other. */
#define BLOCK_WIDTH 32
#define BLOCK_HEIGHT 8

/* How many steps z = z^2 + c takes to leave the circle with radius 2; at most limit. */
__device__ int steps(float cx, float cy, int limit)
{
    float x = 0.0f, y = 0.0f;
    int count = 0;
    while (count < limit && x * x + y * y <= 4.0f) {
        const float next_x = x * x - y * y + cx; /* y needs the old x */
        y = 2.0f * x * y + cy;
        x = next_x;
        count++;
    }
    return count;
}

__global__ void countSteps(int *count, int width, int height, float x0, float y0, float x1,
                           float y1, int limit)
{
    const int i = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
    const int j = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (i < width && j < height) {
        const float cx = x0 + i * (x1 - x0) / width;
        const float cy = y0 + j * (y1 - y0) / height;
        count[j * width + i] = steps(cx, cy, limit);
    }
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    const dim3 threads(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 blocks((width + BLOCK_WIDTH - 1) / BLOCK_WIDTH,
                      (height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);
    countSteps<<<blocks, threads>>>(d_count, width, height, x0, y0, x1, y1, limit);
}
