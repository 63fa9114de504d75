/* Texture objects are made in the first call alone. */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 16

__global__ void matrixMulTiled(cudaTextureObject_t A, cudaTextureObject_t B, float *C, int a_width,
                               int b_width)
{
    __shared__ float tile_a[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float tile_b[BLOCK_SIZE][BLOCK_SIZE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK_SIZE + ty;
    const int column = blockIdx.x * BLOCK_SIZE + tx;

    float sum = 0.0f;
    for (int first = 0; first < a_width; first += BLOCK_SIZE) {
        tile_a[ty][tx] = tex1Dfetch<float>(A, row * a_width + first + tx);
        tile_b[ty][tx] = tex1Dfetch<float>(B, (first + ty) * b_width + column);
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    C[row * b_width + column] = sum;
}

static cudaTextureObject_t texture_of(const float *elements, size_t count)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (void *)elements;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = count * sizeof *elements;

    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;

    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, NULL);
    return texture;
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    const dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    const dim3 blocks(shape.b_width / BLOCK_SIZE, shape.a_height / BLOCK_SIZE);
    static cudaTextureObject_t a = texture_of(d_A, (size_t)shape.a_height * shape.a_width);
    static cudaTextureObject_t b = texture_of(d_B, (size_t)shape.a_width * shape.b_width);
    matrixMulTiled<<<blocks, threads>>>(a, b, d_C, shape.a_width, shape.b_width);
}

void printOccupancy(void)
{
    const int threads = BLOCK_SIZE * BLOCK_SIZE;
    int blocks = 0;
    int threads_available = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, matrixMulTiled, threads, 0);
    if (error == cudaSuccess) {
        error =
            cudaDeviceGetAttribute(&threads_available, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    }
    if (error != cudaSuccess) {
        fprintf(stderr, "occupancy: %s\n", cudaGetErrorString(error));
        return;
    }
    printf("Occupancy: %.4f\n", (double)(blocks * threads) / threads_available);
}
