/* main.cu: reads sizes, one line a call, and calls the exercise once for each. The marks show gpugrade
 * which call is judged, and on which arrays; it fills and reads them itself. */
#include "gpugrade.h"
#include "skeleton.h"

#include <cstdio>
#include <cstdlib>

template <typename T> static T *array(size_t count)
{
    void *made = nullptr;
    if (cudaMalloc(&made, count * sizeof(T)) != cudaSuccess) {
        exit(EXIT_FAILURE);
    }
    return static_cast<T *>(made);
}

/* After a call: the program ends where it has broken the device. */
static void check(void)
{
    const cudaError_t left = cudaGetLastError();
    const cudaError_t error = left != cudaSuccess ? left : cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "main: %s\n", cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}

int main()
{
    int height = 0, inner = 0, width = 0;
    while (scanf("%d %d %d", &height, &inner, &width) == 3) {
        float *d_A = array<float>((size_t)height * inner);
        float *d_B = array<float>((size_t)inner * width);
        float *d_C = array<float>((size_t)height * width);
        gpugrade_begin("launch_skeleton");
        gpugrade_operand("d_A", d_A);
        gpugrade_operand("d_B", d_B);
        gpugrade_operand("d_C", d_C);
        launch_skeleton(d_A, d_B, d_C, height, inner, width);
        gpugrade_end();
        check();
        (void)cudaFree(d_A);
        (void)cudaFree(d_B);
        (void)cudaFree(d_C);
    }
    return EXIT_SUCCESS;
}
