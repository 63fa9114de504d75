/* More blocks than rows: the grid was rounded up and nothing guards the rest. */
#include "../kernel_program.h"

#define WIDTH 40
#define EDGE 16

__global__ void add_one(int *matrix)
{
    const int x = blockIdx.x * EDGE + threadIdx.x;
    const int y = blockIdx.y * EDGE + threadIdx.y;
    if (x < WIDTH) {
        matrix[y * WIDTH + x] = x; // error: B01 write
    }
}

int main()
{
    int *matrix = new_input<int>(WIDTH * WIDTH);
    const int blocks = (WIDTH + EDGE - 1) / EDGE;
    add_one<<<dim3(blocks, blocks), dim3(EDGE, EDGE)>>>(matrix);
    print_result("global_grid_too_large", matrix, WIDTH * WIDTH);
    return 0;
}
