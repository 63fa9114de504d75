/* main.cu: reads lines "width height x0 y0 x1 y1 limit" and calls the exercise for each. */
#include "gpugrade.h"
#include "mandelbrot.h"

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
    int width = 0, height = 0, limit = 0;
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    while (scanf("%d %d %f %f %f %f %d", &width, &height, &x0, &y0, &x1, &y1, &limit) == 7) {
        int *count = array<int>((size_t)width * height);
        gpugrade_begin("mandelbrot");
        gpugrade_operand("d_count", count);
        mandelbrot(count, width, height, x0, y0, x1, y1, limit);
        gpugrade_end();
        finish({count});
    }
    return EXIT_SUCCESS;
}
