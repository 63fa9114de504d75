/* A thread for each row, which converts that row; the grid has blocks for the columns instead. */
#include "image.h"

__global__ void convertRow(const unsigned char *rgb, unsigned char *gray, int width, int height)
{
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < height) {
        for (int x = 0; x < width; x++) {
            const unsigned char *p = rgb + 3 * (y * width + x);
            gray[y * width + x] = 0.299f * p[0] + 0.587f * p[1] + 0.114f * p[2] + 0.5f;
        }
    }
}

void grayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height)
{
    convertRow<<<(width + 31) / 32, 32>>>(d_rgb, d_gray, width, height);
}
