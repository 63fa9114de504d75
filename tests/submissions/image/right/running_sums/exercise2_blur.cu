/* Each thread goes along a piece of a row, then of a column, and keeps a running sum: it adds the
 * pixel that comes into the window and subtracts the one that leaves it. No tile is needed. */
#include "image.h"

#define PIECE 64

__global__ void along_rows(const unsigned char *in, int *sums, int width, int height, int radius)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    int first = blockIdx.y * PIECE, last = min(width, first + PIECE);
    if (y >= height) {
        return;
    }
    const unsigned char *row = in + (long long)y * width;
    int sum = 0;
    for (int x = max(0, first - radius); x < min(width, first + radius); x++) {
        sum += row[x];
    }
    for (int x = first; x < last; x++) {
        if (x + radius < width) {
            sum += row[x + radius];
        }
        sums[(long long)y * width + x] = sum;
        if (x - radius >= 0) {
            sum -= row[x - radius];
        }
    }
}

__global__ void along_columns(const int *sums, unsigned char *out, int width, int height,
                              int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int first = blockIdx.y * PIECE, last = min(height, first + PIECE);
    if (x >= width) {
        return;
    }
    int columns = min(width - 1, x + radius) - max(0, x - radius) + 1;
    int sum = 0;
    for (int y = max(0, first - radius); y < min(height, first + radius); y++) {
        sum += sums[(long long)y * width + x];
    }
    for (int y = first; y < last; y++) {
        if (y + radius < height) {
            sum += sums[(long long)(y + radius) * width + x];
        }
        int rows = min(height - 1, y + radius) - max(0, y - radius) + 1;
        out[(long long)y * width + x] = sum / (rows * columns);
        if (y - radius >= 0) {
            sum -= sums[(long long)(y - radius) * width + x];
        }
    }
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    int *sums;
    cudaMalloc((void **)&sums, sizeof(int) * width * height);
    along_rows<<<dim3((height + 31) / 32, (width + PIECE - 1) / PIECE), 32>>>(d_in, sums, width,
                                                                              height, radius);
    along_columns<<<dim3((width + 31) / 32, (height + PIECE - 1) / PIECE), 32>>>(sums, d_out, width,
                                                                                 height, radius);
    cudaFree(sums);
}
