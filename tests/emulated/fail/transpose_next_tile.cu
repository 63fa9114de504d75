/* A block transposes tile after tile; nothing keeps the next one from overwriting this one. */
#include "../kernel_program.h"

#define EDGE 8
#define TILES 3

__global__ void transpose(const int *in, int *out)
{
    __shared__ int tile[EDGE][EDGE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    for (int i = 0; i < TILES; i++) {
        tile[y][x] = in[(i * EDGE + y) * EDGE + x]; // error: R01 write
        __syncthreads();
        out[(i * EDGE + y) * EDGE + x] = tile[x][y]; // error: R01 read
    }
}

int main()
{
    int *in = new_input<int>(TILES * EDGE * EDGE);
    int *out = new_output<int>(TILES * EDGE * EDGE);
    transpose<<<1, dim3(EDGE, EDGE)>>>(in, out);
    print_result("transpose_next_tile", out, TILES * EDGE * EDGE);
    return 0;
}
