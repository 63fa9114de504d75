// flags: -std=c++17 --extended-lambda --expt-relaxed-constexpr
#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>
template <class F> __global__ void for_each_index(int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) f(i);
}
template <class F> void parallel_for(int n, F &&f) { for_each_index<<<(n + 127) / 128, 128>>>(n, f); cudaDeviceSynchronize(); }
constexpr int cube(int x) { return x * x * x; }
struct Grid {
    float *data; int n; float h;
    void fill(float factor)
    {
        auto p = data; auto step = h;
        parallel_for(n, [=] __device__ (int i) { p[i] = std::min(factor * i * step, 10.0f); });
    }
};
int main()
{
    const int n = 300;
    float *x; int *y;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, n * sizeof *y);
    Grid g{x, n, 0.5f};
    g.fill(2.0f);
    parallel_for(n, [x, y] __device__ (int i) mutable { y[i] = cube(i % 5) + (x[i] >= std::numeric_limits<float>::max() ? 1 : 0); });
    auto both = [] __host__ __device__ (int v) { return std::max(v, 7); };
    parallel_for(n, [=] __device__ (int i) { y[i] = both(y[i]); });
    long sum = 0; for (int i = 0; i < n; i++) sum += y[i];
    std::vector<float> copy(x, x + n);
    printf("%ld %g %g %d\n", sum, *std::max_element(copy.begin(), copy.end()), copy[3], both(3));
    cudaFree(x); cudaFree(y);
}

/* exit status 0, findings: none
6780 10 3 7
*/
