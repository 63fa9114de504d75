#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cstdio>
template <class T> __global__ void limits(T *out)
{
    static_assert(cuda::std::is_arithmetic<T>::value, "numbers");
    cuda::std::array<T, 4> a{1, 2, 3, 4};
    T s = 0; for (auto v : a) s += v;
    T lo = 9, hi = 3; cuda::std::swap(lo, hi);
    cuda::std::pair<T, T> p = cuda::std::make_pair(lo, hi);
    auto t = cuda::std::make_tuple(s, p.first, a.size());
    out[0] = cuda::std::numeric_limits<T>::max(); out[1] = cuda::std::get<0>(t); out[2] = p.first; out[3] = cuda::std::abs(p.first - p.second);
    out[4] = cuda::std::is_same_v<T, float> ? cuda::std::sqrt((float)16) : 0; out[5] = cuda::std::numeric_limits<T>::lowest();
}
int main()
{
    float *f; int *i; cudaMallocManaged(&f, 24); cudaMallocManaged(&i, 24);
    limits<<<1, 1>>>(f); limits<<<1, 1>>>(i); cudaDeviceSynchronize();
    for (int k = 0; k < 6; k++) printf("%g %d\n", f[k], i[k]);
}

/* exit status 0, findings: none
3.40282e+38 2147483647
10 10
3 3
6 6
4 0
-3.40282e+38 -2147483648
*/
