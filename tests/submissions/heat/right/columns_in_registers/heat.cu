/* A thread goes down a column and keeps three points of it in registers; its neighbours in the row
 * come from the other lanes by shuffles. A warp covers 30 columns, and one more at each side. */
#include "heat.h"

enum { WARPS = 4, COVERED = 30, ROWS = 32 };

__global__ void step(const float *from, float *to, int width, int height)
{
    const int lane = threadIdx.x % 32;
    const int strip = blockIdx.x * WARPS + threadIdx.x / 32;
    const int x = strip * COVERED + lane - 1;
    const bool has_column = x >= 0 && x < width;
    const bool writes = has_column && lane >= 1 && lane <= COVERED;
    const int first = blockIdx.y * ROWS;
    const int end = min(first + ROWS, height);
    float up = 0, centre = 0, down = 0;
    if (has_column) {
        up = first > 0 ? from[(first - 1) * width + x] : 0;
        centre = from[first * width + x];
    }
    for (int y = first; y < end; y++) {
        if (has_column && y + 1 < height) {
            down = from[(y + 1) * width + x];
        }
        const float left = __shfl_up_sync(0xffffffffu, centre, 1);
        const float right = __shfl_down_sync(0xffffffffu, centre, 1);
        const bool inner = x > 0 && x < width - 1 && y > 0 && y < height - 1;
        if (writes) {
            to[y * width + x] = inner ? 0.25f * (up + down + left + right) : centre;
        }
        up = centre;
        centre = down;
    }
}

void heat(float *d_a, float *d_b, int width, int height, int steps)
{
    const int strips = (width + COVERED - 1) / COVERED;
    const dim3 grid((strips + WARPS - 1) / WARPS, (height + ROWS - 1) / ROWS);
    for (int i = 0; i < steps; i++) {
        step<<<grid, WARPS * 32>>>(i % 2 ? d_b : d_a, i % 2 ? d_a : d_b, width, height);
    }
    if (steps % 2) {
        cudaMemcpy(d_a, d_b, sizeof(float) * width * height, cudaMemcpyDeviceToDevice);
    }
}
