/* Each thread computes four rows of the product and loads a vector of four. */
#include "../kernel_program.h"

#define EDGE 32
#define ROWS 4

__global__ void multiply(const float *a, const float *b, float *c, int width)
{
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][EDGE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int thread = ty * EDGE + tx;
    const int load_row = thread / (EDGE / 4);
    const int load_column = thread % (EDGE / 4) * 4;
    const int row = blockIdx.y * EDGE;
    const int column = blockIdx.x * EDGE;
    float sums[ROWS] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int first = 0; first < width; first += EDGE) {
        *(float4 *)&tile_a[load_row][load_column] =
            *(const float4 *)&a[(row + load_row) * width + first + load_column];
        *(float4 *)&tile_b[load_row][load_column] =
            *(const float4 *)&b[(first + load_row) * width + column + load_column];
        __syncthreads();
        for (int k = 0; k < EDGE; k++) {
            for (int i = 0; i < ROWS; i++) {
                sums[i] += tile_a[ty * ROWS + i][k] * tile_b[k][tx];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < ROWS; i++) {
        c[(row + ty * ROWS + i) * width + column + tx] = sums[i];
    }
}

int main()
{
    const int width = 64;
    float *a = new_input<float>(width * width);
    float *b = new_input<float>(width * width);
    float *c = new_output<float>(width * width);
    multiply<<<dim3(width / EDGE, width / EDGE), dim3(EDGE, EDGE / ROWS)>>>(a, b, c, width);
    print_result("matmul_register_blocks", c, width * width);
    return 0;
}
