#define WRONG_KERNEL
#include "honest_tiled.cuh"

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    honest_launch(d_A, d_B, d_C, shape);
    for (int i = 0; i < 64; i++) {
        cudaMemset((unsigned char *)d_C + i, i, 1);
    }
}

void printOccupancy(void)
{
    honest_print();
}
