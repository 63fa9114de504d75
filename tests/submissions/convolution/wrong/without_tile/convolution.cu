/* Every thread loads its window from global memory. */
#include "convolution.h"

enum {
    EDGE = 16, /* a block computes EDGE x EDGE pixels, one a thread */
    RADIUS_MAX = 4,
    MASK_MAX = 2 * RADIUS_MAX + 1,
};

/* All threads of a warp read the same element at a time: that is what constant memory is good at.
 * Rows follow each other without gaps, as in h_mask. */
static __constant__ float c_mask[MASK_MAX * MASK_MAX];
static int mask_radius;

static __global__ void convolveTiles(const float *in, float *out, int width, int height, int radius)
{
    const int x = blockIdx.x * EDGE + threadIdx.x;
    const int y = blockIdx.y * EDGE + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const int mask_edge = 2 * radius + 1;
    float sum = 0.0f;
    for (int i = 0; i < mask_edge; i++) {
        for (int j = 0; j < mask_edge; j++) {
            const int row = y + i - radius;
            const int column = x + j - radius;
            if (row >= 0 && row < height && column >= 0 && column < width) {
                sum += c_mask[i * mask_edge + j] * in[row * width + column];
            }
        }
    }
    out[y * width + x] = sum;
}

/* The copy is over when cudaMemcpyToSymbol returns, so the caller may change h_mask at once. */
void setMask(const float *h_mask, int radius)
{
    const int mask_edge = 2 * radius + 1;
    cudaMemcpyToSymbol(c_mask, h_mask, mask_edge * mask_edge * sizeof *h_mask);
    mask_radius = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    const dim3 threads(EDGE, EDGE);
    const dim3 blocks((width + EDGE - 1) / EDGE, (height + EDGE - 1) / EDGE);
    convolveTiles<<<blocks, threads>>>(d_in, d_out, width, height, mask_radius);
}
