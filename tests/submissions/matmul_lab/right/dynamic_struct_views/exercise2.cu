// Views into dynamic shared memory, a functor for the bytes, a device that is asked at run time.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

constexpr int A_WIDTH = 256;
constexpr int A_HEIGHT = 128;
constexpr int B_WIDTH = 384;
constexpr int B_HEIGHT = A_WIDTH;

__constant__ int BLOCK_SIZE;
__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[A_HEIGHT][B_WIDTH];

struct RequiredSM {
    std::size_t operator()(int threads) const { return 2 * sizeof(float) * threads; }
};

class View {
    float *first_;
    int edge_;

public:
    __device__ View(float *first, int edge) : first_(first), edge_(edge) {}
    __device__ float &operator()(int row, int column) { return first_[row * edge_ + column]; }
};

__global__ void matrixMulCUDA()
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < A_WIDTH; k++) {
        sum += d_A[y][k] * d_B[k][x];
    }
    d_C[y][x] = sum;
}

__global__ void matrixMulDynamic()
{
    extern __shared__ float bytes[];
    View a(bytes, BLOCK_SIZE), b(bytes + BLOCK_SIZE * BLOCK_SIZE, BLOCK_SIZE);
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * BLOCK_SIZE + tx, y = blockIdx.y * BLOCK_SIZE + ty;
    float sum = 0;
    for (int step = 0; step < A_WIDTH / BLOCK_SIZE; step++) {
        a(ty, tx) = d_A[y][step * BLOCK_SIZE + tx];
        b(ty, tx) = d_B[step * BLOCK_SIZE + ty][x];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            sum += a(ty, k) * b(k, tx);
        }
        __syncthreads();
    }
    d_C[y][x] = sum;
}

int main()
{
    std::vector<float> a(A_HEIGHT * A_WIDTH), b(B_HEIGHT * B_WIDTH), naive(A_HEIGHT * B_WIDTH),
        tiled(A_HEIGHT * B_WIDTH);
    for (std::size_t i = 0; i < a.size(); i++) {
        a[i] = std::sin(float(i));
    }
    for (std::size_t i = 0; i < b.size(); i++) {
        b[i] = std::cos(float(i));
    }
    cudaMemcpyToSymbol(d_A, a.data(), a.size() * sizeof(float));
    cudaMemcpyToSymbol(d_B, b.data(), b.size() * sizeof(float));

    int grid_size = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid_size, &threads, matrixMulDynamic,
                                                   RequiredSM());
    int edge = 1;
    for (; 4 * edge * edge <= threads; edge *= 2) {
    }
    cudaMemcpyToSymbol(BLOCK_SIZE, &edge, sizeof edge);
    std::cout << "Block size: " << edge << std::endl;

    const dim3 block(edge, edge), grid(B_WIDTH / edge, A_HEIGHT / edge);
    matrixMulCUDA<<<grid, block>>>();
    cudaMemcpyFromSymbol(naive.data(), d_C, naive.size() * sizeof(float));
    matrixMulDynamic<<<grid, block, RequiredSM()(edge * edge)>>>();
    cudaMemcpyFromSymbol(tiled.data(), d_C, tiled.size() * sizeof(float));
    float worst = 0;
    for (std::size_t i = 0; i < tiled.size(); i++) {
        worst = std::fmax(worst, std::fabs(naive[i] - tiled[i]));
    }
    std::printf("largest difference %g, %s\n", worst, cudaGetErrorString(cudaGetLastError()));
    return worst < 1e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
