/* main.cu: reads sizes, one a line, and calls the exercise once for each. */
#include "bitonic.h"
#include "gpugrade.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

template <typename T> static T *array(size_t count)
{
    void *made = nullptr;
    if (cudaMalloc(&made, count * sizeof(T)) != cudaSuccess) {
        exit(EXIT_FAILURE);
    }
    return static_cast<T *>(made);
}

/* After a call. */
static void finish(std::initializer_list<void *> arrays)
{
    const cudaError_t left = cudaGetLastError();
    const cudaError_t error = left != cudaSuccess ? left : cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "main: %s\n", cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
    for (void *made : arrays) {
        (void)cudaFree(made);
    }
}

int main()
{
    int n = 0;
    while (scanf("%d", &n) == 1) {
        int *data = array<int>(n);
        gpugrade_begin("bitonicSort");
        gpugrade_operand("d_data", data);
        bitonicSort(data, n);
        gpugrade_end();
        finish({data});
    }
    return EXIT_SUCCESS;
}
