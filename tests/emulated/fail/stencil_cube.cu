/* A cube of threads that read along z, into the next warp, without a barrier. */
#include "../kernel_program.h"

#define EDGE 4

__global__ void neighbours(const int *in, int *out)
{
    __shared__ int cube[2 * EDGE][EDGE][2 * EDGE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int z = threadIdx.z;
    const int index = (z * EDGE + y) * 2 * EDGE + x;
    cube[z][y][x] = in[index]; // error: R01 write
    out[index] = cube[(z + 1) % (2 * EDGE)][y][x]; // error: R01 read
}

int main()
{
    const int count = 2 * EDGE * EDGE * 2 * EDGE;
    int *in = new_input<int>(count);
    int *out = new_output<int>(count);
    neighbours<<<1, dim3(2 * EDGE, EDGE, 2 * EDGE)>>>(in, out);
    print_result("stencil_cube", out, count);
    return 0;
}
