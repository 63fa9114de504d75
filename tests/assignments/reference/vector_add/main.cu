/* main.cu: reads lines "n eighths" and calls the exercise once for each. */
#include "gpugrade.h"
#include "vector_add.h"

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
    int n = 0, eighths = 0;
    while (scanf("%d %d", &n, &eighths) == 2) {
        float *a = array<float>(n), *b = array<float>(n);
#if EXERCISE == 1
        float *c = array<float>(n);
        gpugrade_begin("addVectors");
        gpugrade_operand("d_a", a);
        gpugrade_operand("d_b", b);
        gpugrade_operand("d_c", c);
        addVectors(a, b, c, n);
        gpugrade_end();
        finish({a, b, c});
#else
        gpugrade_begin("saxpy");
        gpugrade_operand("d_x", a);
        gpugrade_operand("d_y", b);
        saxpy(eighths / 8.0f, a, b, n);
        gpugrade_end();
        finish({a, b});
#endif
    }
    return EXIT_SUCCESS;
}
