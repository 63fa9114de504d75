/* Relaxation in one plane: neighbours are read while they are replaced. */
#include "../kernel_program.h"

#define EDGE 16

__global__ void relax(const float *in, float *out)
{
    __shared__ float plane[EDGE][EDGE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    plane[y][x] = in[y * EDGE + x];
    __syncthreads();
    for (int step = 0; step < 3; step++) {
        if (y > 0 && y < EDGE - 1) {
            plane[y][x] = 0.5f * (plane[y - 1][x] + plane[y + 1][x]); // error: R01 read, R01 write
        }
        __syncthreads();
    }
    out[y * EDGE + x] = plane[y][x];
}

int main()
{
    float *in = new_input<float>(EDGE * EDGE);
    float *out = new_output<float>(EDGE * EDGE);
    relax<<<1, dim3(EDGE, EDGE)>>>(in, out);
    print_result("stencil_in_place", out, EDGE * EDGE);
    return 0;
}
