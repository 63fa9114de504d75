/* The sum of two vectors. */
#include "vector_add.h"

enum { BLOCK = 256 };

__global__ void add(const float *a, const float *b, float *c, int n)
{
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    for (int i = first; i < first + 8 && i < n; i++) {
        c[i] = a[i] + b[i];
    }
}

void addVectors(const float *d_a, const float *d_b, float *d_c, int n)
{
    const int blocks = (n + 8 * BLOCK - 1) / (8 * BLOCK);
    add<<<blocks, BLOCK>>>(d_a, d_b, d_c, n);
}
