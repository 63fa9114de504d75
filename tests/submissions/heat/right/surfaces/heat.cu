/* The fields are two arrays: a step reads one through a texture and writes the other as a surface. */
#include "heat.h"

__global__ void heatStep(cudaTextureObject_t from, cudaSurfaceObject_t to, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    float value = tex2D<float>(from, x, y);
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
        value = 0.25f * (tex2D<float>(from, x, y - 1) + tex2D<float>(from, x, y + 1) +
                         tex2D<float>(from, x - 1, y) + tex2D<float>(from, x + 1, y));
    }
    surf2Dwrite(value, to, x * (int)sizeof(float), y);
}

void heat(float *d_a, float *d_b, int width, int height, int steps)
{
    const size_t pitch = width * sizeof(float);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t fields[2];
    cudaTextureObject_t read[2];
    cudaSurfaceObject_t written[2];

    for (int i = 0; i < 2; i++) {
        cudaMallocArray(&fields[i], &format, width, height, cudaArraySurfaceLoadStore);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = fields[i];
        cudaTextureDesc reading = {};
        cudaCreateTextureObject(&read[i], &resource, &reading, nullptr);
        cudaCreateSurfaceObject(&written[i], &resource);
    }
    cudaMemcpy2DToArray(fields[0], 0, 0, d_a, pitch, pitch, height, cudaMemcpyDeviceToDevice);
    const dim3 block(32, 8);
    const dim3 grid((width + 31) / 32, (height + 7) / 8);
    for (int step = 0; step < steps; step++) {
        heatStep<<<grid, block>>>(read[step % 2], written[1 - step % 2], width, height);
    }
    cudaMemcpy2DFromArray(d_a, pitch, fields[steps % 2], 0, 0, pitch, height,
                          cudaMemcpyDeviceToDevice);
    for (int i = 0; i < 2; i++) {
        cudaDestroyTextureObject(read[i]);
        cudaDestroySurfaceObject(written[i]);
        cudaFreeArray(fields[i]);
    }
}
