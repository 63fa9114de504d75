#define WRONG_KERNEL
#include "honest_tiled.cuh"

struct values {
    float values[256];
};

__global__ void store(float *C, struct values values)
{
    C[threadIdx.x] = values.values[threadIdx.x];
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    struct values values = {};
    honest_launch(d_A, d_B, d_C, shape);
    store<<<1, 256>>>(d_C, values);
}

void printOccupancy(void)
{
    honest_print();
}
