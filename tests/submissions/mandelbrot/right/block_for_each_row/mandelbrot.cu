#include "mandelbrot.h"

// One block for each row of the image; its threads go along the row.
__global__ void row(int *count, int width, int height, float x0, float y0, float x1, float y1,
                    int limit)
{
    __shared__ float cy;
    int j = blockIdx.x;
    if (threadIdx.x == 0)
        cy = y0 + j * (y1 - y0) / height;
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        float cx = x0 + i * (x1 - x0) / width;
        float x = 0, y = 0;
        int k = 0;
        while (x * x + y * y <= 4 && k < limit) {
            float xx = x * x - y * y + cx;
            y = (x + x) * y + cy;
            x = xx;
            ++k;
        }
        count[j * width + i] = k;
    }
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    row<<<height, 96>>>(d_count, width, height, x0, y0, x1, y1, limit);
}
