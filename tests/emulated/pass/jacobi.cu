/* Many steps of relaxation within a block, between two planes, with divisions and square roots. */
#include "../kernel_program.h"

#define EDGE 16

__global__ void relax(const float *in, float *out, int steps)
{
    __shared__ float planes[2][EDGE][EDGE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const bool is_inner = x > 0 && y > 0 && x < EDGE - 1 && y < EDGE - 1;
    planes[0][y][x] = in[y * EDGE + x];
    planes[1][y][x] = in[y * EDGE + x];
    __syncthreads();
    for (int step = 0; step < steps; step++) {
        const float(*from)[EDGE] = planes[step % 2];
        if (is_inner) {
            const float sum = from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1];
            planes[1 - step % 2][y][x] = sqrtf(sum * sum + 1.0f) / 4.1f;
        }
        __syncthreads();
    }
    out[y * EDGE + x] = planes[steps % 2][y][x];
}

int main()
{
    float *in = new_input<float>(EDGE * EDGE);
    float *out = new_output<float>(EDGE * EDGE);
    relax<<<1, dim3(EDGE, EDGE)>>>(in, out, 25);
    print_result("jacobi", out, EDGE * EDGE);
    return 0;
}
