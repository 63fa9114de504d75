// flags: -std=c++11
#include <cstdio>
#include <cstdlib>
#include <array>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <vector>
class Buffer {
public:
    explicit Buffer(std::size_t n) : n_(n) { cudaMalloc(reinterpret_cast<void **>(&p_), n * sizeof(int)); }
    Buffer(const Buffer &) = delete; Buffer &operator=(const Buffer &) = delete;
    Buffer(Buffer &&o) noexcept : p_(o.p_), n_(o.n_) { o.p_ = nullptr; }
    ~Buffer() { if (p_ != nullptr) cudaFree(p_); }
    int *get() const { return p_; }
private:
    int *p_ = nullptr; std::size_t n_{0};
};
enum class Mode : int { add, mul };
template <typename F> __global__ void transform(int *p, int n, F f) { int i = threadIdx.x; if (i < n) p[i] = f(p[i]); }
struct AddOne { __device__ int operator()(int x) const { return x + 1; } };
__global__ void mode(int *p, Mode m) { auto op = [m](int a, int b) { return m == Mode::add ? a + b : a * b; }; p[threadIdx.x] = op(p[threadIdx.x], 3); }
static_assert(sizeof(int) == 4, "int");
constexpr int square(int x) { return x * x; }
int main()
{
    std::vector<int> v{1, 2, 3, 4}; std::array<int, 4> a; auto b = Buffer(4); Buffer moved = std::move(b);
    cudaMemcpy(moved.get(), v.data(), 16, cudaMemcpyHostToDevice);
    transform<<<1, 4>>>(moved.get(), 4, AddOne());
    mode<<<1, 4>>>(moved.get(), Mode::mul); mode<<<1, 4>>>(moved.get(), Mode::add);
    cudaMemcpy(a.data(), moved.get(), 16, cudaMemcpyDeviceToHost);
    for (const auto &x : a) std::printf("%d ", x);
    std::unique_ptr<int[]> u(new int[3]{1, 2, 3}); auto t = std::make_tuple(1, 'c', 2.5);
    std::printf("%d %d %g %ld\n", u[2], square(5), std::get<2>(t), (long)(b.get() == nullptr));
}

/* exit status 0, findings: none
9 12 15 18 3 25 2.5 1
*/
