/* Exercise 1: gray values. Where a pixel is in the image does not matter, so the image is one long
 * array of pixels here.
 */
#include "image.h"

enum { BLOCK_SIZE = 256 };

static __global__ void convert(const unsigned char *rgb, unsigned char *gray, int pixels)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i >= pixels) {
        return;
    }
    const float red = rgb[3 * i];
    const float green = rgb[3 * i + 1];
    const float blue = rgb[3 * i + 2];
    /* A conversion to a whole number rounds down; with a half added, it rounds to nearest. */
    gray[i] = (unsigned char)(0.299f * red + 0.587f * red + 0.114f * blue + 0.5f);
}

void grayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height)
{
    const int pixels = width * height;
    const int blocks = (pixels + BLOCK_SIZE - 1) / BLOCK_SIZE;
    convert<<<blocks, BLOCK_SIZE>>>(d_rgb, d_gray, pixels);
}
