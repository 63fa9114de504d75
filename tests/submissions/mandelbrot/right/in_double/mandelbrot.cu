#include "mandelbrot.h"

template <typename Real, int Edge>
__global__ void countSteps(int *count, int width, int height, Real x0, Real y0, Real x1, Real y1,
                           int limit)
{
    const int column = blockIdx.x * Edge + threadIdx.x;
    const int row = blockIdx.y * Edge + threadIdx.y;
    if (column >= width || row >= height) {
        return;
    }
    const Real a = x0 + column * (x1 - x0) / width;
    const Real b = y0 + row * (y1 - y0) / height;
    Real x = 0, y = 0;
    int steps = 0;
    while (steps < limit) {
        if (x * x + y * y > 4) {
            break;
        }
        const Real old = x;
        x = x * x - y * y + a;
        y = 2 * old * y + b;
        ++steps;
    }
    count[row * width + column] = steps;
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    constexpr int edge = 16;
    const dim3 grid((width + edge - 1) / edge, (height + edge - 1) / edge);
    countSteps<double, edge>
        <<<grid, dim3(edge, edge)>>>(d_count, width, height, x0, y0, x1, y1, limit);
}
