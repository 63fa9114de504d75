#include "mandelbrot.h"

__global__ void row(int *count, int width, int height, float x0, float y0, float x1, float y1,
                    int limit)
{
    __shared__ float cy;
    const int j = blockIdx.x;
    if (threadIdx.x == blockDim.x) {
        cy = y0 + j * (y1 - y0) / height;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        const float cx = x0 + i * (x1 - x0) / width;
        float x = 0.0f, y = 0.0f;
        int k = 0;
        while (k < limit && x * x + y * y <= 4.0f) {
            const float next_x = x * x - y * y + cx;
            y = 2.0f * x * y + cy;
            x = next_x;
            k++;
        }
        count[j * width + i] = k;
    }
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    row<<<height, 128>>>(d_count, width, height, x0, y0, x1, y1, limit);
}
