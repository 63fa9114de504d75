/* A lab in the manner of libwb's: multiplies matrices of any sizes by tiles in shared memory. */
#include <wb.h>

#define TILE_WIDTH 16

__global__ void matrixMultiplyShared(float *A, float *B, float *C, int numARows, int numAColumns,
                                     int numBColumns)
{
    __shared__ float tileA[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileB[TILE_WIDTH][TILE_WIDTH];
    int row = blockIdx.y * TILE_WIDTH + threadIdx.y;
    int column = blockIdx.x * TILE_WIDTH + threadIdx.x;
    float sum = 0;

    for (int m = 0; m < (numAColumns - 1) / TILE_WIDTH + 1; m++) {
        int across = m * TILE_WIDTH + threadIdx.x;
        int down = m * TILE_WIDTH + threadIdx.y;
        bool hasA = row < numARows && across < numAColumns;
        bool hasB = down < numAColumns && column < numBColumns;
        tileA[threadIdx.y][threadIdx.x] = hasA ? A[row * numAColumns + across] : 0;
        tileB[threadIdx.y][threadIdx.x] = hasB || down < numAColumns ? B[down * numBColumns + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; k++) {
            sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < numARows && column < numBColumns) {
        C[row * numBColumns + column] = sum;
    }
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

    dim3 grid((numBColumns - 1) / TILE_WIDTH + 1, (numARows - 1) / TILE_WIDTH + 1, 1);
    dim3 block(TILE_WIDTH, TILE_WIDTH, 1);
    wbTime_start(Compute, "Performing CUDA computation");
    matrixMultiplyShared<<<grid, block>>>(deviceA, deviceB, deviceC, numARows, numAColumns,
                                          numBColumns);
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
