/* The mask goes on from constant to shared memory. */
#include "convolution.h"

enum { EDGE = 16, RADIUS_MAX = 4, TILE = EDGE + 2 * RADIUS_MAX, MASK = 2 * RADIUS_MAX + 1 };

static __constant__ float c_mask[MASK * MASK];
static int mask_radius;

static __global__ void convolveTiles(const float *in, float *out, int width, int height, int radius)
{
    __shared__ float tile[TILE][TILE];
    __shared__ float mask[MASK * MASK];
    const int thread = threadIdx.y * EDGE + threadIdx.x;
    if (thread < (2 * radius + 1) * (2 * radius + 1)) {
        mask[thread] = c_mask[thread];
    }
    const int edge = EDGE + 2 * radius;
    const int left = blockIdx.x * EDGE - radius, top = blockIdx.y * EDGE - radius;
    for (int y = threadIdx.y; y < edge; y += EDGE) {
        for (int x = threadIdx.x; x < edge; x += EDGE) {
            const int row = top + y, column = left + x;
            const bool is_inside = row >= 0 && row < height && column >= 0 && column < width;
            tile[y][x] = is_inside ? in[row * width + column] : 0.0f;
        }
    }
    __syncthreads();
    const int row = blockIdx.y * EDGE + threadIdx.y, column = blockIdx.x * EDGE + threadIdx.x;
    if (row >= height || column >= width) {
        return;
    }
    float sum = 0.0f;
    for (int i = 0; i <= 2 * radius; i++) {
        for (int j = 0; j <= 2 * radius; j++) {
            sum += mask[i * (2 * radius + 1) + j] * tile[threadIdx.y + i][threadIdx.x + j];
        }
    }
    out[row * width + column] = sum;
}

void setMask(const float *h_mask, int radius)
{
    const int edge = 2 * radius + 1;
    cudaMemcpyToSymbolAsync(c_mask, h_mask, edge * edge * sizeof(float), 0, cudaMemcpyHostToDevice,
                            0);
    mask_radius = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    const dim3 blocks((width + EDGE - 1) / EDGE, (height + EDGE - 1) / EDGE);
    convolveTiles<<<blocks, dim3(EDGE, EDGE)>>>(d_in, d_out, width, height, mask_radius);
}
