/* main.cu: PROGRAM sum|max reads sizes, one a line, and calls that function once for each. */
#include "gpugrade.h"
#include "reduction.h"

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

template <typename T>
static void judge(const char *name, void (*function)(const T *, T *, int), int n)
{
    T *in = array<T>(n), *out = array<T>(1);
    gpugrade_begin(name);
    gpugrade_operand("d_in", in);
    gpugrade_operand("d_out", out);
    function(in, out, n);
    gpugrade_end();
    finish({in, out});
}

int main(int count, char **arguments)
{
    int n = 0;
    while (count == 2 && scanf("%d", &n) == 1) {
        if (strcmp(arguments[1], "sum") == 0) {
            judge("reduceSum", reduceSum, n);
        } else {
            judge("reduceMax", reduceMax, n);
        }
    }
    return EXIT_SUCCESS;
}
