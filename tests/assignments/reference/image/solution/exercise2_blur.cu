/* Each block loads a tile and the rim around it; pixels outside of the image count nothing. */
#include "image.h"

enum { EDGE = 16, RADIUS_MAX = 8, TILE = EDGE + 2 * RADIUS_MAX };

__global__ void blurTiles(const unsigned char *in, unsigned char *out, int width, int height,
                          int radius)
{
    __shared__ unsigned char tile[TILE][TILE];
    const int edge = EDGE + 2 * radius;
    const int left = blockIdx.x * EDGE - radius, top = blockIdx.y * EDGE - radius;
    for (int y = threadIdx.y; y < edge; y += EDGE) {
        for (int x = threadIdx.x; x < edge; x += EDGE) {
            const int row = top + y, column = left + x;
            const bool is_inside = row >= 0 && row < height && column >= 0 && column < width;
            tile[y][x] = is_inside ? in[row * width + column] : 0;
        }
    }
    __syncthreads();
    const int row = blockIdx.y * EDGE + threadIdx.y, column = blockIdx.x * EDGE + threadIdx.x;
    if (row >= height || column >= width) {
        return;
    }
    int sum = 0;
    for (int i = 0; i <= 2 * radius; i++) {
        for (int j = 0; j <= 2 * radius; j++) {
            sum += tile[threadIdx.y + i][threadIdx.x + j];
        }
    }
    const int rows = min(height - 1, row + radius) - max(0, row - radius) + 1;
    const int columns = min(width - 1, column + radius) - max(0, column - radius) + 1;
    out[row * width + column] = (unsigned char)(sum / (rows * columns));
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    const dim3 blocks((width + EDGE - 1) / EDGE, (height + EDGE - 1) / EDGE);
    blurTiles<<<blocks, dim3(EDGE, EDGE)>>>(d_in, d_out, width, height, radius);
}
