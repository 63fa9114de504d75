/* Sums along rows, from a piece of the row in shared memory; then along columns, from scratch. */
#include "image.h"

enum { BLOCK = 128, RADIUS_MAX = 8 };

static __global__ void sumRows(const unsigned char *in, unsigned short *sums, int width, int radius)
{
    __shared__ unsigned char piece[BLOCK + 2 * RADIUS_MAX];
    const int first = blockIdx.x * BLOCK - radius, row = blockIdx.y;
    for (int k = threadIdx.x; k < BLOCK + 2 * radius; k += BLOCK) {
        const int x = first + k;
        piece[k] = x >= 0 && x < width ? in[row * width + x] : 0;
    }
    __syncthreads();
    const int x = blockIdx.x * BLOCK + threadIdx.x;
    if (x < width) {
        int sum = 0;
        for (int k = 0; k <= 2 * radius; k++) {
            sum += piece[threadIdx.x + k];
        }
        sums[row * width + x] = (unsigned short)sum;
    }
}

static __global__ void sumColumns(const unsigned short *sums, unsigned char *out, int width,
                                  int height, int radius)
{
    const int x = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y;
    if (x >= width) {
        return;
    }
    const int top = max(0, row - radius), bottom = min(height - 1, row + radius);
    int sum = 0;
    for (int y = top; y <= bottom; y++) {
        sum += sums[y * width + x];
    }
    const int columns = min(width - 1, x + radius) - max(0, x - radius) + 1;
    out[row * width + x] = (unsigned char)(sum / (columns * (bottom - top + 1)));
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    const dim3 blocks((width + BLOCK - 1) / BLOCK, height);
    unsigned short *sums = nullptr;
    cudaMalloc(&sums, (size_t)width * height * sizeof *sums);
    sumRows<<<blocks, BLOCK>>>(d_in, sums, width, radius);
    sumColumns<<<blocks, BLOCK>>>(sums, d_out, width, height, radius);
    cudaFree(sums);
}
