#include "mandelbrot.h"

/* Pixels take very different numbers of steps. So a warp takes the next 32 pixels when it is done
 * with its last ones. */
__global__ void fromQueue(int *count, unsigned int *next, int width, int height, float x0, float y0,
                          float x1, float y1, int limit)
{
    const unsigned int pixels = (unsigned int)width * height;
    const unsigned int lane = threadIdx.x % 32;
    for (;;) {
        unsigned int first = 0;
        if (lane == 0) {
            first = atomicAdd(next, 32u);
        }
        first = __shfl_sync(0xffffffffu, first, 0);
        if (first >= pixels) {
            return;
        }
        const unsigned int pixel = first + lane;
        if (pixel < pixels) {
            const int i = pixel % width, j = pixel / width;
            const float cx = x0 + i * (x1 - x0) / width, cy = y0 + j * (y1 - y0) / height;
            float x = 0.0f, y = 0.0f;
            int steps = 0;
            while (steps < limit && x * x + y * y <= 4.0f) {
                const float x_next = x * x - y * y + cx;
                y = 2.0f * x * y + cy;
                x = x_next;
                steps++;
            }
            count[pixel] = steps;
        }
        __syncwarp();
    }
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    unsigned int *next = nullptr;
    cudaMalloc(&next, sizeof *next);
    cudaMemset(next, 0, sizeof *next);
    fromQueue<<<132, 128>>>(d_count, next, width, height, x0, y0, x1, y1, limit);
    cudaFree(next);
}
