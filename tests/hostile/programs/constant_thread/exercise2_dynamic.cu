/* A thread changes the constant all the time, also while a launch is held. */
#include "matmul.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

__constant__ int BLOCK_SIZE;
static int edge;

int requiredSM(int threads_per_block)
{
    return 2 * threads_per_block * (int)sizeof(float);
}

__global__ void matrixMulDynamic(const float *A, const float *B, float *C, int a_width, int b_width)
{
    extern __shared__ float tiles[];
    const int size = BLOCK_SIZE;
    float *tile_b = tiles + size * size;
    const int row = blockIdx.y * size + threadIdx.y;
    const int column = blockIdx.x * size + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < a_width; first += size) {
        tiles[threadIdx.y * size + threadIdx.x] = A[row * a_width + first + threadIdx.x];
        tile_b[threadIdx.y * size + threadIdx.x] = B[(first + threadIdx.y) * b_width + column];
        __syncthreads();
        for (int k = 0; k < size; k++) {
            sum += tiles[threadIdx.y * size + k] * tile_b[k * size + threadIdx.x];
        }
        __syncthreads();
    }
    C[row * b_width + column] = sum + 1.0f;
}

static void *change(void *)
{
    for (int value = 1;; value = value % 64 + 1) {
        cudaMemcpyToSymbol(BLOCK_SIZE, &value, sizeof value);
        usleep(100);
    }
}

int chooseBlockSize(void)
{
    int least = 0;
    int threads = 0;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&least, &threads, matrixMulDynamic, requiredSM);
    for (edge = 1; 4 * edge * edge <= threads; edge *= 2) {
    }
    cudaMemcpyToSymbol(BLOCK_SIZE, &edge, sizeof edge);
    printf("Block size: %d\n", edge);
    return edge;
}

void launchDynamic(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    static pthread_t thread;
    if (thread == 0) {
        pthread_create(&thread, NULL, change, NULL);
    }
    cudaMemcpyToSymbol(BLOCK_SIZE, &edge, sizeof edge);
    matrixMulDynamic<<<dim3(shape.b_width / edge, shape.a_height / edge), dim3(edge, edge),
                       requiredSM(edge * edge)>>>(d_A, d_B, d_C, shape.a_width, shape.b_width);
}
