/* The tile is read along its columns while it is filled along its rows. */
#include "../kernel_program.h"

#define EDGE 32
#define ROWS 8

__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[EDGE][EDGE + 1];
    const int tx = threadIdx.x;
    for (int y = threadIdx.y; y < EDGE; y += ROWS) {
        tile[y][tx] = in[y * EDGE + tx]; // error: R01 write
    }
    for (int y = threadIdx.y; y < EDGE; y += ROWS) {
        out[y * EDGE + tx] = tile[tx][y]; // error: R01 read
    }
}

int main()
{
    float *in = new_input<float>(EDGE * EDGE);
    float *out = new_output<float>(EDGE * EDGE);
    transpose<<<1, dim3(EDGE, ROWS)>>>(in, out);
    print_result("transpose_no_barrier", out, EDGE * EDGE);
    return 0;
}
