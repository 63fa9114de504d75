// mistakes.cu NUMBER: one call that is wrong, or that no stand-in has.
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>

extern "C" int nvrtcGetLTOIRSize(void *, size_t *);
extern "C" int cublasInit();

__global__ void fill(float *x)
{
    x[threadIdx.x] = 1;
}

int main(int, char **arguments)
{
    const int number = std::atoi(arguments[1]);
    float *x, *fresh, *managed, one = 1, zero = 0;
    cublasHandle_t handle;
    cudaStream_t stream;
    cudaGraph_t graph;
    int status = 0;

    cudaMalloc(&x, 64 * 4);
    cudaMalloc(&fresh, 64 * 4);
    cudaMallocManaged(&managed, 64 * 4);
    cudaMemset(x, 0, 64 * 4);
    cudaDeviceSynchronize();
    cublasCreate(&handle);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    switch (number) {
    case 1: // 9 columns of 8 are more than 64
        status =
            cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 9, 8, &one, x, 8, x, 8, &zero, x, 8);
        break;
    case 2: // rows that do not fit into a column
        status =
            cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, x, 7, x, 8, &zero, x, 8);
        break;
    case 3: // two streams
        cublasSetStream(handle, stream);
        fill<<<1, 64>>>(x);
        cublasSscal(handle, 64, &one, x, 1);
        break;
    case 4:
        status = cublasInit();
        break;
    case 5:
        nvrtcGetLTOIRSize(nullptr, nullptr);
        break;
    case 8: // 8 rows in columns of 16
        status =
            cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, x, 8, x, 16, &zero, x, 8);
        break;
    case 9: // what is not read need not be written: c, and the other triangle
        fill<<<1, 4>>>(fresh);
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, fresh, 2, x, 2, &zero,
                    fresh + 8, 2);
        cudaMemcpy(fresh + 5, fresh, 4, cudaMemcpyDeviceToDevice);
        fill<<<1, 1>>>(fresh + 4);
        fill<<<1, 1>>>(fresh + 7);
        cublasStrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, fresh + 4,
                    2, x, 1);
        break;
    case 10: // the last 60 are not
        fill<<<1, 4>>>(fresh);
        cublasSgemv(handle, CUBLAS_OP_N, 8, 8, &one, x, 8, fresh, 2, &zero, x, 1);
        break;
    case 11:
        cudaFree(fresh);
        cublasSscal(handle, 64, &one, fresh, 1);
        fresh = nullptr;
        break;
    case 12:
        cublasSaxpy(handle, 65, &one, managed, 1, managed, 1);
        break;
    case 13: // a stream captures the end of memory that is no graph's
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        cudaFreeAsync(x, stream);
        cudaStreamEndCapture(stream, &graph);
        fill<<<1, 64>>>(x);
        cudaGraphDestroy(graph);
        break;
    case 7: // a graph, twice
        cudaGraphExec_t ready;
        float two = 2, sum = 0;
        cublasSetStream(handle, stream);
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        fill<<<1, 64, 0, stream>>>(x);
        cublasSscal(handle, 64, &two, x, 1);
        cublasSscal(handle, 64, &two, x, 1);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&ready, graph, 0);
        cudaGraphLaunch(ready, stream);
        cudaGraphLaunch(ready, stream);
        cublasSasum(handle, 64, x, 1, &sum);
        status = (int)sum;
        cudaGraphExecDestroy(ready);
        cudaGraphDestroy(graph);
        break;
    }
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream);
    cublasDestroy(handle);
    cudaFree(x);
    cudaFree(fresh);
    cudaFree(managed);
    return status % 251;
}
