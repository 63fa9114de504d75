#include "honest_tiled.cuh"

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    float *again = NULL;
    cudaFree(d_C);
    cudaMalloc(&again, sizeof(float) * shape.a_height * shape.b_width);
    honest_launch(d_A, d_B, again, shape);
}

void printOccupancy(void)
{
    honest_print();
}
