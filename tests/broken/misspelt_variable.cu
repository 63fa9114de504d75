__global__ void multiply(const float *A, const float *B, float *C, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < widht; k++)
        sum += A[row * width + k] * B[k * width + col];
    C[row * width + col] = sum;
}
