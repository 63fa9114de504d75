#include <cstdio>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <array>
const float PI_F = 3.14159f; static const int kTable = 4; constexpr double kScale = 0.5; const int kArrayHost = 3;
constexpr int kPrimes[] = {2, 3, 5, 7};
__device__ const int dTable[] = {1, 4, 9}; __device__ constexpr float dHalf = 0.5f; __constant__ const float cThird = 1.f / 3;
enum { BLOCK = 32, RADIUS = 3 }; enum class Dir : unsigned char { North, East }; namespace sim { constexpr float dt = 0.25f; inline constexpr int steps = 4; __device__ float state; namespace detail { __device__ float next(float s) { return s + dt; } } }
struct Traits { static constexpr int size = 5; static constexpr float f = 1.5f; static const int old = 6; };
template <int N> constexpr int pow2 = 1 << N;
__global__ void use(float *o, Dir d)
{
    int i = 0; o[i++] = PI_F * 2; o[i++] = kTable + kArrayHost; o[i++] = kScale; o[i++] = dTable[2] + dHalf + cThird; o[i++] = BLOCK + RADIUS; o[i++] = d == Dir::East ? 1 : 0;
    sim::state = 1; for (int s = 0; s < sim::steps; s++) sim::state = sim::detail::next(sim::state); o[i++] = sim::state; o[i++] = Traits::size * Traits::f + Traits::old; o[i++] = pow2<6>;
    const char text[] = "abc"; o[i++] = text[1]; __int128 big = (__int128)1 << 70; o[i++] = (float)(long long)(big >> 60); unsigned char bytes[4] = {1, 2, 3, 4}; uint32_t w = *(uint32_t *)bytes; o[i++] = w & 0xff; bool flag = i > 5; o[i++] = flag; o[i++] = sizeof(long double) > 0; o[i++] = NULL == nullptr; o[i++] = 'a' + 0b101 + 1'000; long l = 1L << 40; o[i++] = l >> 38; auto idx = static_cast<ptrdiff_t>(-2); o[i++] = idx;
}
int main() { float *d, h[20]; cudaMalloc(&d, sizeof h); use<<<1, 1>>>(d, Dir::East); cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); for (float v : h) printf("%g ", v); puts(""); }

/* exit status 0, findings: none
6.28318 7 0.5 9.83333 35 1 2 13.5 64 98 1024 1 1 1 1 1102 4 -2 nan nan 
*/
