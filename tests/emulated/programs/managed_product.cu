// Managed matrices, an error macro, a warm-up and a loop that takes times, an own comparison with an
// epsilon: a naive, a tiled and a dynamically tiled kernel get their operands as arguments.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA_CALL(x)                                                                               \
    {                                                                                              \
        cudaError_t status = x;                                                                    \
        if (status != cudaSuccess) {                                                               \
            printf("%s failed: %s\n", #x, cudaGetErrorString(status));                             \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    }

const int WIDTH = 64;
const int TILE_WIDTH = 16;
const int REPEATS = 3;

__global__ void simple(const float *m, const float *n, float *p, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0;
    for (int k = 0; k < width; ++k) {
        value += m[row * width + k] * n[k * width + column];
    }
    p[row * width + column] = value;
}

__global__ void tiled(const float *m, const float *n, float *p, int width)
{
    __shared__ float ms[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ns[TILE_WIDTH][TILE_WIDTH];
    int row = blockIdx.y * TILE_WIDTH + threadIdx.y;
    int column = blockIdx.x * TILE_WIDTH + threadIdx.x;
    float value = 0;
    for (int phase = 0; phase < width / TILE_WIDTH; ++phase) {
        ms[threadIdx.y][threadIdx.x] = m[row * width + phase * TILE_WIDTH + threadIdx.x];
        ns[threadIdx.y][threadIdx.x] = n[(phase * TILE_WIDTH + threadIdx.y) * width + column];
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; ++k) {
            value += ms[threadIdx.y][k] * ns[k][threadIdx.x];
        }
        __syncthreads();
    }
    p[row * width + column] = value;
}

extern __shared__ float both[];

__global__ void dynamic(const float *m, const float *n, float *p, int width)
{
    const int edge = blockDim.x;
    float *ms = both, *ns = both + edge * edge;
    int row = blockIdx.y * edge + threadIdx.y;
    int column = blockIdx.x * edge + threadIdx.x;
    float value = 0;
    for (int phase = 0; phase < width / edge; ++phase) {
        ms[threadIdx.y * edge + threadIdx.x] = m[row * width + phase * edge + threadIdx.x];
        ns[threadIdx.y * edge + threadIdx.x] = n[(phase * edge + threadIdx.y) * width + column];
        __syncthreads();
        for (int k = 0; k < edge; ++k) {
            value += ms[threadIdx.y * edge + k] * ns[k * edge + threadIdx.x];
        }
        __syncthreads();
    }
    p[row * width + column] = value;
}

typedef void kernel(const float *, const float *, float *, int);

static void measure(const char *name, kernel *launched, int edge, size_t bytes, float *matrices[3],
                    const float *expected)
{
    cudaEvent_t start, stop;
    float milliseconds = 0, worst = 0;
    dim3 threads(edge, edge), blocks(WIDTH / edge, WIDTH / edge);

    CUDA_CALL(cudaMemset(matrices[2], 0, sizeof(float) * WIDTH * WIDTH));
    CUDA_CALL(cudaEventCreate(&start));
    CUDA_CALL(cudaEventCreate(&stop));
    launched<<<blocks, threads, bytes>>>(matrices[0], matrices[1], matrices[2], WIDTH);
    CUDA_CALL(cudaEventRecord(start));
    for (int i = 0; i < REPEATS; i++) {
        launched<<<blocks, threads, bytes>>>(matrices[0], matrices[1], matrices[2], WIDTH);
    }
    CUDA_CALL(cudaEventRecord(stop));
    CUDA_CALL(cudaEventSynchronize(stop));
    CUDA_CALL(cudaEventElapsedTime(&milliseconds, start, stop));
    for (int i = 0; i < WIDTH * WIDTH; i++) {
        worst = fmaxf(worst, fabsf(matrices[2][i] - expected[i]));
    }
    printf("%s: %s, %s\n", name, worst < 1e-4f ? "right" : "WRONG",
           milliseconds > 0 ? "takes time" : "takes none");
    CUDA_CALL(cudaEventDestroy(start));
    CUDA_CALL(cudaEventDestroy(stop));
}

int main(void)
{
    static float expected[WIDTH * WIDTH];
    float *matrices[3];
    for (int i = 0; i < 3; i++) {
        CUDA_CALL(cudaMallocManaged(&matrices[i], sizeof(float) * WIDTH * WIDTH));
    }
    for (int i = 0; i < WIDTH * WIDTH; i++) {
        matrices[0][i] = (float)(i % 101) / 101;
        matrices[1][i] = (float)(i % 37) / 37;
    }
    for (int y = 0; y < WIDTH; y++) {
        for (int x = 0; x < WIDTH; x++) {
            double sum = 0;
            for (int k = 0; k < WIDTH; k++) {
                sum += (double)matrices[0][y * WIDTH + k] * matrices[1][k * WIDTH + x];
            }
            expected[y * WIDTH + x] = (float)sum;
        }
    }
    measure("simple", simple, 16, 0, matrices, expected);
    measure("tiled", tiled, TILE_WIDTH, 0, matrices, expected);
    for (int edge = 4; edge <= 32; edge *= 2) {
        measure("dynamic", dynamic, edge, 2 * edge * edge * sizeof(float), matrices, expected);
    }
    for (int i = 0; i < 3; i++) {
        CUDA_CALL(cudaFree(matrices[i]));
    }
    return 0;
}
