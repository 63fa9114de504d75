/* Tiled product of non-square matrices, both barriers in place. */
#include "../kernel_program.h"

#define EDGE 16

__global__ void multiply(const float *a, const float *b, float *c, int a_width, int b_width)
{
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][EDGE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * EDGE + ty;
    const int column = blockIdx.x * EDGE + tx;
    float sum = 0.0f;
    for (int first = 0; first < a_width; first += EDGE) {
        tile_a[ty][tx] = a[row * a_width + first + tx];
        tile_b[ty][tx] = b[(first + ty) * b_width + column];
        __syncthreads();
        for (int k = 0; k < EDGE; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    c[row * b_width + column] = sum;
}

int main()
{
    const int height = 32, depth = 64, width = 48;
    float *a = new_input<float>(height * depth);
    float *b = new_input<float>(depth * width);
    float *c = new_output<float>(height * width);
    multiply<<<dim3(width / EDGE, height / EDGE), dim3(EDGE, EDGE)>>>(a, b, c, depth, width);
    print_result("matmul_tiled", c, height * width);
    return 0;
}
