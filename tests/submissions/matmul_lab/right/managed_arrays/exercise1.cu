// The three matrices are managed variables: the host fills and reads them in place.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#define A_WIDTH 256
#define A_HEIGHT 128
#define B_WIDTH 512
#define B_HEIGHT 256
#define BLOCK_SIZE 16

__device__ __managed__ float d_A[A_HEIGHT][A_WIDTH];
__device__ __managed__ float d_B[B_HEIGHT][B_WIDTH];
__device__ __managed__ float d_C[A_HEIGHT][B_WIDTH];

__global__ void tiledProduct()
{
    __shared__ float left[BLOCK_SIZE][BLOCK_SIZE + 1];
    __shared__ float right[BLOCK_SIZE][BLOCK_SIZE + 1];
    const auto row = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    const auto column = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    auto sum = 0.0f;
    for (auto tile = 0u; tile < A_WIDTH / BLOCK_SIZE; ++tile) {
        left[threadIdx.y][threadIdx.x] = d_A[row][tile * BLOCK_SIZE + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = d_B[tile * BLOCK_SIZE + threadIdx.y][column];
        __syncthreads();
#pragma unroll
        for (auto k = 0u; k < BLOCK_SIZE; ++k) {
            sum = fmaf(left[threadIdx.y][k], right[k][threadIdx.x], sum);
        }
        __syncthreads();
    }
    d_C[row][column] = sum;
}

int main()
{
    std::mt19937 generator(42);
    std::uniform_real_distribution<float> values(-1.0f, 1.0f);
    std::generate(&d_A[0][0], &d_A[0][0] + A_HEIGHT * A_WIDTH, [&] { return values(generator); });
    std::generate(&d_B[0][0], &d_B[0][0] + B_HEIGHT * B_WIDTH, [&] { return values(generator); });

    tiledProduct<<<dim3(B_WIDTH / BLOCK_SIZE, A_HEIGHT / BLOCK_SIZE),
                   dim3(BLOCK_SIZE, BLOCK_SIZE)>>>();
    if (auto error = cudaDeviceSynchronize(); error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 1;
    }

    double worst = 0;
    for (int row = 0; row < A_HEIGHT; row++) {
        for (int column = 0; column < B_WIDTH; column++) {
            double expected = 0;
            for (int k = 0; k < A_WIDTH; k++) {
                expected += double(d_A[row][k]) * d_B[k][column];
            }
            worst = std::max(worst, std::fabs(expected - d_C[row][column]));
        }
    }
    std::printf("largest difference %g\n", worst);

    int blocks = 0, most = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tiledProduct, BLOCK_SIZE * BLOCK_SIZE, 0);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    std::printf("Occupancy: %.1f %%\n", 100.0 * blocks * BLOCK_SIZE * BLOCK_SIZE / most);
    return worst < 1e-3 ? 0 : 1;
}
