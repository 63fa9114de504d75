#include "honest_tiled.cuh"

#include <thrust/device_ptr.h>
#include <thrust/fill.h>

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    thrust::device_ptr<float> C(d_C);
    honest_launch(d_A, d_B, d_C, shape);
    thrust::fill(C, C + 1, 0.0f);
}

void printOccupancy(void)
{
    honest_print();
}
