#include "vector_add.h"

template <int Threads, typename Function> __global__ void forEach(int n, Function function)
{
    const int i = blockIdx.x * Threads + threadIdx.x;
    if (i < n) {
        function(i);
    }
}

struct Add {
    const float *a, *b;
    float *c;
    __device__ void operator()(int i) const
    {
        c[i] = a[i] + b[i];
    }
};

void addVectors(const float *d_a, const float *d_b, float *d_c, int n)
{
    forEach<64><<<(n + 63) / 64, 64>>>(n, Add{d_a, d_b, d_c});
}
