/* Rows of the mask are taken for columns. */
#include "convolution.h"

enum {
    EDGE = 16, /* a block computes EDGE x EDGE pixels, one a thread */
    RADIUS_MAX = 4,
    TILE_MAX = EDGE + 2 * RADIUS_MAX, /* its pixels and the rim around them */
    MASK_MAX = 2 * RADIUS_MAX + 1,
};

/* All threads of a warp read the same element at a time: that is what constant memory is good at.
 * Rows follow each other without gaps, as in h_mask. */
static __constant__ float c_mask[MASK_MAX * MASK_MAX];
static int mask_radius;

static __global__ void convolveTiles(const float *in, float *out, int width, int height, int radius)
{
    __shared__ float tile[TILE_MAX][TILE_MAX];

    /* The tile has more pixels than the block has threads, so threads go through it in steps of
     * the block. Pixels outside of the image are zero: no test is needed later on. */
    const int tile_edge = EDGE + 2 * radius;
    const int left = blockIdx.x * EDGE - radius;
    const int top = blockIdx.y * EDGE - radius;
    for (int i = threadIdx.y; i < tile_edge; i += EDGE) {
        for (int j = threadIdx.x; j < tile_edge; j += EDGE) {
            const int y = top + i;
            const int x = left + j;
            const bool is_inside = y >= 0 && y < height && x >= 0 && x < width;
            tile[i][j] = is_inside ? in[y * width + x] : 0.0f;
        }
    }
    __syncthreads(); /* all threads get here, also those without a pixel of their own */

    const int x = blockIdx.x * EDGE + threadIdx.x;
    const int y = blockIdx.y * EDGE + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const int mask_edge = 2 * radius + 1;
    float sum = 0.0f;
    for (int i = 0; i < mask_edge; i++) {
        for (int j = 0; j < mask_edge; j++) {
            sum += c_mask[j * mask_edge + i] * tile[threadIdx.y + i][threadIdx.x + j];
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
