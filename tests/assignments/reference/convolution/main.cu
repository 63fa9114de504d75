/* main.cu: reads lines "width height radius seed" and convolves once for each. */
#include "convolution.h"
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
    int width = 0, height = 0, radius = 0, seed = 0;
    while (scanf("%d %d %d %d", &width, &height, &radius, &seed) == 4) {
        const int edge = 2 * radius + 1;
        float mask[81];
        for (int k = 0; k < edge * edge; k++) {
            mask[k] = (float)(seed * (k + 3) % 17 - 8);
        }
        float *in = array<float>((size_t)width * height),
              *out = array<float>((size_t)width * height);
        gpugrade_begin("convolve");
        gpugrade_operand("d_in", in);
        gpugrade_operand("d_out", out);
        setMask(mask, radius);
        memset(mask, 0xff, sizeof mask);
        convolve(in, out, width, height);
        gpugrade_end();
        finish({in, out});
    }
    return EXIT_SUCCESS;
}
