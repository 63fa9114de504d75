/* Convolution: the mask in constant memory, the image through tiles in shared memory. */
#include "convolution.h"

enum {
    COLUMNS = 32, /* a block computes ROWS x COLUMNS pixels, one a thread; a warp is one row, so */
    ROWS = 16,    /* its threads read elements of the tile that lie in different banks */
    RADIUS_MAX = 4,
    MASK_MAX = 2 * RADIUS_MAX + 1,
};

/* All threads of a warp read the same element at a time: that is what constant memory is good at.
 * Rows follow each other without gaps, as in h_mask. */
static __constant__ float c_mask[MASK_MAX * MASK_MAX];
static int mask_radius;

/* The radius is known when the kernel is compiled, so its loops are unrolled. */
template <int RADIUS>
static __global__ void convolveTiles(const float *in, float *out, int width, int height)
{
    /* The pixels of the block and the rim around them. */
    __shared__ float tile[ROWS + 2 * RADIUS][COLUMNS + 2 * RADIUS];

    /* The tile has more pixels than the block has threads, so threads go through it in steps of
     * the block. Pixels outside of the image are zero: no test is needed later on. */
    const int left = blockIdx.x * COLUMNS - RADIUS;
    const int top = blockIdx.y * ROWS - RADIUS;
    for (int i = threadIdx.y; i < ROWS + 2 * RADIUS; i += ROWS) {
        for (int j = threadIdx.x; j < COLUMNS + 2 * RADIUS; j += COLUMNS) {
            const int y = top + i;
            const int x = left + j;
            const bool is_inside = y >= 0 && y < height && x >= 0 && x < width;
            tile[i][j] = is_inside ? in[y * width + x] : 0.0f;
        }
    }
    __syncthreads(); /* all threads get here, also those without a pixel of their own */

    const int x = blockIdx.x * COLUMNS + threadIdx.x;
    const int y = blockIdx.y * ROWS + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const int mask_edge = 2 * RADIUS + 1;
    float sum = 0.0f;
    for (int i = 0; i < mask_edge; i++) {
        for (int j = 0; j < mask_edge; j++) {
            sum += c_mask[i * mask_edge + j] * tile[threadIdx.y + i][threadIdx.x + j];
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

template <int RADIUS> static void launch(const float *d_in, float *d_out, int width, int height)
{
    const dim3 threads(COLUMNS, ROWS);
    const dim3 blocks((width + ROWS - 1) / ROWS, (height + COLUMNS - 1) / COLUMNS);
    convolveTiles<RADIUS><<<blocks, threads>>>(d_in, d_out, width, height);
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    switch (mask_radius) {
    case 1:
        return launch<1>(d_in, d_out, width, height);
    case 2:
        return launch<2>(d_in, d_out, width, height);
    case 3:
        return launch<3>(d_in, d_out, width, height);
    default:
        return launch<4>(d_in, d_out, width, height);
    }
}
