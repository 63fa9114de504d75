/* A block of 128 threads goes down a band of the image. It keeps the last 2 radius + 1 rows in
 * shared memory, as a ring, so each row is loaded once. */
#include "convolution.h"

enum { BAND = 128, STEPS = 64, RADIUS_MAX = 4, RING = 2 * RADIUS_MAX + 1 };

static __constant__ float c_mask[RING * RING];
static int mask_radius;

static __device__ void load_row(const float *in, float *row, int y, int width, int height,
                                int radius)
{
    for (int j = threadIdx.x; j < BAND + 2 * radius; j += BAND) {
        const int x = blockIdx.x * BAND + j - radius;
        row[j] = y >= 0 && y < height && x >= 0 && x < width ? in[y * width + x] : 0.0f;
    }
}

__global__ void convolveBand(const float *in, float *out, int width, int height, int radius)
{
    __shared__ float ring[RING][BAND + 2 * RADIUS_MAX];
    const int edge = 2 * radius + 1;
    const int first = blockIdx.y * STEPS;
    const int last = min(height, first + STEPS);
    const int x = blockIdx.x * BAND + threadIdx.x;

    for (int i = 0; i < 2 * radius; i++) {
        load_row(in, ring[i], first + i - radius, width, height, radius);
    }
    for (int y = first; y < last; y++) {
        load_row(in, ring[(y - first + 2 * radius) % edge], y + radius, width, height, radius);
        __syncthreads();
        if (x < width) {
            float sum = 0.0f;
            for (int i = 0; i < edge; i++) {
                const float *row = ring[(y - first + i) % edge];
                for (int j = 0; j < edge; j++) {
                    sum += c_mask[i * edge + j] * row[threadIdx.x + j];
                }
            }
            out[y * width + x] = sum;
        }
        __syncthreads();
    }
}

void setMask(const float *h_mask, int radius)
{
    cudaMemcpyToSymbol(c_mask, h_mask, (2 * radius + 1) * (2 * radius + 1) * sizeof *h_mask);
    mask_radius = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    const dim3 blocks((width + BAND - 1) / BAND, (height + STEPS - 1) / STEPS);
    convolveBand<<<blocks, BAND>>>(d_in, d_out, width, height, mask_radius);
}
