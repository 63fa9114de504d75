/* The host works on the mask before it copies it, twice as long as it need be. */
#include <wb.h>

#define Mask_width 3
#define clamp(x) (min(max((x), 0.0f), 1.0f))

__constant__ float M[Mask_width * Mask_width * 2];

__global__ void convolve(const float *in, float *out, int height, int width, int channels)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height) {
        return;
    }
    for (int c = 0; c < channels; c++) {
        float sum = 0;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) {
                    sum += in[((y + dy) * width + x + dx) * channels + c] *
                           M[(dy + 1) * Mask_width + dx + 1];
                }
            }
        }
        out[(y * width + x) * channels + c] = clamp(sum);
    }
}

int main(int argc, char *argv[])
{
    wbArg_t arg = wbArg_read(argc, argv);
    int maskRows, maskColumns;
    wbImage_t inputImage = wbImport(wbArg_getInputFile(arg, 0));
    float *hostMaskData = (float *)wbImport(wbArg_getInputFile(arg, 1), &maskRows, &maskColumns);
    int width = wbImage_getWidth(inputImage);
    int height = wbImage_getHeight(inputImage);
    int channels = wbImage_getChannels(inputImage);
    size_t bytes = (size_t)width * height * channels * sizeof(float);
    wbImage_t outputImage = wbImage_new(width, height, channels);
    float *deviceInput, *deviceOutput;

    cudaMalloc((void **)&deviceInput, bytes);
    cudaMalloc((void **)&deviceOutput, bytes);
    wbTime_start(Copy, "Copying data to the GPU");
    cudaMemcpy(deviceInput, wbImage_getData(inputImage), bytes, cudaMemcpyHostToDevice);
    float turned[Mask_width * Mask_width * 2];
    for (int i = 0; i < Mask_width * Mask_width; i++) {
        turned[i] = turned[i + Mask_width * Mask_width] = hostMaskData[i] * 2.0f;
    }
    cudaMemcpyToSymbol(M, turned, sizeof(M));
    wbTime_stop(Copy, "Copying data to the GPU");
    convolve<<<dim3((width - 1) / 16 + 1, (height - 1) / 16 + 1), dim3(16, 16)>>>(
        deviceInput, deviceOutput, height, width, channels);
    cudaMemcpy(wbImage_getData(outputImage), deviceOutput, bytes, cudaMemcpyDeviceToHost);

    wbSolution(arg, outputImage);
    cudaFree(deviceInput);
    cudaFree(deviceOutput);
    free(hostMaskData);
    wbImage_delete(outputImage);
    wbImage_delete(inputImage);
    return 0;
}
