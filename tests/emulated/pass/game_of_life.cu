/* A torus of bytes, several generations in one launch. */
#include "../kernel_program.h"

#define EDGE 24

__global__ void live(const unsigned char *in, unsigned char *out, int generations)
{
    __shared__ unsigned char cells[EDGE][EDGE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    cells[y][x] = in[y * EDGE + x] % 3 == 0;
    __syncthreads();
    for (int i = 0; i < generations; i++) {
        int count = 0;
        for (int dy = EDGE - 1; dy <= EDGE + 1; dy++) {
            for (int dx = EDGE - 1; dx <= EDGE + 1; dx++) {
                count += cells[(y + dy) % EDGE][(x + dx) % EDGE];
            }
        }
        const bool lives = count == 3 || (count == 4 && cells[y][x]);
        __syncthreads();
        cells[y][x] = lives;
        __syncthreads();
    }
    out[y * EDGE + x] = cells[y][x];
}

int main()
{
    unsigned char *in = new_input<unsigned char>(EDGE * EDGE);
    unsigned char *out = new_output<unsigned char>(EDGE * EDGE);
    live<<<1, dim3(EDGE, EDGE)>>>(in, out, 4);
    print_result("game_of_life", out, EDGE * EDGE);
    return 0;
}
