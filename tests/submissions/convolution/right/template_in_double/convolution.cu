/* One kernel for each radius. Sums are in double, and the mask has rows of nine elements. */
#include "convolution.h"

#define MAX_RADIUS 4
#define MAX_EDGE (2 * MAX_RADIUS + 1)
#define BLOCK 16

static __constant__ float c_mask[MAX_EDGE][MAX_EDGE];
static int g_radius;

template <int R> __global__ void kernel(const float *in, float *out, int width, int height)
{
    constexpr int SIZE = BLOCK + 2 * R;
    __shared__ float tile[SIZE][SIZE];
    const int thread = threadIdx.y * BLOCK + threadIdx.x;
#pragma unroll
    for (int k = thread; k < SIZE * SIZE; k += BLOCK * BLOCK) {
        const int x = (int)(blockIdx.x * BLOCK) - R + k % SIZE;
        const int y = (int)(blockIdx.y * BLOCK) - R + k / SIZE;
        const bool inside = 0 <= x && x < width && 0 <= y && y < height;
        tile[k / SIZE][k % SIZE] = inside ? in[(size_t)y * width + x] : 0.f;
    }
    __syncthreads();
    const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    double sum = 0.0;
#pragma unroll
    for (int i = 0; i <= 2 * R; i++) {
#pragma unroll
        for (int j = 0; j <= 2 * R; j++) {
            sum += (double)c_mask[i][j] * tile[threadIdx.y + i][threadIdx.x + j];
        }
    }
    out[(size_t)y * width + x] = (float)sum;
}

void setMask(const float *h_mask, int radius)
{
    float padded[MAX_EDGE][MAX_EDGE] = {};
    for (int i = 0; i <= 2 * radius; i++) {
        for (int j = 0; j <= 2 * radius; j++) {
            padded[i][j] = h_mask[i * (2 * radius + 1) + j];
        }
    }
    cudaMemcpyToSymbol(c_mask, padded, sizeof padded);
    g_radius = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    const dim3 threads(BLOCK, BLOCK);
    const dim3 blocks((width - 1) / BLOCK + 1, (height - 1) / BLOCK + 1);
    switch (g_radius) {
    case 1:
        kernel<1><<<blocks, threads>>>(d_in, d_out, width, height);
        break;
    case 2:
        kernel<2><<<blocks, threads>>>(d_in, d_out, width, height);
        break;
    case 3:
        kernel<3><<<blocks, threads>>>(d_in, d_out, width, height);
        break;
    default:
        kernel<4><<<blocks, threads>>>(d_in, d_out, width, height);
        break;
    }
}
