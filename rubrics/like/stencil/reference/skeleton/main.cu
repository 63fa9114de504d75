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
    int n = 0;
    while (scanf("%d", &n) == 1) {
        float *d_in = array<float>(n);
        float *d_out = array<float>(n);
        gpugrade_begin("launch_skeleton");
        gpugrade_operand("d_in", d_in);
        gpugrade_operand("d_out", d_out);
        launch_skeleton(d_in, d_out, n);
        gpugrade_end();
        check();
        (void)cudaFree(d_in);
        (void)cudaFree(d_out);
    }
    return EXIT_SUCCESS;
}
