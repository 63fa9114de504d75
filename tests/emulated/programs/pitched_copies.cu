// Pitched memory in two and three dimensions: allocations, fills, copies of parts.
#include "../kernel_program.h"

#include <cstring>

__global__ void add_index(char *base, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height) {
        ((float *)(base + y * pitch))[x] += y * 100 + x;
    }
}

int main()
{
    const int width = 37, height = 21;
    static float host[height][width], part[height][width];
    float *device;
    size_t pitch;

    CHECK(cudaMallocPitch(&device, &pitch, width * sizeof(float), height));
    CHECK(cudaMemset2D(device, pitch, 0, width * sizeof(float), height));
    add_index<<<dim3(2, 2), dim3(32, 16)>>>((char *)device, pitch, width, height);
    CHECK(cudaMemcpy2D(host, sizeof(host[0]), device, pitch, width * sizeof(float), height,
                       cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            wrong += host[y][x] != y * 100 + x;
        }
    }
    printf("2D: pitch %zu, wrong %d\n", pitch, wrong);
    // A window of 5 x 3 elements at (10, 7).
    CHECK(cudaMemcpy2D(part, sizeof(part[0]), (char *)device + 7 * pitch + 10 * sizeof(float), pitch,
                       5 * sizeof(float), 3, cudaMemcpyDefault));
    printf("window: %g %g %g, beside it %g\n", part[0][0], part[2][4], part[1][2], part[0][5]);
    printf("narrow pitch: %s\n",
           cudaGetErrorName(cudaMemcpy2D(part, 4, device, pitch, 8, 2, cudaMemcpyDeviceToHost)));
    printf("too many rows: %s\n",
           cudaGetErrorName(cudaMemset2D(device, pitch, 0, pitch, height + 1)));

    cudaGetLastError();

    const int depth = 4;
    static unsigned char box[depth][6][10], back[depth][6][10];
    cudaPitchedPtr volume;
    cudaExtent extent = make_cudaExtent(10, 6, depth);
    CHECK(cudaMalloc3D(&volume, extent));
    CHECK(cudaMemset3D(volume, 7, extent));
    for (int i = 0; i < depth * 60; i++) {
        ((unsigned char *)box)[i] = i;
    }
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(box, 10, 10, 6);
    copy.dstPtr = volume;
    copy.srcPos = make_cudaPos(1, 1, 1);
    copy.dstPos = make_cudaPos(2, 3, 0);
    copy.extent = make_cudaExtent(4, 2, 3);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaMemcpy3DParms fetch = {};
    fetch.srcPtr = volume;
    fetch.dstPtr = make_cudaPitchedPtr(back, 10, 10, 6);
    fetch.extent = extent;
    fetch.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&fetch));
    printf("3D: %d %d, untouched %d %d\n", back[0][3][2] == box[1][1][1],
           back[2][4][5] == box[3][2][4], back[0][3][6], back[3][3][2]);

    // Source and target overlap.
    int *line, values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    CHECK(cudaMalloc(&line, sizeof(values)));
    CHECK(cudaMemcpy(line, values, sizeof(values), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(line + 1, line, 4 * sizeof(int), cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(values, line, sizeof(values), cudaMemcpyDeviceToHost));
    printf("overlap: %d %d %d %d %d %d\n", values[0], values[1], values[2], values[3], values[4],
           values[5]);
    CHECK(cudaFree(line));
    CHECK(cudaFree(volume.ptr));
    CHECK(cudaFree(device));
    return 0;
}
