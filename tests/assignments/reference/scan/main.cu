/* main.cu: PROGRAM scan|compact reads sizes, one a line, and calls that function for each. */
#include "gpugrade.h"
#include "scan.h"

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

int main(int count, char **arguments)
{
    int n = 0;
    while (count == 2 && scanf("%d", &n) == 1) {
        int *in = array<int>(n), *out = array<int>(n), *found = array<int>(1);
        if (strcmp(arguments[1], "scan") == 0) {
            gpugrade_begin("exclusiveScan");
            gpugrade_operand("d_in", in);
            gpugrade_operand("d_out", out);
            exclusiveScan(in, out, n);
        } else {
            gpugrade_begin("compactPositive");
            gpugrade_operand("d_in", in);
            gpugrade_operand("d_out", out);
            gpugrade_operand("d_count", found);
            compactPositive(in, n, out, found);
        }
        gpugrade_end();
        finish({in, out, found});
    }
    return EXIT_SUCCESS;
}
