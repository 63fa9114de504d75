/* The sum of two vectors. */
#include "vector_add.h"

enum { BLOCK = 256 };

__global__ void add(const float *a, const float *b, float *c, int n)
{
    const int i = threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

void addVectors(const float *d_a, const float *d_b, float *d_c, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    add<<<blocks, BLOCK>>>(d_a, d_b, d_c, n);
}
