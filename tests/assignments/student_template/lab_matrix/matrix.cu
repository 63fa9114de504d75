/* A lab in the manner of libwb's: multiplies matrices of any sizes. */
#include <wb.h>

#define TILE_WIDTH 16

__global__ void matrixMultiplyShared(float *A, float *B, float *C, int numARows, int numAColumns,
                                     int numBColumns)
{
    //@@ Insert code to implement matrix multiplication here
}

int main(int argc, char **argv)
{
    wbArg_t args = wbArg_read(argc, argv);
    int numARows, numAColumns, numBRows, numBColumns;
    float *deviceA, *deviceB, *deviceC;

    float *hostA = (float *)wbImport(wbArg_getInputFile(args, 0), &numARows, &numAColumns);
    float *hostB = (float *)wbImport(wbArg_getInputFile(args, 1), &numBRows, &numBColumns);
    size_t bytesA = (size_t)numARows * numAColumns * sizeof(float);
    size_t bytesB = (size_t)numBRows * numBColumns * sizeof(float);
    size_t bytesC = (size_t)numARows * numBColumns * sizeof(float);
    float *hostC = (float *)malloc(bytesC);
    wbLog(TRACE, "The dimensions of A are ", numARows, " x ", numAColumns);
    wbLog(TRACE, "The dimensions of B are ", numBRows, " x ", numBColumns);

    cudaMalloc((void **)&deviceA, bytesA);
    cudaMalloc((void **)&deviceB, bytesB);
    cudaMalloc((void **)&deviceC, bytesC);
    cudaMemcpy(deviceA, hostA, bytesA, cudaMemcpyHostToDevice);
    cudaMemcpy(deviceB, hostB, bytesB, cudaMemcpyHostToDevice);

    wbTime_start(Compute, "Performing CUDA computation");
    //@@ Launch the kernel here
    cudaDeviceSynchronize();
    wbTime_stop(Compute, "Performing CUDA computation");
    cudaMemcpy(hostC, deviceC, bytesC, cudaMemcpyDeviceToHost);

    cudaFree(deviceA);
    cudaFree(deviceB);
    cudaFree(deviceC);
    wbSolution(args, hostC, numARows, numBColumns);
    free(hostA);
    free(hostB);
    free(hostC);
    return 0;
}
