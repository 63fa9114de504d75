/* main.cu: reads lines "rows columns elements" and calls the exercise once for each. */
#include "gpugrade.h"
#include "spmv.h"

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
    int rows = 0, columns = 0, elements = 0;
    while (scanf("%d %d %d", &rows, &columns, &elements) == 3) {
        int *start = array<int>(rows + 1), *column = array<int>(elements);
        float *value = array<float>(elements), *x = array<float>(columns), *y = array<float>(rows);
        gpugrade_begin("spmv");
        gpugrade_operand("d_row_start", start);
        gpugrade_operand("d_column", column);
        gpugrade_operand("d_value", value);
        gpugrade_operand("d_x", x);
        gpugrade_operand("d_y", y);
        spmv(start, column, value, x, y, rows);
        gpugrade_end();
        finish({start, column, value, x, y});
    }
    return EXIT_SUCCESS;
}
