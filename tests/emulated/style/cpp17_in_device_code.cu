#include <cstdio>
#include <type_traits>
#include <utility>
struct Pair { int a; float b; };
__device__ Pair make(int i) { return {i, i * 0.5f}; }
template <typename T> __device__ T twice(T x) {
    if constexpr (std::is_integral_v<T>) return x << 1;
    else return x * T(2);
}
template <typename... A> __device__ auto fold(A... a) { return (a + ...); }
constexpr int square(int x) { return x * x; }
__host__ __device__ constexpr int fib(int n) { int a = 0, b = 1; while (n-- > 0) { int t = a + b; a = b; b = t; } return a; }
__constant__ constexpr int table[] = {fib(5), fib(6), fib(7)};
static constexpr int TILE = square(4);
static constexpr float weight = 0.5f;
enum class Mode : unsigned char { Add, Mul };
using real = float;
inline constexpr double half_value = 0.5;

__global__ void kernel(float *out, Mode mode) {
    __shared__ real tile[TILE];
    auto [a, b] = make(threadIdx.x);
    auto f = [b = b](auto x) { return x + b; };
    constexpr float local[4] = {1, 2, 3, 4};
    tile[threadIdx.x] = f(a) + local[threadIdx.x % 4];
    __syncthreads();
    if (int k = threadIdx.x; k < 4) out[k] = tile[k] + twice(k) + twice(0.5f) + fold(1, 2, 3);
    else out[k] = mode == Mode::Add ? table[k % 3] + half_value : weight * 2;
    [[maybe_unused]] int unused = 0b101 + 1'000;
    for (auto v : {1, 2, 3}) out[threadIdx.x] += v;
    static_assert(TILE == 16);
}
int main() {
    float *d, h[TILE];
    cudaMalloc(&d, sizeof h);
    kernel<<<1, TILE>>>(d, Mode::Add);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (auto &&v : h) printf("%g ", v);
    const auto [x, y] = std::pair{1, 2.5};
    printf("\n%d %g\n", x, y);
    return 0;
}
/* exit status 0, findings: none
14 18.5 23 27.5 14.5 19.5 11.5 14.5 19.5 11.5 14.5 19.5 11.5 14.5 19.5 11.5 
1 2.5
*/
