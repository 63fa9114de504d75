/* main.cu: reads lines "width height radius" and calls the exercise once for each. */
#include "gpugrade.h"
#include "image.h"

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
    int width = 0, height = 0, radius = 0;
    while (scanf("%d %d %d", &width, &height, &radius) == 3) {
        const size_t n = (size_t)width * height;
        unsigned char *in = array<unsigned char>(EXERCISE == 1 ? 3 * n : n);
        unsigned char *out = array<unsigned char>(n);
        gpugrade_begin(EXERCISE == 1 ? "grayscale" : "boxBlur");
        gpugrade_operand(EXERCISE == 1 ? "d_rgb" : "d_in", in);
        gpugrade_operand(EXERCISE == 1 ? "d_gray" : "d_out", out);
#if EXERCISE == 1
        grayscale(in, out, width, height);
#else
        boxBlur(in, out, width, height, radius);
#endif
        gpugrade_end();
        finish({in, out});
    }
    return EXIT_SUCCESS;
}
