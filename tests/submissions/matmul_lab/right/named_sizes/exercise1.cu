/* One macro for all sizes, from which the others are made; arrays with names of their own types. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N        1024u       /* all matrices are N x N */
#define A_WIDTH  N
#define A_HEIGHT N
#define B_WIDTH  N
#define B_HEIGHT N
#define BLOCK    16
#define BLOCK_SIZE BLOCK
#define TILES    (A_WIDTH / BLOCK_SIZE)

typedef float real;
typedef real tile[BLOCK_SIZE][BLOCK_SIZE];

__device__ real d_A[A_HEIGHT][A_WIDTH], d_B[B_HEIGHT][B_WIDTH], d_C[A_HEIGHT][B_WIDTH];

static __device__ __noinline__ void load(tile *to, const real *from, size_t pitch)
{
    (*to)[threadIdx.y][threadIdx.x] = from[threadIdx.y * pitch + threadIdx.x];
}

__global__ void __launch_bounds__(1024) matmul()
{
    __shared__ tile a, b;
    const real *next_a = &d_A[blockIdx.y * BLOCK_SIZE][0];
    const real *next_b = &d_B[0][blockIdx.x * BLOCK_SIZE];
    real sum = 0;
    for (unsigned t = 0; t < TILES; ++t, next_a += BLOCK_SIZE, next_b += BLOCK_SIZE * B_WIDTH) {
        load(&a, next_a, A_WIDTH);
        load(&b, next_b, B_WIDTH);
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; ++k) {
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        }
        __syncthreads();
    }
    d_C[blockIdx.y * BLOCK_SIZE + threadIdx.y][blockIdx.x * BLOCK_SIZE + threadIdx.x] = sum;
}

int main(void)
{
    real *host = (real *)calloc(A_HEIGHT * A_WIDTH, sizeof *host);
    for (size_t i = 0; i < A_HEIGHT * A_WIDTH; i++) host[i] = (real)(i & 7u);
    cudaMemcpyToSymbol(d_A, host, A_HEIGHT * A_WIDTH * sizeof *host);
    free(host);
    dim3 block, grid;
    block.x = BLOCK_SIZE;
    block.y = BLOCK_SIZE;
    grid.x = B_WIDTH / block.x;
    grid.y = A_HEIGHT / block.y;
    void *nothing[1] = {NULL};
    if (cudaLaunchKernel((const void *)matmul, grid, block, nothing, 0, 0) != cudaSuccess) {
        puts("the launch failed");
        return EXIT_FAILURE;
    }
    cudaDeviceSynchronize();

    int active = 0, held = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, (const void *)matmul,
                                                  block.x * block.y, 0);
    cudaDeviceGetAttribute(&held, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    printf("  Occupancy:   %.4g\n", (double)active * block.x * block.y / held);
    return EXIT_SUCCESS;
}
