/* A lab in the manner of libwb's: adds two vectors. */
#include <wb.h>

#define wbCheck(stmt)                                                                              \
    do {                                                                                           \
        cudaError_t err = stmt;                                                                    \
        if (err != cudaSuccess) {                                                                  \
            wbLog(ERROR, "Failed to run stmt ", #stmt);                                            \
            return -1;                                                                             \
        }                                                                                          \
    } while (0)

__global__ void vecAdd(float *in1, float *in2, float *out, int len)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < len) {
        out[i] = in1[i] + in2[i];
    }
}

int main(int argc, char **argv)
{
    wbArg_t args;
    int inputLength;
    float *hostInput1, *hostInput2, *hostOutput;
    float *deviceInput1, *deviceInput2, *deviceOutput;

    args = wbArg_read(argc, argv);

    wbTime_start(Generic, "Importing data and creating memory on host");
    hostInput1 = (float *)wbImport(wbArg_getInputFile(args, 0), &inputLength);
    hostInput2 = (float *)wbImport(wbArg_getInputFile(args, 1), &inputLength);
    hostOutput = (float *)malloc(inputLength * sizeof(float));
    wbTime_stop(Generic, "Importing data and creating memory on host");
    wbLog(TRACE, "The input length is ", inputLength);

    wbTime_start(GPU, "Allocating GPU memory.");
    wbCheck(cudaMalloc((void **)&deviceInput1, inputLength * sizeof(float)));
    wbCheck(cudaMalloc((void **)&deviceInput2, inputLength * sizeof(float)));
    wbCheck(cudaMalloc((void **)&deviceOutput, inputLength * sizeof(float)));
    wbTime_stop(GPU, "Allocating GPU memory.");

    cudaMemcpy(deviceInput1, hostInput1, inputLength * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(deviceInput2, hostInput2, inputLength * sizeof(float), cudaMemcpyHostToDevice);

    dim3 grid((inputLength - 1) / 256 + 1, 1, 1), block(256, 1, 1);
    wbTime_start(Compute, "Performing CUDA computation");
    vecAdd<<<grid, block>>>(deviceInput1, deviceInput2, deviceOutput, inputLength);
    cudaDeviceSynchronize();
    wbTime_stop(Compute, "Performing CUDA computation");

    wbTime_start(Copy, "Copying output memory to the CPU");
    cudaMemcpy(hostOutput, deviceOutput, inputLength * sizeof(float), cudaMemcpyDeviceToHost);
    wbTime_stop(Copy, "Copying output memory to the CPU");

    cudaFree(deviceInput1);
    cudaFree(deviceInput2);
    cudaFree(deviceOutput);
    wbSolution(args, hostOutput, inputLength);
    free(hostInput1);
    free(hostInput2);
    free(hostOutput);
    return 0;
}
