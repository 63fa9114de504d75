/* Every thread loads its window from global memory. */
#include "image.h"

enum {
    EDGE = 16, /* a block computes EDGE x EDGE pixels, one a thread */
};

static __global__ void blurTiles(const unsigned char *in, unsigned char *out, int width, int height,
                                 int radius)
{
    const int x = blockIdx.x * EDGE + threadIdx.x;
    const int y = blockIdx.y * EDGE + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    int sum = 0; /* up to 289 * 255: too large for a byte */
    for (int row = max(y - radius, 0); row <= min(y + radius, height - 1); row++) {
        for (int column = max(x - radius, 0); column <= min(x + radius, width - 1); column++) {
            sum += in[row * width + column];
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
