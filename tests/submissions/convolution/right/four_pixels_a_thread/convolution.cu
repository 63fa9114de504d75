/* Each thread computes four pixels, one below the other. The barrier is a cooperative group's. */
#include "convolution.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int COLUMNS = 32, THREAD_ROWS = 8, PIXELS = 4, ROWS = THREAD_ROWS * PIXELS;
constexpr int MAX_RADIUS = 4;

__constant__ float mask[(2 * MAX_RADIUS + 1) * (2 * MAX_RADIUS + 1)];
static int current_radius;

__global__ void convolveFour(const float *__restrict__ in, float *__restrict__ out, int width,
                             int height, int radius)
{
    __shared__ float tile[ROWS + 2 * MAX_RADIUS][COLUMNS + 2 * MAX_RADIUS];
    cg::thread_block block = cg::this_thread_block();
    const int left = blockIdx.x * COLUMNS - radius, top = blockIdx.y * ROWS - radius;
    const int columns = COLUMNS + 2 * radius, rows = ROWS + 2 * radius;

    for (int k = block.thread_rank(); k < rows * columns; k += block.size()) {
        const int i = k / columns, j = k - i * columns;
        const unsigned x = left + j, y = top + i; /* those below 0 are very large */
        tile[i][j] = x < (unsigned)width && y < (unsigned)height ? in[y * width + x] : 0.0f;
    }
    block.sync();

    float sums[PIXELS] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int j = 0; j < 2 * radius + 1; j++) {
        for (int i = 0; i < 2 * radius + 1; i++) {
            const float weight = mask[i * (2 * radius + 1) + j];
            for (int p = 0; p < PIXELS; p++) {
                sums[p] += weight * tile[threadIdx.y + p * THREAD_ROWS + i][threadIdx.x + j];
            }
        }
    }
    const int x = blockIdx.x * COLUMNS + threadIdx.x;
    for (int p = 0; p < PIXELS; p++) {
        const int y = blockIdx.y * ROWS + threadIdx.y + p * THREAD_ROWS;
        if (x < width && y < height) {
            out[y * width + x] = sums[p];
        }
    }
}

void setMask(const float *h_mask, int radius)
{
    current_radius = radius;
    cudaMemcpyToSymbol(mask, h_mask, (2 * radius + 1) * (2 * radius + 1) * sizeof(float));
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    dim3 threads(COLUMNS, THREAD_ROWS);
    dim3 blocks((width + COLUMNS - 1) / COLUMNS, (height + ROWS - 1) / ROWS);
    convolveFour<<<blocks, threads>>>(d_in, d_out, width, height, current_radius);
}
