/* naive.cu: the version that the exercise should beat. Neighbouring threads handle neighbouring
 * rows, so they touch points that lie a whole row apart; and each step copies the field back.
 */
#include "heat.h"

enum { NAIVE_EDGE = 16 };

__global__ void naiveStep(const float *from, float *to, int width, int height)
{
    const int y = blockIdx.x * NAIVE_EDGE + threadIdx.x;
    const int x = blockIdx.y * NAIVE_EDGE + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const int i = y * width + x;
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1) {
        to[i] = from[i];
    } else {
        to[i] = 0.25f * (from[i - width] + from[i + width] + from[i - 1] + from[i + 1]);
    }
}

void naiveHeat(float *d_a, float *d_b, int width, int height, int steps)
{
    const dim3 block(NAIVE_EDGE, NAIVE_EDGE);
    const dim3 grid((height + NAIVE_EDGE - 1) / NAIVE_EDGE, (width + NAIVE_EDGE - 1) / NAIVE_EDGE);
    for (int step = 0; step < steps; step++) {
        naiveStep<<<grid, block>>>(d_a, d_b, width, height);
        cudaMemcpy(d_a, d_b, (size_t)width * height * sizeof(float), cudaMemcpyDeviceToDevice);
    }
}
