/* A row index one past the end of the first tile falls into the second one. */
#include "../kernel_program.h"

#define EDGE 8

__global__ void copy(const int *in, int *out)
{
    __shared__ int first[EDGE][EDGE];
    __shared__ int second[EDGE][EDGE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    first[y][x] = in[y * EDGE + x];
    second[y][x] = in[y * EDGE + x] + 1;
    __syncthreads();
    out[y * EDGE + x] = first[y + 1][x]; // error: B02 read
    out[y * EDGE + x] += second[EDGE - 1 - y][x];
}

int main()
{
    int *in = new_input<int>(EDGE * EDGE);
    int *out = new_output<int>(EDGE * EDGE);
    copy<<<1, dim3(EDGE, EDGE)>>>(in, out);
    print_result("tile_overrun", out, EDGE * EDGE);
    return 0;
}
