/* At most 64 blocks, each of which computes one tile after the other. */
#include "convolution.h"

#include <algorithm>

constexpr int kTile = 16;
constexpr int kHalo = 4;

__constant__ float maskData[81];
int maskRadius;

__global__ void convolveManyTiles(const float *in, float *out, int width, int height, int radius,
                                  int tilesAcross, int tiles)
{
    __shared__ float buffer[kTile + 2 * kHalo][kTile + 2 * kHalo + 1];
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int tileX = tile % tilesAcross * kTile;
        const int tileY = tile / tilesAcross * kTile;
        for (int dy = threadIdx.y; dy < kTile + 2 * radius; dy += kTile) {
            for (int dx = threadIdx.x; dx < kTile + 2 * radius; dx += kTile) {
                const int x = tileX + dx - radius;
                const int y = tileY + dy - radius;
                float pixel = 0.0f;
                if (x >= 0 && x < width && y >= 0 && y < height) {
                    pixel = in[y * width + x];
                }
                buffer[dy][dx] = pixel;
            }
        }
        __syncthreads();
        const int x = tileX + threadIdx.x;
        const int y = tileY + threadIdx.y;
        if (x < width && y < height) {
            float sum = 0.0f;
            int k = 0;
            for (int i = 0; i < 2 * radius + 1; ++i) {
                for (int j = 0; j < 2 * radius + 1; ++j, ++k) {
                    sum += buffer[threadIdx.y + i][threadIdx.x + j] * maskData[k];
                }
            }
            out[y * width + x] = sum;
        }
        __syncthreads();
    }
}

void setMask(const float *h_mask, int radius)
{
    const int count = (2 * radius + 1) * (2 * radius + 1);
    void *address = nullptr;
    cudaGetSymbolAddress(&address, maskData);
    cudaMemcpy(address, h_mask, count * sizeof(float), cudaMemcpyHostToDevice);
    maskRadius = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    const int across = (width + kTile - 1) / kTile;
    const int tiles = across * ((height + kTile - 1) / kTile);
    convolveManyTiles<<<std::min(tiles, 64), dim3(kTile, kTile)>>>(d_in, d_out, width, height,
                                                                   maskRadius, across, tiles);
}
