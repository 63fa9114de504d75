#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/sequence.h>
#include <thrust/functional.h>
#include <iostream>
struct saxpy_functor { const float a; saxpy_functor(float _a) : a(_a) {} __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; } };
__global__ void twice(int *p, int n) { int i = threadIdx.x; if (i < n) p[i] *= 2; }
int main()
{
    thrust::host_vector<int> h(64);
    for (int i = 0; i < 64; i++) h[i] = (i * 29) % 64;
    thrust::device_vector<int> d = h;
    thrust::sort(d.begin(), d.end());
    twice<<<1, 64>>>(thrust::raw_pointer_cast(d.data()), 64);
    std::cout << d[3] << " " << thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>()) << std::endl;
    thrust::device_vector<float> x(10, 1.f), y(10);
    thrust::sequence(y.begin(), y.end());
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy_functor(2));
    std::cout << y[9] << "\n";
}

/* exit status 0, findings: none
6 4032
11
*/
