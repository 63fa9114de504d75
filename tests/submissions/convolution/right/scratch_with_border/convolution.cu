/* The image is first copied into scratch memory with a border of zeros, so the second kernel tests
 * nothing. */
#include "convolution.h"

enum { T = 16, R_MAX = 4 };

static __constant__ float mask[(2 * R_MAX + 1) * (2 * R_MAX + 1)];
static int r;

__global__ void addBorder(const float *in, float *padded, int width, int height, int padded_width,
                          int padded_height, int radius)
{
    const int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    if (x < padded_width && y < padded_height) {
        const int from_x = x - radius, from_y = y - radius;
        const bool inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < height;
        padded[y * padded_width + x] = inside ? in[from_y * width + from_x] : 0.0f;
    }
}

__global__ void convolvePadded(const float *padded, float *out, int width, int height,
                               int padded_width, int radius)
{
    __shared__ float tile[T + 2 * R_MAX][T + 2 * R_MAX];
    const float *corner = padded + blockIdx.y * T * padded_width + blockIdx.x * T;
    for (int i = threadIdx.y; i < T + 2 * radius; i += T) {
        for (int j = threadIdx.x; j < T + 2 * radius; j += T) {
            tile[i][j] = corner[i * padded_width + j];
        }
    }
    __syncthreads();
    const int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < (2 * radius + 1) * (2 * radius + 1); k++) {
        sum +=
            mask[k] * tile[threadIdx.y + k / (2 * radius + 1)][threadIdx.x + k % (2 * radius + 1)];
    }
    out[y * width + x] = sum;
}

void setMask(const float *h_mask, int radius)
{
    cudaMemcpyToSymbol(mask, h_mask, (2 * radius + 1) * (2 * radius + 1) * sizeof(float));
    r = radius;
}

static int blocks_for(int n)
{
    return (n + T - 1) / T;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    /* Whole blocks and a rim. */
    const int padded_width = blocks_for(width) * T + 2 * r;
    const int padded_height = blocks_for(height) * T + 2 * r;
    float *padded = nullptr;
    cudaMalloc(&padded, (size_t)padded_width * padded_height * sizeof(float));
    addBorder<<<dim3(blocks_for(padded_width), blocks_for(padded_height)), dim3(T, T)>>>(
        d_in, padded, width, height, padded_width, padded_height, r);
    convolvePadded<<<dim3(blocks_for(width), blocks_for(height)), dim3(T, T)>>>(
        padded, d_out, width, height, padded_width, r);
    cudaFree(padded);
}
