/* Blocks with three dimensions: each thread reads its neighbours along x, y and z in a cube. */
#include "../kernel_program.h"

#define EDGE 6

__global__ void neighbours(const int *in, int *out)
{
    __shared__ int cube[EDGE][EDGE][EDGE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int z = threadIdx.z;
    const int index = ((blockIdx.x * EDGE + z) * EDGE + y) * EDGE + x;
    cube[z][y][x] = in[index];
    __syncthreads();
    out[index] = cube[(z + 1) % EDGE][y][x] + cube[z][(y + 1) % EDGE][x] +
                 cube[z][y][(x + 1) % EDGE] - 3 * cube[z][y][x];
}

int main()
{
    const int blocks = 3;
    const int count = blocks * EDGE * EDGE * EDGE;
    int *in = new_input<int>(count);
    int *out = new_output<int>(count);
    neighbours<<<blocks, dim3(EDGE, EDGE, EDGE)>>>(in, out);
    print_result("stencil_cube", out, count);
    return 0;
}
