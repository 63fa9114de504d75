/* Matrices are structs that are passed by value; their pointers are the addresses of the arrays. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define A_WIDTH   640
#define A_HEIGHT  320
#define B_WIDTH   160
#define B_HEIGHT  640
#define BLOCK_SIZE 32

__device__ float d_A[A_HEIGHT * A_WIDTH];
__device__ float d_B[B_HEIGHT * B_WIDTH];
__device__ float d_C[A_HEIGHT * B_WIDTH];

typedef struct {
    int width;
    int height;
    int stride;
    float *elements;
} Matrix;

__device__ float get(Matrix m, int row, int column)
{
    return m.elements[row * m.stride + column];
}

__device__ Matrix part(Matrix m, int row, int column)
{
    Matrix sub;
    sub.width = BLOCK_SIZE;
    sub.height = BLOCK_SIZE;
    sub.stride = m.stride;
    sub.elements = &m.elements[m.stride * BLOCK_SIZE * row + BLOCK_SIZE * column];
    return sub;
}

__global__ void MatMul(Matrix A, Matrix B, Matrix C)
{
    Matrix Csub = part(C, blockIdx.y, blockIdx.x);
    float value = 0;
    int row = threadIdx.y;
    int column = threadIdx.x;

    for (int m = 0; m < A.width / BLOCK_SIZE; ++m) {
        Matrix Asub = part(A, blockIdx.y, m);
        Matrix Bsub = part(B, m, blockIdx.x);
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[row][column] = get(Asub, row, column);
        Bs[row][column] = get(Bsub, row, column);
        __syncthreads();
        for (int e = 0; e < BLOCK_SIZE; ++e)
            value += As[row][e] * Bs[e][column];
        __syncthreads();
    }
    Csub.elements[row * Csub.stride + column] = value;
}

static Matrix on_device(const void *symbol, int height, int width)
{
    Matrix m = {width, height, width, NULL};
    if (cudaGetSymbolAddress((void **)&m.elements, symbol) != cudaSuccess) {
        fprintf(stderr, "no such symbol\n");
        exit(1);
    }
    return m;
}

static Matrix on_host(int height, int width, bool random)
{
    Matrix m = {width, height, width, (float *)malloc(sizeof(float) * height * width)};
    for (int i = 0; i < height * width; i++)
        m.elements[i] = random ? rand() / (float)RAND_MAX - 0.5f : 0.0f;
    return m;
}

int main(void)
{
    Matrix a = on_host(A_HEIGHT, A_WIDTH, true);
    Matrix b = on_host(B_HEIGHT, B_WIDTH, true);
    Matrix c = on_host(A_HEIGHT, B_WIDTH, false);
    Matrix da = on_device(d_A, A_HEIGHT, A_WIDTH);
    Matrix db = on_device(d_B, B_HEIGHT, B_WIDTH);
    Matrix dc = on_device(d_C, A_HEIGHT, B_WIDTH);
    cudaMemcpy(da.elements, a.elements, sizeof(float) * A_HEIGHT * A_WIDTH, cudaMemcpyHostToDevice);
    cudaMemcpy(db.elements, b.elements, sizeof(float) * B_HEIGHT * B_WIDTH, cudaMemcpyHostToDevice);

    dim3 block(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid(b.width / block.x, a.height / block.y);
    MatMul<<<grid, block>>>(da, db, dc);
    cudaMemcpy(c.elements, dc.elements, sizeof(float) * A_HEIGHT * B_WIDTH, cudaMemcpyDeviceToHost);
    printf("%s, c[0] = %f\n", cudaGetErrorString(cudaGetLastError()), c.elements[0]);

    struct cudaDeviceProp properties;
    memset(&properties, 0, sizeof properties);
    cudaGetDeviceProperties(&properties, 0);
    float occupancy = 1.0f * properties.maxBlocksPerMultiProcessor * BLOCK_SIZE * BLOCK_SIZE /
                      properties.maxThreadsPerMultiProcessor;
    if (occupancy > 1)
        occupancy = 1;
    printf("Occupancy: %.2f\n", occupancy);
    free(a.elements);
    free(b.elements);
    free(c.elements);
    return 0;
}
