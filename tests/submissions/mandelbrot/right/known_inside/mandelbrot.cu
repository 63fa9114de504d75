#include "mandelbrot.h"

/* The largest parts of the set, the cardioid and the circle to its left, are known by a formula. */
__device__ bool isKnownInside(float x, float y)
{
    const float q = (x - 0.25f) * (x - 0.25f) + y * y;
    const bool in_cardioid = q * (q + (x - 0.25f)) < 0.25f * y * y;
    const bool in_circle = (x + 1.0f) * (x + 1.0f) + y * y < 0.0625f;
    return in_cardioid || in_circle;
}

__device__ int countOf(float cx, float cy, int limit)
{
    if (isKnownInside(cx, cy)) {
        return limit;
    }
    float x = 0.0f, y = 0.0f;
    for (int step = 0; step < limit; step++) {
        if (x * x + y * y > 4.0f) {
            return step;
        }
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
    }
    return limit;
}

__global__ void image(int *count, int width, int height, float x0, float y0, float dx, float dy,
                      int limit)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < width && j < height) {
        count[j * width + i] = countOf(x0 + i * dx, y0 + j * dy, limit);
    }
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    const dim3 threads(64, 4);
    const dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
    image<<<blocks, threads>>>(d_count, width, height, x0, y0, (x1 - x0) / width,
                               (y1 - y0) / height, limit);
}
