// transpose.cu: a padded tile, sizes that are no multiple of it; with -DWRONG the tile is read before
// it is whole.
#include "check.h"

const int edge = 32, rows = 8;

__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[edge][edge + 1];
    int x = blockIdx.x * edge + threadIdx.x;
    int y = blockIdx.y * edge + threadIdx.y;

    for (int j = 0; j < edge; j += rows) {
        if (x < width && y + j < height) {
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
        }
    }
#ifndef WRONG
    __syncthreads();
#endif
    x = blockIdx.y * edge + threadIdx.x;
    y = blockIdx.x * edge + threadIdx.y;
    for (int j = 0; j < edge; j += rows) {
        if (x < height && y + j < width) {
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j]; // guilty: race
        }
    }
}

int main()
{
    const int width = 100, height = 70;
    static float in[height][width], out[width][height];
    float *device_in, *device_out;
    int wrong = 0;

    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            in[y][x] = (float)(y * width + x);
        }
    }
    CHECK(cudaMalloc(&device_in, sizeof in));
    CHECK(cudaMalloc(&device_out, sizeof out));
    CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    transpose<<<dim3((width + edge - 1) / edge, (height + edge - 1) / edge), dim3(edge, rows)>>>(
        device_in, device_out, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            wrong += out[x][y] != in[y][x];
        }
    }
    return conclude("transpose", wrong);
}
