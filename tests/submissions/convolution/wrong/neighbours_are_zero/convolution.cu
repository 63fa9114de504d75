/* A tile without a rim: pixels of other blocks count as 0. */
#include "convolution.h"

#define EDGE 16

__constant__ float c_mask[81];
int r;

__global__ void convolveTile(const float *in, float *out, int width, int height, int radius)
{
    __shared__ float tile[EDGE][EDGE];
    int x = blockIdx.x * EDGE + threadIdx.x;
    int y = blockIdx.y * EDGE + threadIdx.y;

    tile[threadIdx.y][threadIdx.x] = x < width && y < height ? in[y * width + x] : 0.0f;
    __syncthreads();

    float sum = 0.0f;
    for (int i = 0; i < 2 * radius + 1; i++) {
        for (int j = 0; j < 2 * radius + 1; j++) {
            int ty = threadIdx.y + i - radius;
            int tx = threadIdx.x + j - radius;
            if (ty >= 0 && ty < EDGE && tx >= 0 && tx < EDGE) {
                sum += c_mask[i * (2 * radius + 1) + j] * tile[ty][tx];
            }
        }
    }
    if (x < width && y < height) {
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
    dim3 blocks((width + EDGE - 1) / EDGE, (height + EDGE - 1) / EDGE);
    convolveTile<<<blocks, dim3(EDGE, EDGE)>>>(d_in, d_out, width, height, r);
}
