#include "matmul.cuh"

__constant__ int BLOCK_SIZE;
__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

/* The naive product: each thread reads a whole row of A and a whole column of B. Given. */
__global__ void matrixMulCUDA()
{
    int x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y;

    float Csub = 0;
    for (int k = 0; k < A_WIDTH; k++) {
        Csub += d_A[y][k] * d_B[k][x];
    }
    d_C[y][x] = Csub;
}

/* Bytes of dynamic shared memory that a block with so many threads needs: both tiles. */
int requiredSM(int threadsPerBlock)
{
    return 2 * threadsPerBlock * sizeof(float);
}

__global__ void matrixMulCUDASharedMemory()
{
    extern __shared__ float tiles[];
    const int edge = BLOCK_SIZE;
    float *tile_A = tiles;
    float *tile_B = tiles + edge * edge;

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * edge + tx;
    int y = blockIdx.y * edge + ty;

    float sum = 0;
    for (int first = 0; first < A_WIDTH; first += edge) {
        tile_A[ty * edge + tx] = d_A[y][first + tx];
        tile_B[ty * edge + tx] = d_B[first + ty][x];
        __syncthreads();
        for (int k = 0; k < edge; k++) {
            sum += tile_A[ty * edge + k] * tile_B[k * edge + tx];
        }
        __syncthreads();
    }
    d_C[y][x] = sum;
}

void launchNaive(dim3 grid, dim3 threads)
{
    matrixMulCUDA<<<grid, threads>>>();
}

void launchTiled(dim3 grid, dim3 threads, int bytes)
{
    matrixMulCUDASharedMemory<<<grid, threads, bytes>>>();
}

int chooseBlockSize()
{
    int blocks = 0, threads = 0, edge = 1;

    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads, matrixMulCUDASharedMemory,
                                                   requiredSM);
    while (4 * edge * edge <= threads) {
        edge *= 2;
    }
    cudaMemcpyToSymbol(BLOCK_SIZE, &edge, sizeof(edge));
    return edge;
}

void copyIn(const float *a, const float *b)
{
    cudaMemcpyToSymbol(d_A, a, sizeof(d_A));
    cudaMemcpyToSymbol(d_B, b, sizeof(d_B));
}

void copyOut(float *c)
{
    cudaMemcpyFromSymbol(c, d_C, sizeof(d_C));
}
