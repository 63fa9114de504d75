/* A block has a thread for each pixel of its tile; those of the rim only load. */
#include "convolution.h"

#define TILE 24

__constant__ float mask_c[81];
int radius_of_mask;

__global__ void conv(const float *in, float *out, int w, int h, int r)
{
    __shared__ float t[TILE][TILE];
    int inner = TILE - 2 * r;
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * inner + tx - r;
    int y = blockIdx.y * inner + ty - r;

    if (x >= 0 && x < w && y >= 0 && y < h) {
        t[ty][tx] = in[y * w + x];
    } else {
        t[ty][tx] = 0;
    }
    __syncthreads();
    if (tx >= r && tx < TILE - r && ty >= r && ty < TILE - r && x < w && y < h) {
        float s = 0;
        for (int i = -r; i <= r; i++) {
            for (int j = -r; j <= r; j++) {
                s += mask_c[(i + r) * (2 * r + 1) + j + r] * t[ty + i][tx + j];
            }
        }
        out[y * w + x] = s;
    }
}

void setMask(const float *h_mask, int radius)
{
    radius_of_mask = radius;
    int n = 2 * radius + 1;
    cudaMemcpyToSymbol(mask_c, h_mask, n * n * sizeof(float), 0, cudaMemcpyHostToDevice);
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    int inner = TILE - 2 * radius_of_mask;
    dim3 grid((width + inner - 1) / inner, (height + inner - 1) / inner);
    conv<<<grid, dim3(TILE, TILE)>>>(d_in, d_out, width, height, radius_of_mask);
}
