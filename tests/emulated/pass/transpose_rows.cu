/* Transposes through a padded tile, several rows a thread. */
#include "../kernel_program.h"

#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) {
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    }
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) {
        out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
    }
}

int main()
{
    const int width = 96, height = 64;
    float *in = new_input<float>(width * height);
    float *out = new_output<float>(width * height);
    transpose<<<dim3(width / TILE_DIM, height / TILE_DIM), dim3(TILE_DIM, BLOCK_ROWS)>>>(
        in, out, width, height);
    print_result("transpose_rows", out, width * height);
    return 0;
}
