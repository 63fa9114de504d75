/* A lab in the manner of libwb's: each block adds up a part of a list, the host the parts. */
#include <wb.h>

#define BLOCK_SIZE 512

__global__ void total(float *input, float *output, int len)
{
    __shared__ float part[2 * BLOCK_SIZE];
    unsigned t = threadIdx.x, start = 2 * blockIdx.x * BLOCK_SIZE;

    part[t] = start + t < len ? input[start + t] : 0;
    part[BLOCK_SIZE + t] = start + BLOCK_SIZE + t < len ? input[start + BLOCK_SIZE + t] : 0;
    for (unsigned stride = BLOCK_SIZE; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            part[t] += part[t + stride];
        }
    }
    if (t == 0) {
        output[blockIdx.x] = part[0];
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
    cudaFree(deviceInput);
    cudaFree(deviceOutput);
    wbSolution(args, hostOutput, 1);
    free(hostInput);
    free(hostOutput);
    return 0;
}
