/* main.cu: reads lines "n softening" and calls the exercise once for each. */
#include "gpugrade.h"
#include "nbody.h"

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
    float softening = 0;
    while (scanf("%d %f", &n, &softening) == 2) {
        float4 *body = array<float4>(n);
        float3 *acc = array<float3>(n);
        gpugrade_begin("accelerations");
        gpugrade_operand("d_body", body);
        gpugrade_operand("d_acc", acc);
        accelerations(body, acc, n, softening);
        gpugrade_end();
        finish({body, acc});
    }
    return EXIT_SUCCESS;
}
