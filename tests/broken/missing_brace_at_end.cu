#include <cstdio>

__global__ void scale(float *a, int n)
{
    int i = threadIdx.x;
    for (int k = 0; k < n; k++) {
        a[i] += k;
    }
