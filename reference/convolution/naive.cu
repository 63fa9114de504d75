/* naive.cu: the version that the exercise should beat. Each thread reads its whole window, and
 * the mask, from global memory, so nearly every pixel is loaded once for each element of the mask.
 */
#include "convolution.h"

enum { NAIVE_EDGE = 16, NAIVE_MASK = 9 * 9 };

static __device__ float naive_mask[NAIVE_MASK];
static int naive_radius;

static __global__ void naiveConvolveKernel(const float *in, float *out, int width, int height,
                                           int radius)
{
    const int x = blockIdx.x * NAIVE_EDGE + threadIdx.x;
    const int y = blockIdx.y * NAIVE_EDGE + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const int edge = 2 * radius + 1;
    float sum = 0.0f;
    for (int i = 0; i < edge; i++) {
        for (int j = 0; j < edge; j++) {
            const int row = y + i - radius, column = x + j - radius;
            if (row >= 0 && row < height && column >= 0 && column < width) {
                sum += naive_mask[i * edge + j] * in[row * width + column];
            }
        }
    }
    out[y * width + x] = sum;
}

void naiveSetMask(const float *h_mask, int radius)
{
    const int edge = 2 * radius + 1;
    cudaMemcpyToSymbol(naive_mask, h_mask, edge * edge * sizeof *h_mask);
    naive_radius = radius;
}

void naiveConvolve(const float *d_in, float *d_out, int width, int height)
{
    const dim3 threads(NAIVE_EDGE, NAIVE_EDGE);
    const dim3 blocks((width + NAIVE_EDGE - 1) / NAIVE_EDGE,
                      (height + NAIVE_EDGE - 1) / NAIVE_EDGE);
    naiveConvolveKernel<<<blocks, threads>>>(d_in, d_out, width, height, naive_radius);
}
