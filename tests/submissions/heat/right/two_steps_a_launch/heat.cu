/* A launch makes up to two steps: a block computes the first one in shared memory for its tile and
 * one point around it, from a halo of two points. */
#include "heat.h"

#include <utility>

enum { TILE = 16, WIDE = TILE + 4, THREADS = TILE * TILE };

__device__ bool isInner(int x, int y, int width, int height)
{
    return x > 0 && x < width - 1 && y > 0 && y < height - 1;
}

template <int STEPS> __global__ void advance(const float *from, float *to, int width, int height)
{
    __shared__ float field[2][WIDE][WIDE];
    const int x0 = blockIdx.x * TILE - 2, y0 = blockIdx.y * TILE - 2;
    for (int i = threadIdx.x; i < WIDE * WIDE; i += THREADS) {
        const int x = x0 + i % WIDE, y = y0 + i / WIDE;
        const bool exists = x >= 0 && x < width && y >= 0 && y < height;
        field[0][i / WIDE][i % WIDE] = exists ? from[y * width + x] : 0.0f;
    }
    __syncthreads();
    for (int step = 0; step < STEPS; step++) {
        const float(*old)[WIDE] = field[step];
        float(*next)[WIDE] = field[1 - step];
        const int edge = WIDE - 2 - 2 * step;
        for (int i = threadIdx.x; i < edge * edge; i += THREADS) {
            const int tx = 1 + step + i % edge, ty = 1 + step + i / edge;
            next[ty][tx] = isInner(x0 + tx, y0 + ty, width, height)
                               ? 0.25f * (old[ty - 1][tx] + old[ty + 1][tx] + old[ty][tx - 1] +
                                          old[ty][tx + 1])
                               : old[ty][tx];
        }
        __syncthreads();
    }
    const int tx = 2 + threadIdx.x % TILE, ty = 2 + threadIdx.x / TILE;
    if (x0 + tx < width && y0 + ty < height) {
        to[(y0 + ty) * width + x0 + tx] = field[STEPS % 2][ty][tx];
    }
}

void heat(float *d_a, float *d_b, int width, int height, int steps)
{
    const dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    float *from = d_a, *to = d_b;
    for (; steps >= 2; steps -= 2) {
        advance<2><<<grid, THREADS>>>(from, to, width, height);
        std::swap(from, to);
    }
    if (steps == 1) {
        advance<1><<<grid, THREADS>>>(from, to, width, height);
        std::swap(from, to);
    }
    if (from != d_a) {
        cudaMemcpy(d_a, d_b, width * height * sizeof *d_a, cudaMemcpyDeviceToDevice);
    }
}
