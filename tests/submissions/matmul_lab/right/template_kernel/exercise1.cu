/* The tile is a template argument, the naive kernel a template too; both are launched. */
#include <stdio.h>
#include <stdlib.h>

#define A_WIDTH 512
#define A_HEIGHT 256
#define B_WIDTH 768
#define B_HEIGHT A_WIDTH
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT
#define BLOCK_SIZE 16

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

template <typename T, int WIDTH> __global__ void naive()
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    T sum = T(0);
    for (int k = 0; k < WIDTH; k++) {
        sum += d_A[y][k] * d_B[k][x];
    }
    d_C[y][x] = sum;
}

template <int TILE> struct Tile {
    float values[TILE][TILE];
    __device__ float &here() { return values[threadIdx.y][threadIdx.x]; }
    __device__ float across(int k) const { return values[threadIdx.y][k]; }
    __device__ float down(int k) const { return values[k][threadIdx.x]; }
};

template <typename T, int TILE, int WIDTH> __global__ void tiled()
{
    __shared__ Tile<TILE> a;
    __shared__ Tile<TILE> b;
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;
    T sum = T(0);
    for (int start = 0; start < WIDTH; start += TILE) {
        a.here() = d_A[y][start + threadIdx.x];
        b.here() = d_B[start + threadIdx.y][x];
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += a.across(k) * b.down(k);
        }
        __syncthreads();
    }
    d_C[y][x] = sum;
}

static float h_A[A_HEIGHT][A_WIDTH], h_B[B_HEIGHT][B_WIDTH];
static float slow[C_HEIGHT][C_WIDTH], fast[C_HEIGHT][C_WIDTH];

template <typename Launch> static void run(float result[C_HEIGHT][C_WIDTH], Launch launch)
{
    launch(dim3(C_WIDTH / BLOCK_SIZE, C_HEIGHT / BLOCK_SIZE), dim3(BLOCK_SIZE, BLOCK_SIZE));
    cudaMemcpyFromSymbol(result, d_C, sizeof(d_C));
    if (cudaGetLastError() != cudaSuccess) {
        printf("a launch failed\n");
        exit(2);
    }
}

int main(void)
{
    for (int i = 0; i < A_HEIGHT * A_WIDTH; i++) {
        (&h_A[0][0])[i] = (float)(i % 17) - 8;
    }
    for (int i = 0; i < B_HEIGHT * B_WIDTH; i++) {
        (&h_B[0][0])[i] = (float)(i % 13) - 6;
    }
    cudaMemcpyToSymbol(d_A, h_A, sizeof(h_A));
    cudaMemcpyToSymbol(d_B, h_B, sizeof(h_B));
    run(fast, [](dim3 grid, dim3 block) { tiled<float, BLOCK_SIZE, A_WIDTH><<<grid, block>>>(); });
    run(slow, [](dim3 grid, dim3 block) { naive<float, A_WIDTH><<<grid, block>>>(); });

    int different = 0;
    for (int y = 0; y < C_HEIGHT; y++) {
        for (int x = 0; x < C_WIDTH; x++) {
            different += fast[y][x] != slow[y][x];
        }
    }
    int blocks = 0;
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tiled<float, BLOCK_SIZE, A_WIDTH>,
                                                  BLOCK_SIZE * BLOCK_SIZE, 0);
    printf("%d differences\n", different);
    printf("Occupancy: %.3f\n", blocks * BLOCK_SIZE * BLOCK_SIZE /
                                    (double)device.maxThreadsPerMultiProcessor);
    return different != 0;
}
