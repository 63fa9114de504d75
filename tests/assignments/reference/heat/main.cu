/* main.cu: reads lines "width height steps" and calls the exercise once for each. */
#include "gpugrade.h"
#include "heat.h"

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
    int width = 0, height = 0, steps = 0;
    while (scanf("%d %d %d", &width, &height, &steps) == 3) {
        float *a = array<float>((size_t)width * height), *b = array<float>((size_t)width * height);
        gpugrade_begin("heat");
        gpugrade_operand("d_a", a);
        gpugrade_operand("d_b", b);
        heat(a, b, width, height, steps);
        gpugrade_end();
        finish({a, b});
    }
    return EXIT_SUCCESS;
}
