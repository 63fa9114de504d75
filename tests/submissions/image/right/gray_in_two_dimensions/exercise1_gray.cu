/* Blocks of 16 x 16 pixels, and weights in whole numbers: of 65536, with a half of it added. */
#include "image.h"

__global__ void toGray(const unsigned char *rgb, unsigned char *gray, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        const unsigned char *p = &rgb[3 * (y * width + x)];
        gray[y * width + x] = (19595 * p[0] + 38470 * p[1] + 7471 * p[2] + 32768) >> 16;
    }
}

void grayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height)
{
    dim3 block(16, 16);
    dim3 grid((width + 15) / 16, (height + 15) / 16);
    toGray<<<grid, block>>>(d_rgb, d_gray, width, height);
}
