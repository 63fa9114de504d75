/* Scratch memory for sums along rows is allocated without the size of an element. */
#include "image.h"

__global__ void sumRows(const unsigned char *in, int *sums, int width, int height, int radius)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    __shared__ int piece[128 + 16];
    for (int k = threadIdx.x; k < 128 + 2 * radius; k += 128) {
        const int column = (int)(blockIdx.x * 128) - radius + k;
        piece[k] = column >= 0 && column < width ? in[y * width + column] : 0;
    }
    __syncthreads();
    if (x < width) {
        int sum = 0;
        for (int k = 0; k <= 2 * radius; k++) {
            sum += piece[threadIdx.x + k];
        }
        sums[y * width + x] = sum;
    }
}

__global__ void sumColumns(const int *sums, unsigned char *out, int width, int height, int radius)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width) {
        int sum = 0;
        const int top = max(y - radius, 0), bottom = min(y + radius, height - 1);
        for (int row = top; row <= bottom; row++) {
            sum += sums[row * width + x];
        }
        const int columns = min(x + radius, width - 1) - max(x - radius, 0) + 1;
        out[y * width + x] = sum / ((bottom - top + 1) * columns);
    }
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    int *sums;
    cudaMalloc(&sums, width * height);
    const dim3 blocks((width + 127) / 128, height);
    sumRows<<<blocks, 128>>>(d_in, sums, width, height, radius);
    sumColumns<<<blocks, 128>>>(sums, d_out, width, height, radius);
    cudaFree(sums);
}
