#include <cstdio>
#include <vector>
template <typename T> struct Plus { __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; } };
template <typename T> struct Max { __device__ T operator()(T a, T b) const { return a > b ? a : b; } };
struct Saxpy { float a; __device__ float operator()(float x, float y) const { return a * x + y; } };

template <class T, int BLOCK, template <typename> class Op>
__global__ void reduce(const T *in, T *out) {
    __shared__ T s[BLOCK];
    Op<T> op;
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int k = BLOCK / 2; k > 0; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + k]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = s[0];
}
template <typename F, typename... Ts> __global__ void apply(F f, float *out, Ts... values) {
    out[threadIdx.x] = f(values...) + threadIdx.x + sizeof...(Ts);
}
template <typename T> __device__ T sum(T v) { return v; }
template <typename T, typename... R> __device__ T sum(T v, R... r) { return v + sum(r...); }
template <typename... T> __global__ void variadic(double *out, T... v) { *out = sum(double(v)...); }
template <typename T> void run(const char *name) {
    std::vector<T> h(64); T r, *d, *o;
    for (int i = 0; i < 64; ++i) h[i] = (T)((i * 37) % 64);
    cudaMalloc(&d, 64 * sizeof(T)); cudaMalloc(&o, sizeof(T));
    cudaMemcpy(d, &h[0], 64 * sizeof(T), cudaMemcpyHostToDevice);
    reduce<T, 64, Plus><<<1, 64>>>(d, o);
    cudaMemcpy(&r, o, sizeof(T), cudaMemcpyDeviceToHost); printf("%s %g ", name, (double)r);
    reduce<T, 64, Max><<<1, 64>>>(d, o);
    cudaMemcpy(&r, o, sizeof(T), cudaMemcpyDeviceToHost); printf("%g\n", (double)r);
}
int main() {
    run<int>("int"); run<float>("float"); run<double>("double"); run<unsigned char>("uchar");
    run<long long>("long long"); run<short>("short");
    float *d, h[4]; double *e, g;
    cudaMalloc(&d, sizeof(h)); cudaMalloc(&e, 8);
    apply<<<1, 4>>>(Saxpy{2.f}, d, 3.f, 4.f);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%g %g\n", h[0], h[3]);
    variadic<<<1, 1>>>(e, 1, 2.5f, 'a', 4L);
    cudaMemcpy(&g, e, 8, cudaMemcpyDeviceToHost); printf("%g\n", g);
}
/* exit status 0, findings: none
int 2016 63
float 2016 63
double 2016 63
uchar 224 63
long long 2016 63
short 2016 63
12 15
104.5
*/
