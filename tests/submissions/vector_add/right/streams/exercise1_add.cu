#include "vector_add.h"

#define STREAMS 4

__global__ void addPart(const float *a, const float *b, float *c, int count)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= count)
        return;
    c[i] = a[i] + b[i];
}

/* A quarter of the arrays in each stream. */
void addVectors(const float *d_a, const float *d_b, float *d_c, int n)
{
    cudaStream_t stream[STREAMS];
    const int part = (n + STREAMS - 1) / STREAMS;
    for (int s = 0; s < STREAMS; s++) {
        const int first = s * part;
        const int count = n - first < part ? n - first : part;
        cudaStreamCreate(&stream[s]);
        if (count > 0) {
            addPart<<<(count + 511) / 512, 512, 0, stream[s]>>>(d_a + first, d_b + first,
                                                               d_c + first, count);
        }
    }
    for (int s = 0; s < STREAMS; s++) {
        cudaStreamDestroy(stream[s]);
    }
}
