#include "vector_add.h"

template <typename T> __device__ T axpy(T alpha, T x, T y)
{
    return alpha * x + y;
}

/* In double, rounded once at the end. */
template <typename T, unsigned Threads>
__global__ void __launch_bounds__(Threads) apply(T alpha, const float *x, float *y, unsigned n)
{
    const unsigned i = blockIdx.x * Threads + threadIdx.x;
    if (i < n) {
        y[i] = (float)axpy<T>(alpha, x[i], y[i]);
    }
}

void saxpy(float alpha, const float *d_x, float *d_y, int n)
{
    constexpr unsigned threads = 384;
    apply<double, threads><<<(n + threads - 1) / threads, threads>>>(alpha, d_x, d_y, n);
}
