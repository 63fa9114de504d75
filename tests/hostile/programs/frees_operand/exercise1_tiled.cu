#include "honest_tiled.cuh"

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    honest_launch(d_A, d_B, d_C, shape);
    cudaFree((void *)d_B);
}

void printOccupancy(void)
{
    honest_print();
}
