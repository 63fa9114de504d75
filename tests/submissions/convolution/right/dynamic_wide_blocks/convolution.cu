/* Blocks of 32 x 8 threads with a tile in dynamic shared memory. The radius is a constant, too. */
#include "convolution.h"

__constant__ float d_mask[9 * 9];
__constant__ int d_radius;
static int h_radius = 1;

__global__ void convolveKernel(const float *in, float *out, int width, int height)
{
    extern __shared__ float tile[];
    const int r = d_radius;
    const int tile_width = blockDim.x + 2 * r;
    const int tile_size = tile_width * (blockDim.y + 2 * r);
    const int x0 = blockIdx.x * blockDim.x - r;
    const int y0 = blockIdx.y * blockDim.y - r;

    for (int k = threadIdx.y * blockDim.x + threadIdx.x; k < tile_size;
         k += blockDim.x * blockDim.y) {
        const int x = x0 + k % tile_width;
        const int y = y0 + k / tile_width;
        tile[k] = (x < 0 || y < 0 || x >= width || y >= height) ? 0.0f : in[y * width + x];
    }
    __syncthreads();

    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float sum = 0.0f;
        const float *m = d_mask;
        for (int i = 0; i <= 2 * r; i++) {
            const float *row = tile + (threadIdx.y + i) * tile_width + threadIdx.x;
            for (int j = 0; j <= 2 * r; j++) {
                sum = fmaf(*m++, row[j], sum);
            }
        }
        out[y * width + x] = sum;
    }
}

void setMask(const float *h_mask, int radius)
{
    const size_t bytes = sizeof(float) * (2 * radius + 1) * (2 * radius + 1);
    cudaMemcpyToSymbol(d_mask, h_mask, bytes);
    cudaMemcpyToSymbol(d_radius, &radius, sizeof(int));
    h_radius = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    dim3 block(32, 8);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    size_t bytes = sizeof(float) * (block.x + 2 * h_radius) * (block.y + 2 * h_radius);
    convolveKernel<<<grid, block, bytes>>>(d_in, d_out, width, height);
}
