/* Everything is computed on the host. */
#include "convolution.h"

#include <vector>

static std::vector<float> mask;
static int mask_radius;

void setMask(const float *h_mask, int radius)
{
    mask.assign(h_mask, h_mask + (2 * radius + 1) * (2 * radius + 1));
    mask_radius = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    std::vector<float> in(width * height), out(width * height);
    cudaMemcpy(in.data(), d_in, in.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float sum = 0;
            for (int i = -mask_radius; i <= mask_radius; i++) {
                for (int j = -mask_radius; j <= mask_radius; j++) {
                    if (y + i >= 0 && y + i < height && x + j >= 0 && x + j < width) {
                        sum += mask[(i + mask_radius) * (2 * mask_radius + 1) + j + mask_radius] *
                               in[(y + i) * width + x + j];
                    }
                }
            }
            out[y * width + x] = sum;
        }
    }
    cudaMemcpy(d_out, out.data(), out.size() * sizeof(float), cudaMemcpyHostToDevice);
}
