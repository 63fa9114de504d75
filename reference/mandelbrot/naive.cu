/* naive.cu: the version that the exercise should beat. Each thread computes a whole row of the
 * image, so there are few threads, and neighbouring threads store counts that lie a row apart.
 */
#include "mandelbrot.h"

__global__ void naiveKernel(int *count, int width, int height, float x0, float y0, float x1,
                            float y1, int limit)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= height) {
        return;
    }
    const float cy = y0 + j * (y1 - y0) / height;
    for (int i = 0; i < width; i++) {
        const float cx = x0 + i * (x1 - x0) / width;
        float x = 0.0f, y = 0.0f;
        int steps = 0;
        while (steps < limit && x * x + y * y <= 4.0f) {
            const float next_x = x * x - y * y + cx;
            y = 2.0f * x * y + cy;
            x = next_x;
            steps++;
        }
        count[j * width + i] = steps;
    }
}

void naiveMandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                     int limit)
{
    const int threads = 64;
    naiveKernel<<<(height + threads - 1) / threads, threads>>>(d_count, width, height, x0, y0, x1,
                                                               y1, limit);
}
