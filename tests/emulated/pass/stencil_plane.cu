/* Five points of a plane; the corners of the tile's halo stay unwritten and unread. */
#include "../kernel_program.h"

#define EDGE 16

__global__ void relax(const float *in, float *out, int width)
{
    __shared__ float tile[EDGE + 2][EDGE + 2];
    const int x = blockIdx.x * EDGE + threadIdx.x + 1;
    const int y = blockIdx.y * EDGE + threadIdx.y + 1;
    const int tx = threadIdx.x + 1;
    const int ty = threadIdx.y + 1;
    tile[ty][tx] = in[y * width + x];
    if (tx == 1) {
        tile[ty][0] = in[y * width + x - 1];
        tile[ty][EDGE + 1] = in[y * width + x + EDGE];
    }
    if (ty == 1) {
        tile[0][tx] = in[(y - 1) * width + x];
        tile[EDGE + 1][tx] = in[(y + EDGE) * width + x];
    }
    __syncthreads();
    out[y * width + x] =
        0.25f * (tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1]);
}

int main()
{
    const int blocks = 2;
    const int width = blocks * EDGE + 2;
    float *in = new_input<float>(width * width);
    float *out = new_output<float>(width * width);
    relax<<<dim3(blocks, blocks), dim3(EDGE, EDGE)>>>(in, out, width);
    print_result("stencil_plane", out, width * width);
    return 0;
}
