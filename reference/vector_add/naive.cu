/* naive.cu: the versions that the exercises should beat. Each thread handles a run of neighbouring
 * elements, so neighbouring threads touch elements that lie far apart.
 */
#include "vector_add.h"

enum { NAIVE_BLOCK = 256, NAIVE_RUN = 16 };

__global__ void naiveAddKernel(const float *a, const float *b, float *c, int n)
{
    const int first = (blockIdx.x * NAIVE_BLOCK + threadIdx.x) * NAIVE_RUN;
    for (int i = first; i < first + NAIVE_RUN && i < n; i++) {
        c[i] = a[i] + b[i];
    }
}

__global__ void naiveSaxpyKernel(float alpha, const float *x, float *y, int n)
{
    const int first = (blockIdx.x * NAIVE_BLOCK + threadIdx.x) * NAIVE_RUN;
    for (int i = first; i < first + NAIVE_RUN && i < n; i++) {
        y[i] = alpha * x[i] + y[i];
    }
}

static int blocks_for(int n)
{
    return (n + NAIVE_BLOCK * NAIVE_RUN - 1) / (NAIVE_BLOCK * NAIVE_RUN);
}

void naiveAdd(const float *d_a, const float *d_b, float *d_c, int n)
{
    naiveAddKernel<<<blocks_for(n), NAIVE_BLOCK>>>(d_a, d_b, d_c, n);
}

void naiveSaxpy(float alpha, const float *d_x, float *d_y, int n)
{
    naiveSaxpyKernel<<<blocks_for(n), NAIVE_BLOCK>>>(alpha, d_x, d_y, n);
}
