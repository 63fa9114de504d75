/* naive.cu: the versions that the exercises should beat.
 *
 * Gray values: each thread converts a run of neighbouring pixels, so neighbouring threads touch
 * pixels that lie far apart. Blur: each thread reads its whole window from global memory, so nearly
 * every pixel is loaded once for each pixel of the window.
 */
#include "image.h"

enum { NAIVE_BLOCK = 256, NAIVE_RUN = 32, NAIVE_EDGE = 16 };

static __global__ void naiveGrayscaleKernel(const unsigned char *rgb, unsigned char *gray,
                                            int pixels)
{
    const int first = (blockIdx.x * NAIVE_BLOCK + threadIdx.x) * NAIVE_RUN;
    for (int i = first; i < first + NAIVE_RUN && i < pixels; i++) {
        gray[i] = (unsigned char)(0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] +
                                  0.114f * rgb[3 * i + 2] + 0.5f);
    }
}

void naiveGrayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height)
{
    const int pixels = width * height;
    const int blocks = (pixels + NAIVE_BLOCK * NAIVE_RUN - 1) / (NAIVE_BLOCK * NAIVE_RUN);
    naiveGrayscaleKernel<<<blocks, NAIVE_BLOCK>>>(d_rgb, d_gray, pixels);
}

static __global__ void naiveBoxBlurKernel(const unsigned char *in, unsigned char *out, int width,
                                          int height, int radius)
{
    const int x = blockIdx.x * NAIVE_EDGE + threadIdx.x;
    const int y = blockIdx.y * NAIVE_EDGE + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    int sum = 0, count = 0;
    for (int row = y - radius; row <= y + radius; row++) {
        for (int column = x - radius; column <= x + radius; column++) {
            if (row >= 0 && row < height && column >= 0 && column < width) {
                sum += in[row * width + column];
                count++;
            }
        }
    }
    out[y * width + x] = (unsigned char)(sum / count);
}

void naiveBoxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height,
                  int radius)
{
    const dim3 threads(NAIVE_EDGE, NAIVE_EDGE);
    const dim3 blocks((width + NAIVE_EDGE - 1) / NAIVE_EDGE,
                      (height + NAIVE_EDGE - 1) / NAIVE_EDGE);
    naiveBoxBlurKernel<<<blocks, threads>>>(d_in, d_out, width, height, radius);
}
