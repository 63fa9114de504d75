/* A table of sums over all pixels above and to the left: four entries give the sum of any window.
 * Wraps modulo 2^32, which differences undo. One warp scans a row at a time. */
#include "image.h"

__global__ void scanRows(const unsigned char *in, unsigned *table, int width, int height)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= height) {
        return;
    }
    unsigned before = 0;
    for (int first = 0; first < width; first += 32) {
        const int x = first + lane;
        unsigned sum = x < width ? in[row * width + x] : 0;
        for (int distance = 1; distance < 32; distance *= 2) {
            const unsigned other = __shfl_up_sync(0xffffffffu, sum, distance);
            if (lane >= distance) {
                sum += other;
            }
        }
        if (x < width) {
            table[row * width + x] = before + sum;
        }
        before += __shfl_sync(0xffffffffu, sum, 31);
    }
}

__global__ void scanColumns(unsigned *table, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < width) {
        unsigned sum = 0;
        for (int y = 0; y < height; y++) {
            sum += table[y * width + x];
            table[y * width + x] = sum;
        }
    }
}

static __device__ unsigned entry(const unsigned *table, int width, int y, int x)
{
    return y < 0 || x < 0 ? 0 : table[y * width + x];
}

__global__ void means(const unsigned *table, unsigned char *out, int width, int height, int radius)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const int left = max(x - radius, 0) - 1, right = min(x + radius, width - 1);
    const int top = max(y - radius, 0) - 1, bottom = min(y + radius, height - 1);
    const unsigned sum = entry(table, width, bottom, right) - entry(table, width, top, right) -
                         entry(table, width, bottom, left) + entry(table, width, top, left);
    out[y * width + x] = sum / ((right - left) * (bottom - top));
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    unsigned *table = nullptr;
    cudaMallocAsync(&table, sizeof(unsigned) * width * height, 0);
    scanRows<<<(height + 7) / 8, 256>>>(d_in, table, width, height);
    scanColumns<<<(width + 63) / 64, 64>>>(table, width, height);
    means<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(table, d_out, width, height,
                                                                      radius);
    cudaFreeAsync(table, 0);
}
