#include <cstdio>
#include <type_traits>
template <typename T> struct Sum { static constexpr T identity = T(0); __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T> struct Max { static constexpr T identity = T(-1000); __host__ __device__ static T apply(T a, T b) { return a > b ? a : b; } __device__ T operator()(T a, T b) const { return apply(a, b); } };
template <template <typename> class Op, typename T, unsigned BX, unsigned BY = 1>
__global__ void reduce(const T *in, T *out)
{
    __shared__ T cache[BX * BY];
    Op<T> op;
    const unsigned t = threadIdx.y * BX + threadIdx.x;
    cache[t] = in[blockIdx.x * BX * BY + t];
    __syncthreads();
#pragma unroll
    for (unsigned s = BX * BY / 2; s > 0; s >>= 1) {
        if (t < s) cache[t] = op(cache[t], cache[t + s]);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = cache[0];
}
template <typename... Ts> __global__ void variadic(double *out, Ts... values) { *out = (0.0 + ... + (double)values); }
template <int N> struct Factorial { enum { value = N * Factorial<N - 1>::value }; };
template <> struct Factorial<0> { enum { value = 1 }; };
template <typename T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0> __device__ T half_of(T x) { return x / 2; }
template <typename T, std::enable_if_t<std::is_integral<T>::value, int> = 0> __device__ T half_of(T x) { return x >> 1; }
template <typename T> __global__ void halves(T *p) { p[threadIdx.x] = half_of(p[threadIdx.x]); }
template <typename T> using Kernel = void (*)(T *);
template <class T, dim3 (*Shape)(int)> void launch(Kernel<T> k, T *p, int n) { k<<<1, Shape(n)>>>(p); }
static dim3 flat(int n) { return dim3(n); }
int main()
{
    int h[256], *d, *r, out[2]; double *v, total;
    for (int i = 0; i < 256; ++i) h[i] = i % 37;
    cudaMalloc(&d, sizeof h); cudaMalloc(&r, sizeof out); cudaMalloc(&v, sizeof *v);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    reduce<Sum, int, 128><<<2, 128>>>(d, r);
    cudaMemcpy(out, r, sizeof out, cudaMemcpyDeviceToHost); printf("%d %d\n", out[0], out[1]);
    reduce<Max, int, 16, 8><<<2, dim3(16, 8)>>>(d, r);
    cudaMemcpy(out, r, sizeof out, cudaMemcpyDeviceToHost); printf("%d %d\n", out[0], out[1]);
    variadic<<<1, 1>>>(v, 1, 2.5f, 'a', 3ul, Factorial<5>::value + 0);
    cudaMemcpy(&total, v, sizeof total, cudaMemcpyDeviceToHost); printf("%g\n", total);
    launch<int, flat>(halves<int>, d, 4);
    cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost); printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
}

/* exit status 0, findings: none
2134 2423
36 36
223.5
0 0 1 1
*/
