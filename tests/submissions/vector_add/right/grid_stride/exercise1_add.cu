#include "vector_add.h"

/* Few blocks; each thread takes every (blocks * threads)-th element. */
__global__ void addStriding(const float *a, const float *b, float *c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}

void addVectors(const float *d_a, const float *d_b, float *d_c, int n)
{
    addStriding<<<96, 128>>>(d_a, d_b, d_c, n);
}
