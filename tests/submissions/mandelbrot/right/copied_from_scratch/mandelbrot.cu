#include "mandelbrot.h"

/* Four pixels a thread, through memory of our own, whose rows are padded to whole vectors. */
__device__ int steps(float cx, float cy, int limit)
{
    float x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < limit && fmaf(x, x, y * y) <= 4.0f) {
        const float x_new = fmaf(x, x, fmaf(-y, y, cx));
        y = fmaf(2.0f * x, y, cy);
        x = x_new;
        n++;
    }
    return n;
}

__global__ void fourPixels(int4 *padded, int vectors, int width, int height, float x0, float y0,
                           float x1, float y1, int limit)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (v >= vectors || j >= height) {
        return;
    }
    const float dx = (x1 - x0) / width, cy = y0 + j * (y1 - y0) / height;
    const int i = 4 * v;
    padded[j * vectors + v] =
        make_int4(steps(x0 + i * dx, cy, limit), steps(x0 + (i + 1) * dx, cy, limit),
                  steps(x0 + (i + 2) * dx, cy, limit), steps(x0 + (i + 3) * dx, cy, limit));
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    const int vectors = (width + 3) / 4;
    int4 *padded = nullptr;
    cudaMalloc(&padded, (size_t)vectors * height * sizeof(int4));
    const dim3 threads(32, 4);
    const dim3 blocks((vectors + 31) / 32, (height + 3) / 4);
    fourPixels<<<blocks, threads>>>(padded, vectors, width, height, x0, y0, x1, y1, limit);
    cudaMemcpy2D(d_count, width * sizeof(int), padded, vectors * sizeof(int4), width * sizeof(int),
                 height, cudaMemcpyDeviceToDevice);
    cudaFree(padded);
}
