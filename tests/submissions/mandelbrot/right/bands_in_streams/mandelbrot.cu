#include "mandelbrot.h"

/* The image in four bands, each in a stream of its own. */
enum { BANDS = 4, THREADS = 128 };

__global__ void band(int *count, int first_row, int width, int height, float x0, float y0, float x1,
                     float y1, int limit)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = first_row + blockIdx.y;
    if (i >= width) {
        return;
    }
    const float cx = x0 + (x1 - x0) * i / width;
    const float cy = y0 + (y1 - y0) * j / height;
    float x = cx, y = cy; // that was the first step
    int steps = 1;
    while (steps < limit && x * x + y * y <= 4.0f) {
        const float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        steps++;
    }
    count[j * width + i] = steps;
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    cudaStream_t streams[BANDS];
    const int rows = (height + BANDS - 1) / BANDS;
    for (int b = 0; b < BANDS; b++) {
        cudaStreamCreateWithFlags(&streams[b], cudaStreamNonBlocking);
        const int first = b * rows;
        const int last = first + rows < height ? first + rows : height;
        if (first < last) {
            const dim3 blocks((width + THREADS - 1) / THREADS, last - first);
            band<<<blocks, THREADS, 0, streams[b]>>>(d_count, first, width, height, x0, y0, x1, y1,
                                                     limit);
        }
    }
    for (int b = 0; b < BANDS; b++) {
        cudaStreamSynchronize(streams[b]);
        cudaStreamDestroy(streams[b]);
    }
}
