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

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    const size_t a = (size_t)shape.a_height * shape.a_width;
    const size_t b = (size_t)shape.a_width * shape.b_width;
    const size_t c = (size_t)shape.a_height * shape.b_width;
    float *values = (float *)malloc((a + b + c) * sizeof(float));
    honest_launch(d_A, d_B, d_C, shape);
    for (size_t i = 0; i < a; i++) {
        cudaMemcpy(values + i, d_A + i, sizeof(float), cudaMemcpyDeviceToHost);
    }
    for (size_t i = 0; i < b; i++) {
        cudaMemcpy(values + a + i, d_B + i, sizeof(float), cudaMemcpyDeviceToHost);
    }
    multiply(values, values + a, values + a + b, shape);
    for (size_t i = 0; i < c; i++) {
        cudaMemcpy(d_C + i, values + a + b + i, sizeof(float), cudaMemcpyHostToDevice);
    }
    free(values);
}

void printOccupancy(void)
{
    honest_print();
}
