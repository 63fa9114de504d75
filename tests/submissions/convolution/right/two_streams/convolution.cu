/* The upper and the lower half of the image in a stream each. */
#include "convolution.h"

#define EDGE 16
#define MAX_TILE (EDGE + 8)

__constant__ float weights[81];
static int weight_radius;

/* Computes the rows from first to last - 1. */
__global__ void convolveRows(const float *in, float *out, int width, int height, int first,
                             int last, int radius)
{
    __shared__ float tile[MAX_TILE * MAX_TILE];
    const int edge = EDGE + 2 * radius;
    const int x = blockIdx.x * EDGE + threadIdx.x;
    const int y = first + blockIdx.y * EDGE + threadIdx.y;

    for (int dy = 0; threadIdx.y + dy < edge; dy += EDGE) {
        for (int dx = 0; threadIdx.x + dx < edge; dx += EDGE) {
            const int column = x + dx - radius, row = y + dy - radius;
            float value = 0;
            if (column >= 0 && column < width && row >= 0 && row < height)
                value = in[row * width + column];
            tile[(threadIdx.y + dy) * MAX_TILE + threadIdx.x + dx] = value;
        }
    }
    __syncthreads();
    if (x < width && y < last) {
        float sum = 0;
        for (int i = 0; i <= 2 * radius; i++)
            for (int j = 0; j <= 2 * radius; j++)
                sum += weights[i * (2 * radius + 1) + j] *
                       tile[(threadIdx.y + i) * MAX_TILE + threadIdx.x + j];
        out[y * width + x] = sum;
    }
}

void setMask(const float *h_mask, int radius)
{
    cudaMemcpyToSymbolAsync(weights, h_mask, sizeof(float) * (2 * radius + 1) * (2 * radius + 1));
    cudaDeviceSynchronize();
    weight_radius = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    const int middle = height / 2;
    cudaStream_t streams[2];
    for (int k = 0; k < 2; k++) {
        const int first = k == 0 ? 0 : middle, last = k == 0 ? middle : height;
        cudaStreamCreate(&streams[k]);
        if (last > first) {
            const dim3 blocks((width + EDGE - 1) / EDGE, (last - first + EDGE - 1) / EDGE);
            convolveRows<<<blocks, dim3(EDGE, EDGE), 0, streams[k]>>>(d_in, d_out, width, height,
                                                                      first, last, weight_radius);
        }
    }
    for (int k = 0; k < 2; k++) {
        cudaStreamSynchronize(streams[k]);
        cudaStreamDestroy(streams[k]);
    }
}
