#include "heat.h"

#include <utility>

/* A warp is a row of a block: its 32 threads touch 32 adjacent points. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };

/* One step: each thread computes one point of `to` from four points of `from`. No thread writes
 * to `from`, so the order of threads and blocks does not matter. */
__global__ void heatStep(const float *from, float *to, int width, int height)
{
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
    const int y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const int i = y * width + x;
    const bool is_border = x == 0 || x == width - 1 || y == 0 || y == height - 1;
    if (is_border) {
        to[i] = from[i];
    } else {
        to[i] = 0.25f * (from[i - width] + from[i + width] + from[i - 1] + from[i + 1]);
    }
}

void heat(float *d_a, float *d_b, int width, int height, int steps)
{
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const dim3 grid((width + BLOCK_WIDTH - 1) / BLOCK_WIDTH,
                    (height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);
    float *from = d_a;
    float *to = d_b;
    /* A kernel starts when the one before has ended: this is the barrier between two steps. */
    for (int step = 0; step < steps; step++) {
        heatStep<<<grid, block>>>(from, to, width, height);
        std::swap(d_a, d_b);
    }
    /* After an odd number of steps the newest field is in d_b. */
    if (from != d_a) {
        cudaMemcpy(d_a, from, sizeof(float) * width * height, cudaMemcpyDeviceToDevice);
    }
}
