/* Sizes are constants of an enumeration. */
#include <stdio.h>

enum { A_WIDTH = 128, A_HEIGHT = 64, B_WIDTH = 192, B_HEIGHT = A_WIDTH };
enum Block { BLOCK_SIZE = 16 };

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[A_HEIGHT][B_WIDTH];

__global__ void kernel()
{
    __shared__ struct {
        float a[BLOCK_SIZE][BLOCK_SIZE];
        float b[BLOCK_SIZE][BLOCK_SIZE];
    } tiles;
    int i = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    int j = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float s = 0;
    for (int t = A_WIDTH / BLOCK_SIZE - 1; t >= 0; t--) {
        tiles.a[threadIdx.y][threadIdx.x] = d_A[i][t * BLOCK_SIZE + threadIdx.x];
        tiles.b[threadIdx.y][threadIdx.x] = d_B[t * BLOCK_SIZE + threadIdx.y][j];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            s += tiles.a[threadIdx.y][k] * tiles.b[k][threadIdx.x];
        }
        __syncthreads();
    }
    d_C[i][j] = s;
}

int main()
{
    kernel<<<dim3(B_WIDTH / BLOCK_SIZE, A_HEIGHT / BLOCK_SIZE), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>();
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    int n = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, BLOCK_SIZE * BLOCK_SIZE, 0);
    printf("Occupancy: %.2f\n", n * BLOCK_SIZE * BLOCK_SIZE / 2048.0);
}
