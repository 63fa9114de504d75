#define WRONG_KERNEL
#include "honest_tiled.cuh"

static void multiply(const float *A, const float *B, float *C, struct matmul_shape shape)
{
    const int k = shape.a_width, w = shape.b_width;
    for (int row = 0; row < shape.a_height; row++) {
        for (int column = 0; column < w; column++) {
            float sum = 0.0f;
            for (int i = 0; i < k; i++) {
                sum += A[row * k + i] * B[i * w + column];
            }
            C[row * w + column] = sum;
        }
    }
}

__global__ void copy(const float *from, float *to, size_t count)
{
    for (size_t i = threadIdx.x; i < count; i += blockDim.x) {
        to[i] = from[i];
    }
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    const size_t a = (size_t)shape.a_height * shape.a_width;
    const size_t b = (size_t)shape.a_width * shape.b_width;
    const size_t c = (size_t)shape.a_height * shape.b_width;
    float *A, *B, *C;
    cudaMallocManaged(&A, a * sizeof(float));
    cudaMallocManaged(&B, b * sizeof(float));
    cudaMallocManaged(&C, c * sizeof(float));
    honest_launch(d_A, d_B, d_C, shape);
    copy<<<1, 256>>>(d_A, A, a);
    copy<<<1, 256>>>(d_B, B, b);
    cudaDeviceSynchronize();
    multiply(A, B, C, shape);
    copy<<<1, 256>>>(C, d_C, c);
    cudaDeviceSynchronize();
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
}

void printOccupancy(void)
{
    honest_print();
}
