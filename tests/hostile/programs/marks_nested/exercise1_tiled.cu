#include "honest_tiled.cuh"

extern "C" void gpugrade_mark_call(const char *name);

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    gpugrade_mark_call("launchTiled");
    honest_launch(d_A, d_B, d_C, shape);
}

void printOccupancy(void)
{
    honest_print();
}
