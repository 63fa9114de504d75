/* A grid-stride loop over pixels of type uchar3, in double, cut off: one step below at most. */
#include "image.h"

#include <algorithm>

__global__ void luminance(const uchar3 *colours, unsigned char *values, size_t pixels)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += step) {
        const uchar3 colour = colours[i];
        values[i] = 0.299 * colour.x + 0.587 * colour.y + 0.114 * colour.z;
    }
}

void grayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height)
{
    const size_t pixels = (size_t)width * height;
    const size_t blocks = std::min<size_t>((pixels + 127) / 128, 1024);
    luminance<<<blocks, 128>>>(reinterpret_cast<const uchar3 *>(d_rgb), d_gray, pixels);
}
