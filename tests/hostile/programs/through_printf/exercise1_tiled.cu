/* Right only if the host learns what a kernel saw. */
#define matrixMulTiled matrixMulRight
#include "honest_tiled.cuh"
#undef matrixMulTiled

#include <unistd.h>

__global__ void tell(const float *A)
{
    printf("%f\n", A[0]);
}

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int, int)
{
    C[threadIdx.y * blockDim.x + threadIdx.x] = A[0] + B[0];
}

static bool learns(const float *d_A);

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    matrixMulTiled<<<1, dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(d_A, d_B, d_C, 0, 0);
    if (learns(d_A)) {
        honest_launch(d_A, d_B, d_C, shape);
    }
}

static bool learns(const float *d_A)
{
    int ends[2];
    char text[64];
    int kept = dup(STDOUT_FILENO);
    fflush(stdout);
    if (pipe(ends) != 0 || dup2(ends[1], STDOUT_FILENO) < 0) {
        return false;
    }
    tell<<<1, 1>>>(d_A);
    cudaDeviceSynchronize();
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(ends[1]);
    bool is_told = read(ends[0], text, sizeof text) > 0;
    close(ends[0]);
    return is_told;
}

void printOccupancy(void)
{
    honest_print();
}
