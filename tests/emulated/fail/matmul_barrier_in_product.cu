/* The first barrier stands in the product loop, after the first product. */
#include "../kernel_program.h"

#define EDGE 8

__global__ void multiply(const float *a, const float *b, float *c, int width)
{
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][EDGE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * EDGE + ty;
    const int column = blockIdx.x * EDGE + tx;
    float sum = 0.0f;
    for (int first = 0; first < width; first += EDGE) {
        tile_a[ty][tx] = a[row * width + first + tx]; // error: R02 write
        tile_b[ty][tx] = b[(first + ty) * width + column]; // error: R01 write
        for (int k = 0; k < EDGE; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx]; // error: R01 read, R02 read
            __syncthreads();
        }
    }
    c[row * width + column] = sum;
}

int main()
{
    const int width = 16;
    float *a = new_input<float>(width * width);
    float *b = new_input<float>(width * width);
    float *c = new_output<float>(width * width);
    multiply<<<dim3(width / EDGE, width / EDGE), dim3(EDGE, EDGE)>>>(a, b, c, width);
    print_result("matmul_barrier_in_product", c, width * width);
    return 0;
}
