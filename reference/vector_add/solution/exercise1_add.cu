/* One thread for each element. Neighbouring threads have neighbouring elements, so a warp touches
 * 32 of them side by side in each array.
 */
#include "vector_add.h"

enum { BLOCK = 256 };

__global__ void add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { /* the last block has threads without an element */
        c[i] = a[i] + b[i];
    }
}

void addVectors(const float *d_a, const float *d_b, float *d_c, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK; /* rounded up */
    add<<<blocks, BLOCK>>>(d_a, d_b, d_c, n);
}
