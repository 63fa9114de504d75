/* A launch of a single thread warms the GPU up before the one that counts. */
#include <math.h>
#include <stdio.h>

#define A_WIDTH 256
#define A_HEIGHT 256
#define B_WIDTH 256
#define B_HEIGHT 256

__constant__ int BLOCK_SIZE;

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[A_HEIGHT][B_WIDTH];

static float host_A[A_HEIGHT][A_WIDTH];
static float host_B[B_HEIGHT][B_WIDTH];
static float host_C[A_HEIGHT][B_WIDTH];

__global__ void multiplyDynamic()
{
    extern __shared__ float memory[];
    int n = BLOCK_SIZE;
    float *a = memory, *b = memory + n * n;
    int column = blockIdx.x * n + threadIdx.x;
    int row = blockIdx.y * n + threadIdx.y;
    float sum = 0;

    for (int tile = 0; tile < A_WIDTH; tile += n) {
        a[threadIdx.y * n + threadIdx.x] = d_A[row][tile + threadIdx.x];
        b[threadIdx.y * n + threadIdx.x] = d_B[tile + threadIdx.y][column];
        __syncthreads();
        for (int k = 0; k < n; k++) {
            sum += a[threadIdx.y * n + k] * b[k * n + threadIdx.x];
        }
        __syncthreads();
    }
    d_C[row][column] = sum;
}

int bytesOfTiles(int threads)
{
    return 2 * threads * (int)sizeof(float);
}

static int chooseEdge()
{
    int grid = 0, threads = 0, edge = 1;

    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &threads, multiplyDynamic, bytesOfTiles);
    while (4 * edge * edge <= threads) {
        edge *= 2;
    }
    return edge;
}

static void fillMatrices()
{
    for (int i = 0; i < A_HEIGHT * A_WIDTH; i++) {
        host_A[i / A_WIDTH][i % A_WIDTH] = (float)(i % 5);
    }
    for (int i = 0; i < B_HEIGHT * B_WIDTH; i++) {
        host_B[i / B_WIDTH][i % B_WIDTH] = (float)(i % 3);
    }
    cudaMemcpyToSymbol(d_A, host_A, sizeof(host_A));
    cudaMemcpyToSymbol(d_B, host_B, sizeof(host_B));
}

int main()
{
    fillMatrices();
    int edge = chooseEdge();
    cudaMemcpyToSymbol(BLOCK_SIZE, &edge, sizeof(edge));
    printf("Block size: %d\n", edge);

    multiplyDynamic<<<1, 1, bytesOfTiles(edge * edge)>>>();
    cudaDeviceSynchronize();

    dim3 block(edge, edge), grid(B_WIDTH / edge, A_HEIGHT / edge);
    multiplyDynamic<<<grid, block, bytesOfTiles(edge * edge)>>>();
    cudaMemcpyFromSymbol(host_C, d_C, sizeof(host_C));
    printf("%g, %s\n", host_C[0][0], cudaGetErrorString(cudaGetLastError()));
    return 0;
}
