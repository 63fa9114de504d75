/* The bytes of a block's pixels go through shared memory, so that neighbouring threads load
 * neighbouring bytes. */
#include "image.h"

constexpr int kThreads = 128;

__global__ void grayFromShared(const unsigned char *rgb, unsigned char *gray, int pixels)
{
    __shared__ unsigned char bytes[3 * kThreads];
    const int first = blockIdx.x * kThreads;
    for (int part = 0; part < 3; ++part) {
        const int k = part * kThreads + threadIdx.x;
        if (3 * first + k < 3 * pixels) {
            bytes[k] = rgb[3 * first + k];
        }
    }
    __syncthreads();
    const int i = first + threadIdx.x;
    if (i < pixels) {
        const unsigned char *own = bytes + 3 * threadIdx.x;
        gray[i] = static_cast<unsigned char>(
            __float2int_rn(fmaf(0.299f, own[0], fmaf(0.587f, own[1], 0.114f * own[2]))));
    }
}

void grayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height)
{
    const int pixels = width * height;
    grayFromShared<<<(pixels + kThreads - 1) / kThreads, kThreads>>>(d_rgb, d_gray, pixels);
}
