/* A lab in the manner of libwb's: blurs an image by a mask of 3 x 3 in constant memory. */
#include <wb.h>

#define Mask_width 3
#define clamp(x) (min(max((x), 0.0f), 1.0f))

__constant__ float M[Mask_width * Mask_width];

__global__ void convolve(const float *in, float *out, int height, int width, int channels)
{
    //@@ Write the convolution here
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
    cudaMemcpyToSymbol(M, hostMaskData, sizeof(M));
    wbTime_stop(Copy, "Copying data to the GPU");
    //@@ Launch the kernel here
    cudaMemcpy(wbImage_getData(outputImage), deviceOutput, bytes, cudaMemcpyDeviceToHost);

    wbSolution(arg, outputImage);
    cudaFree(deviceInput);
    cudaFree(deviceOutput);
    free(hostMaskData);
    wbImage_delete(outputImage);
    wbImage_delete(inputImage);
    return 0;
}
