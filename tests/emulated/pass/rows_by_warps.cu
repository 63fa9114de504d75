/* Matrix times vector: a warp for each row, the vector in shared memory, double precision. */
#include "../kernel_program.h"

#define WIDTH 100
#define WARPS 4

__global__ void multiply(const double *matrix, const double *vector, double *out, int height)
{
    __shared__ double shared_vector[WIDTH];
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * WARPS + threadIdx.x / 32;
    for (int i = threadIdx.x; i < WIDTH; i += WARPS * 32) {
        shared_vector[i] = vector[i] / 7.0;
    }
    __syncthreads();
    if (row < height) {
        double sum = 0.0;
        for (int i = lane; i < WIDTH; i += 32) {
            sum += matrix[row * WIDTH + i] * shared_vector[i];
        }
        for (int offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        }
        if (lane == 0) {
            out[row] = sum;
        }
    }
}

int main()
{
    const int height = 10;
    double *matrix = new_input<double>(height * WIDTH);
    double *vector = new_input<double>(WIDTH);
    double *out = new_output<double>(height);
    multiply<<<3, WARPS * 32>>>(matrix, vector, out, height);
    print_result("rows_by_warps", out, height);
    return 0;
}
