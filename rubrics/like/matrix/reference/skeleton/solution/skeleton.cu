/* Blocks of 16 x 16 threads, which load tiles of A and B. */
#include "skeleton.h"

enum { EDGE = 16 };

__global__ void multiply(const float *A, const float *B, float *C, int height, int inner, int width)
{
    __shared__ float a[EDGE][EDGE], b[EDGE][EDGE];
    const int row = blockIdx.y * EDGE + threadIdx.y;
    const int column = blockIdx.x * EDGE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < inner; first += EDGE) {
        const int k = first + threadIdx.x, l = first + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < height && k < inner ? A[row * inner + k] : 0.0f;
        b[threadIdx.y][threadIdx.x] = l < inner && column < width ? B[l * width + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < EDGE; i++) {
            sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < height && column < width) {
        C[row * width + column] = sum;
    }
}

void launch_skeleton(const float *d_A, const float *d_B, float *d_C, int height, int inner,
                     int width)
{
    const dim3 blocks((width + EDGE - 1) / EDGE, (height + EDGE - 1) / EDGE);
    multiply<<<blocks, dim3(EDGE, EDGE)>>>(d_A, d_B, d_C, height, inner, width);
}
