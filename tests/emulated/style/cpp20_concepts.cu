// flags: -std=c++20
#include <algorithm>
#include <compare>
#include <concepts>
#include <cstdio>
#include <numbers>
#include <ranges>
#include <source_location>
#include <span>
#include <vector>
#include <bit>
#include <string_view>
template <typename T> concept Number = std::integral<T> || std::floating_point<T>;
struct Settings { int n = 8; float factor = 1.f; bool verbose = false; auto operator<=>(const Settings &) const = default; };
struct Vec { float x, y; __host__ __device__ constexpr float norm2() const { return x * x + y * y; } };
template <Number T> __global__ void scale(T *p, int n, T factor) { if (int i = threadIdx.x; i < n) p[i] *= factor; }
__global__ void vecs(float *out) { constexpr Vec v{.x = 3, .y = 4}; static_assert(v.norm2() == 25); auto f = []<typename T>(T a) { return a * 2; }; *out = f(v.norm2()); }
__device__ consteval int squared(int x) { return x * x; }
__global__ void consts(int *out) { *out = squared(7); }
void check(cudaError_t e, const std::source_location loc = std::source_location::current()) { if (e != cudaSuccess) printf("%s\n", loc.function_name()); }
int main()
{
    Settings s{.n = 6, .factor = 2.5f};
    float *p; int *q; check(cudaMallocManaged(&p, 64)); check(cudaMallocManaged(&q, 4));
    std::span<float> view(p, s.n);
    for (int i = 0; auto &v : view) v = float(i++);
    scale<<<1, 32>>>(p, s.n, s.factor); vecs<<<1, 1>>>(p + 10); consts<<<1, 1>>>(q);
    check(cudaDeviceSynchronize());
    std::vector<float> v(view.begin(), view.end());
    for (float x : v | std::views::filter([](float x) { return x > 3; }) | std::views::transform([](float x) { return x + 1; })) printf("%g ", x);
    std::ranges::sort(v, std::greater{});
    printf("%g %g %d %d %.4f %d\n", v[0], p[10], *q, s < Settings{.n = 7}, std::numbers::pi, std::has_single_bit(64u));
    using namespace std::literals; printf("%zu\n", "view"sv.size());
}

/* exit status 0, findings: none
6 8.5 11 13.5 12.5 50 49 1 3.1416 1
4
*/
