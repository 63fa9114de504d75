/* The image goes to an array, and tiles are filled through a texture that is 0 outside of it. */
#include "convolution.h"

#define BLOCK 16
#define RADIUS_MAX 4
#define TILE (BLOCK + 2 * RADIUS_MAX)

__constant__ float mask[(2 * RADIUS_MAX + 1) * (2 * RADIUS_MAX + 1)];
static int mask_radius;

__global__ void convolveTexture(cudaTextureObject_t in, float *out, int width, int height,
                                int radius)
{
    __shared__ float tile[TILE][TILE + 1];
    const int x = blockIdx.x * BLOCK + threadIdx.x;
    const int y = blockIdx.y * BLOCK + threadIdx.y;

    for (int i = threadIdx.y; i < BLOCK + 2 * radius; i += BLOCK) {
        for (int j = threadIdx.x; j < BLOCK + 2 * radius; j += BLOCK) {
            tile[i][j] = tex2D<float>(in, (int)(blockIdx.x * BLOCK) + j - radius + 0.5f,
                                      (int)(blockIdx.y * BLOCK) + i - radius + 0.5f);
        }
    }
    __syncthreads();
    if (x >= width || y >= height) {
        return;
    }
    float sum = 0.0f;
    for (int i = 0; i <= 2 * radius; i++) {
        for (int j = 0; j <= 2 * radius; j++) {
            sum += mask[i * (2 * radius + 1) + j] * tile[threadIdx.y + i][threadIdx.x + j];
        }
    }
    out[y * width + x] = sum;
}

void setMask(const float *h_mask, int radius)
{
    const int edge = 2 * radius + 1;
    cudaMemcpyToSymbol(mask, h_mask, edge * edge * sizeof(float));
    mask_radius = radius;
}

void convolve(const float *d_in, float *d_out, int width, int height)
{
    const size_t pitch = width * sizeof(float);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, width, height);
    cudaMemcpy2DToArray(array, 0, 0, d_in, pitch, pitch, height, cudaMemcpyDeviceToDevice);

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc reading = {};
    reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeBorder;
    reading.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &reading, nullptr);

    const dim3 block(BLOCK, BLOCK);
    const dim3 grid((width + BLOCK - 1) / BLOCK, (height + BLOCK - 1) / BLOCK);
    convolveTexture<<<grid, block>>>(texture, d_out, width, height, mask_radius);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}
