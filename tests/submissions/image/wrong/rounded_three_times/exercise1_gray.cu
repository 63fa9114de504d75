/* Each product is a byte before they are added. */
#include "image.h"

enum { BLOCK_SIZE = 256 };

static __global__ void convert(const unsigned char *rgb, unsigned char *gray, int pixels)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i >= pixels) {
        return;
    }
    const unsigned char red = 0.299f * rgb[3 * i];
    const unsigned char green = 0.587f * rgb[3 * i + 1];
    const unsigned char blue = 0.114f * rgb[3 * i + 2];
    /* A conversion to a whole number rounds down; with a half added, it rounds to nearest. */
    gray[i] = red + green + blue;
}

void grayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height)
{
    const int pixels = width * height;
    const int blocks = (pixels + BLOCK_SIZE - 1) / BLOCK_SIZE;
    convert<<<blocks, BLOCK_SIZE>>>(d_rgb, d_gray, pixels);
}
