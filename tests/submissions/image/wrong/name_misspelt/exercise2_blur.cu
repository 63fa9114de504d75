/* A variable is misspelt. */
#include "image.h"

enum {
    EDGE = 16, /* a block computes EDGE x EDGE pixels, one a thread */
    RADIUS_MAX = 8,
    TILE_MAX = EDGE + 2 * RADIUS_MAX, /* its pixels and the rim around them */
};

static __global__ void blurTiles(const unsigned char *in, unsigned char *out, int width, int height,
                                 int radius)
{
    __shared__ unsigned char tile[TILE_MAX][TILE_MAX];

    /* The tile has more pixels than the block has threads, so threads go through it in steps of
     * the block. Zeros outside of the image add nothing to a sum. */
    const int tile_edge = EDGE + 2 * radius;
    const int left = blockIdx.x * EDGE - raduis;
    const int top = blockIdx.y * EDGE - radius;
    for (int i = threadIdx.y; i < tile_edge; i += EDGE) {
        for (int j = threadIdx.x; j < tile_edge; j += EDGE) {
            const int y = top + i;
            const int x = left + j;
            const bool is_inside = y >= 0 && y < height && x >= 0 && x < width;
            tile[i][j] = is_inside ? in[y * width + x] : 0;
        }
    }
    __syncthreads(); /* all threads get here, also those without a pixel of their own */

    const int x = blockIdx.x * EDGE + threadIdx.x;
    const int y = blockIdx.y * EDGE + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    int sum = 0; /* up to 289 * 255: too large for a byte */
    for (int i = 0; i <= 2 * radius; i++) {
        for (int j = 0; j <= 2 * radius; j++) {
            sum += tile[threadIdx.y + i][threadIdx.x + j];
        }
    }
    /* Only the pixels inside of the image count. */
    const int rows = min(y + radius, height - 1) - max(y - radius, 0) + 1;
    const int columns = min(x + radius, width - 1) - max(x - radius, 0) + 1;
    out[y * width + x] = (unsigned char)(sum / (rows * columns));
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    const dim3 threads(EDGE, EDGE);
    const dim3 blocks((width + EDGE - 1) / EDGE, (height + EDGE - 1) / EDGE);
    blurTiles<<<blocks, threads>>>(d_in, d_out, width, height, radius);
}
