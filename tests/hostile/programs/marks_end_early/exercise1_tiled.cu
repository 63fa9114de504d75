/* Ends the call, then copies the inputs that it may see again. */
#include "honest_tiled.cuh"

extern "C" void gpugrade_mark_end(void);

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    honest_launch(d_A, d_B, d_C, shape);
    gpugrade_mark_end();
}

void printOccupancy(void)
{
    honest_print();
}
