/* A tile without a rim: pixels of other blocks do not count. */
#include "image.h"

#define EDGE 16

__global__ void blurWithin(const unsigned char *in, unsigned char *out, int width, int height,
                           int radius)
{
    __shared__ unsigned char tile[EDGE][EDGE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * EDGE + tx, y = blockIdx.y * EDGE + ty;
    if (x < width && y < height) {
        tile[ty][tx] = in[y * width + x];
    }
    __syncthreads();
    if (x < width && y < height) {
        int sum = 0, count = 0;
        for (int i = max(0, ty - radius); i <= min(EDGE - 1, ty + radius); i++) {
            for (int j = max(0, tx - radius); j <= min(EDGE - 1, tx + radius); j++) {
                if (x - tx + j < width && y - ty + i < height) {
                    sum += tile[i][j];
                    count++;
                }
            }
        }
        out[y * width + x] = sum / count;
    }
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    dim3 blocks((width + EDGE - 1) / EDGE, (height + EDGE - 1) / EDGE);
    blurWithin<<<blocks, dim3(EDGE, EDGE)>>>(d_in, d_out, width, height, radius);
}
