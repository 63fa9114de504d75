#include "image.h"

__global__ void blurAll(const unsigned char *in, unsigned char *out, int width, int height,
                        int radius)
{
    for (int i = 0; i < width * height; i++) {
        int sum = 0, count = 0;
        for (int y = max(0, i / width - radius); y <= min(height - 1, i / width + radius); y++) {
            for (int x = max(0, i % width - radius); x <= min(width - 1, i % width + radius); x++) {
                sum += in[y * width + x];
                count++;
            }
        }
        out[i] = (unsigned char)(sum / count);
    }
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    blurAll<<<1, 1>>>(d_in, d_out, width, height, radius);
}
