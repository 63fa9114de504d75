/* A block is half as high as it is wide: each thread computes two elements, half a tile apart. */
#include <cstdio>
#include <vector>

#define A_WIDTH 512
#define A_HEIGHT 512
#define B_WIDTH 512
#define B_HEIGHT 512
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT
#define BLOCK_SIZE 32
#define ROWS (BLOCK_SIZE / 2)

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

__global__ void matrixMulTwoRows()
{
    __shared__ float tileA[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float tileB[BLOCK_SIZE][BLOCK_SIZE];
    const int column = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const int row = blockIdx.y * BLOCK_SIZE;
    float upper = 0, lower = 0;
    for (int first = 0; first < A_WIDTH; first += BLOCK_SIZE) {
        for (int r = threadIdx.y; r < BLOCK_SIZE; r += ROWS) {
            tileA[r][threadIdx.x] = d_A[row + r][first + threadIdx.x];
            tileB[r][threadIdx.x] = d_B[first + r][column];
        }
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            upper += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
            lower += tileA[threadIdx.y + ROWS][k] * tileB[k][threadIdx.x];
        }
        __syncthreads();
    }
    d_C[row + threadIdx.y][column] = upper;
    d_C[row + threadIdx.y + ROWS][column] = lower;
}

int main()
{
    std::vector<float> ones(A_HEIGHT * A_WIDTH > B_HEIGHT * B_WIDTH ? A_HEIGHT * A_WIDTH
                                                                    : B_HEIGHT * B_WIDTH,
                            1.0f);
    cudaMemcpyToSymbol(d_A, ones.data(), sizeof(float) * A_HEIGHT * A_WIDTH);
    cudaMemcpyToSymbol(d_B, ones.data(), sizeof(float) * B_HEIGHT * B_WIDTH);
    const dim3 threads(BLOCK_SIZE, ROWS);
    matrixMulTwoRows<<<dim3(C_WIDTH / BLOCK_SIZE, C_HEIGHT / BLOCK_SIZE), threads>>>();
    float corner = 0;
    cudaMemcpyFromSymbol(&corner, d_C, sizeof(corner));
    int blocks = 0, held = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, matrixMulTwoRows, threads.x * threads.y,
                                                  0);
    cudaDeviceGetAttribute(&held, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    std::printf("%g\nOccupancy: %.3f\n", corner, (double)blocks * threads.x * threads.y / held);
    return corner != A_WIDTH;
}
