/* main.cu: the program around the exercise.
 *
 *   PROGRAM launch    reads sizes "n", one a line, until the input ends; launches the exercise once
 *                     for each
 *   PROGRAM [n]       by hand: launches it once and compares every element with the host's
 *
 * Output is flushed before any part of the exercise runs, so that a crash there loses nothing.
 */
#include "skeleton.h"

#include <cuda_profiler_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAXIMUM = 1 << 24 };

/* The vectors of one size on the device. */
struct vectors {
    float *x, *result;
};

/* What one element of the result must be. */
static float expected(float x)
{
    return 2.0f * x;
}

/* Ends the program: after an error that a synchronising call returns, the device is lost. */
static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) {
        return;
    }
    fflush(stdout);
    fprintf(stderr, "main: %s: %s (%s)\n", what, cudaGetErrorName(error),
            cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

static float *host_new(int n)
{
    float *values = (float *)malloc((size_t)n * sizeof *values);
    if (values == NULL) {
        fprintf(stderr, "main: no memory for %d floats\n", n);
        exit(EXIT_FAILURE);
    }
    return values;
}

/* Whole numbers from -1000 to 1000, the same in every run. */
static void fill(float *values, int n, uint32_t state)
{
    for (int i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        values[i] = (float)(state % 2001) - 1000.0f;
    }
}

/* Allocates a vector on the device and fills it with values that the seed decides. */
static float *device_new(int n, uint32_t seed)
{
    float *values = host_new(n);
    float *on_device = NULL;
    fill(values, n, seed);
    check(cudaMalloc((void **)&on_device, (size_t)n * sizeof *values), "cudaMalloc");
    check(cudaMemcpy(on_device, values, (size_t)n * sizeof *values, cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
    free(values);
    return on_device;
}

static float *host_copy(const float *on_device, int n)
{
    float *values = host_new(n);
    check(cudaMemcpy(values, on_device, (size_t)n * sizeof *values, cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    return values;
}

/* Makes the inputs, and the result of NaN: all bits set. */
static struct vectors vectors_new(int n)
{
    struct vectors made = {NULL, NULL};
    made.x = device_new(n, 0x9e3779b9u);
    check(cudaMalloc((void **)&made.result, (size_t)n * sizeof(float)), "cudaMalloc");
    check(cudaMemset(made.result, 0xff, (size_t)n * sizeof(float)), "cudaMemset");
    return made;
}

static void vectors_free(struct vectors vectors)
{
    check(cudaFree(vectors.x), "cudaFree");
    check(cudaFree(vectors.result), "cudaFree");
}

/* The markers show a grader where the launch of one size begins and ends; without a grader they do
 * nothing, whatever they return. */
static struct vectors launch(int n)
{
    const struct vectors vectors = vectors_new(n);
    fflush(NULL);
    (void)cudaProfilerStart();
    launch_skeleton(vectors.x, vectors.result, n);
    (void)cudaProfilerStop();
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        fprintf(stderr, "main: launch for n = %d: %s (%s)\n", n, cudaGetErrorName(error),
                cudaGetErrorString(error));
    }
    check(cudaDeviceSynchronize(), "the kernel");
    return vectors;
}

/* Reads one size; only blanks may follow. */
static bool read_size(const char *text, int *out_n)
{
    char *end = NULL;
    const long value = strtol(text, &end, 10);
    if (end == text || end[strspn(end, " \t\r\n")] != '\0' || value < 1 || value > SIZE_MAXIMUM) {
        return false;
    }
    *out_n = (int)value;
    return true;
}

/* Launches once for each size that the input names. */
static int mode_launch(void)
{
    char line[128];
    while (fgets(line, sizeof line, stdin) != NULL) {
        int n = 0;
        if (!read_size(line, &n)) {
            fprintf(stderr, "main: expected a size from 1 to %d, got %s", SIZE_MAXIMUM, line);
            return EXIT_FAILURE;
        }
        vectors_free(launch(n));
    }
    return ferror(stdin) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int mode_by_hand(int n)
{
    const struct vectors vectors = launch(n);
    float *x = host_copy(vectors.x, n);
    float *result = host_copy(vectors.result, n);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        /* Written so that NaN counts as wrong. */
        if (!(result[i] == expected(x[i])) && wrong++ == 0) {
            printf("result[%d]: expected %g, got %g\n", i, expected(x[i]), result[i]);
        }
    }
    printf(wrong == 0 ? "Right: all %d elements.\n" : "Wrong: %d elements.\n",
           wrong == 0 ? n : wrong);
    free(x);
    free(result);
    vectors_free(vectors);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    int n = 1000;
    if (argc == 2 && strcmp(argv[1], "launch") == 0) {
        return mode_launch();
    }
    if (argc == 1 || (argc == 2 && read_size(argv[1], &n))) {
        return mode_by_hand(n);
    }
    fprintf(stderr, "usage: %s [launch | n]\n", argv[0]);
    return 2;
}
