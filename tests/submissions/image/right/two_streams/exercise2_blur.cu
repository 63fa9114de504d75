/* The left and the right half in streams of their own, which are joined by an event. */
#include "image.h"

enum { EDGE = 16, LARGEST = EDGE + 16 };

__global__ void blurColumns(const unsigned char *in, unsigned char *out, int width, int height,
                            int first, int last, int radius)
{
    __shared__ int tile[LARGEST][LARGEST + 1];
    const int x = first + blockIdx.x * EDGE + threadIdx.x;
    const int y = blockIdx.y * EDGE + threadIdx.y;
    for (int dy = 0; threadIdx.y + dy < EDGE + 2 * radius; dy += EDGE) {
        for (int dx = 0; threadIdx.x + dx < EDGE + 2 * radius; dx += EDGE) {
            const int column = x + dx - radius, row = y + dy - radius;
            const bool counts = column >= 0 && column < width && row >= 0 && row < height;
            /* The number of pixels is added up with the sum. */
            tile[threadIdx.y + dy][threadIdx.x + dx] =
                counts ? (1 << 20) + in[row * width + column] : 0;
        }
    }
    __syncthreads();
    if (x >= last || y >= height) {
        return;
    }
    int both = 0;
    for (int i = 0; i < 2 * radius + 1; i++) {
        for (int j = 0; j < 2 * radius + 1; j++) {
            both += tile[threadIdx.y + i][threadIdx.x + j];
        }
    }
    out[y * width + x] = (unsigned char)((both & 0xfffff) / (both >> 20));
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    const int middle = width / 2;
    const dim3 threads(EDGE, EDGE);
    cudaStream_t left, right;
    cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
    if (middle > 0) {
        const dim3 blocks((middle + EDGE - 1) / EDGE, (height + EDGE - 1) / EDGE);
        blurColumns<<<blocks, threads, 0, left>>>(d_in, d_out, width, height, 0, middle, radius);
    }
    const dim3 blocks((width - middle + EDGE - 1) / EDGE, (height + EDGE - 1) / EDGE);
    blurColumns<<<blocks, threads, 0, right>>>(d_in, d_out, width, height, middle, width, radius);
    cudaEvent_t done;
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaEventRecord(done, left);
    cudaStreamWaitEvent(right, done, 0);
    cudaStreamSynchronize(right);
    cudaEventDestroy(done);
    cudaStreamDestroy(left);
    cudaStreamDestroy(right);
}
