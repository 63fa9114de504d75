/* The marks of the harness end here. */
#define MARKED_END() ((void)0)
#include "honest_tiled.cuh"
#include "own_marks.cuh"

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    honest_launch(d_A, d_B, d_C, shape);
}

void printOccupancy(void)
{
    honest_print();
}
