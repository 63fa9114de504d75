// Sizes are constants of the language, checked when it is compiled; no macro at all.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>

constexpr int A_WIDTH = 320, A_HEIGHT = 160;
constexpr unsigned B_WIDTH = 480;
static const int B_HEIGHT = A_WIDTH;
const int BLOCK_SIZE{16};

constexpr int C_HEIGHT = A_HEIGHT;
constexpr int C_WIDTH = B_WIDTH;

static_assert(A_WIDTH == B_HEIGHT, "the inner sizes must agree");
static_assert(A_WIDTH % BLOCK_SIZE == 0 && A_HEIGHT % BLOCK_SIZE == 0 && B_WIDTH % BLOCK_SIZE == 0,
              "sizes must be multiples of the block");
static_assert(BLOCK_SIZE * BLOCK_SIZE <= 1024, "a block has at most 1024 threads");

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

namespace lab {

template <std::size_t N> using Row = std::array<float, N>;

std::array<Row<A_WIDTH>, A_HEIGHT> a;
std::array<Row<B_WIDTH>, B_HEIGHT> b;
std::array<Row<C_WIDTH>, C_HEIGHT> c;

__global__ void multiply()
{
    __shared__ float tileOfA[BLOCK_SIZE * BLOCK_SIZE];
    __shared__ float tileOfB[BLOCK_SIZE * BLOCK_SIZE];
    const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * BLOCK_SIZE + tx;
    const int y = static_cast<int>(blockIdx.y) * BLOCK_SIZE + ty;
    float value{};
    for (int step{0}; step != A_WIDTH / BLOCK_SIZE; ++step) {
        tileOfA[ty * BLOCK_SIZE + tx] = d_A[y][step * BLOCK_SIZE + tx];
        tileOfB[ty * BLOCK_SIZE + tx] = d_B[step * BLOCK_SIZE + ty][x];
        __syncthreads();
        for (int k{BLOCK_SIZE}; k-- > 0;) {
            value += tileOfA[ty * BLOCK_SIZE + k] * tileOfB[k * BLOCK_SIZE + tx];
        }
        __syncthreads();
    }
    d_C[y][x] = value;
}

} // namespace lab

int main()
{
    for (auto &row : lab::a) {
        for (auto &value : row) {
            value = std::rand() / static_cast<float>(RAND_MAX);
        }
    }
    for (auto &row : lab::b) {
        row.fill(0.5f);
    }
    cudaMemcpyToSymbol(d_A, lab::a.data(), sizeof lab::a);
    cudaMemcpyToSymbol(d_B, lab::b.data(), sizeof lab::b);
    lab::multiply<<<{C_WIDTH / BLOCK_SIZE, C_HEIGHT / BLOCK_SIZE}, {BLOCK_SIZE, BLOCK_SIZE}>>>();
    cudaMemcpyFromSymbol(lab::c.data(), d_C, sizeof lab::c);

    int active = 0, most = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, lab::multiply, BLOCK_SIZE * BLOCK_SIZE, 0);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    std::cout << "c[0][0] = " << lab::c[0][0] << '\n'
              << "Occupancy: " << static_cast<double>(active) * BLOCK_SIZE * BLOCK_SIZE / most
              << std::endl;
}
