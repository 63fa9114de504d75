/* main.cu: the program around the exercise.
 *
 *   PROGRAM launch    reads widths, one a line, until the input ends; launches the exercise once
 *                     for each. A launch that the device refuses is reported, and the next follows;
 *                     after any other error nothing runs any more: the program ends with status 1
 *   PROGRAM simple    the same with the simple kernel, in blocks of tileWidth() x tileWidth()
 *   PROGRAM print     what the exercise prints
 *   PROGRAM [width]   by hand: compares with the simple kernel and measures the speedup
 *
 * Output is flushed before any part of the exercise runs, so that a crash there loses nothing.
 */
#include "gpugrade.h"
#include "matmul_square.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH_MAXIMUM = 16384, EDGE_MAXIMUM = 32, TIMED_LAUNCHES = 20 };

/* How far a sum of products may be off, in units of 2^-24 times the sum of their magnitudes. */
static const float TOLERANCE = 16.0f / 16777216.0f;

static const uint32_t M_SEED = 0x9e3779b9u;
static const uint32_t N_SEED = 0x85ebca6bu;

/* The matrices of one width on the device. */
struct matrices {
    float *M, *N, *P;
    int width;
    int edge; /* of the simple kernel's blocks */
};

enum kernel { EXERCISE, SIMPLE };

static size_t element_count(int width)
{
    return (size_t)width * (size_t)width;
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

/* Ends the program if there is no such block. */
static int checked_edge(void)
{
    fflush(NULL);
    const int edge = tileWidth();
    if (edge < 1 || edge > EDGE_MAXIMUM) {
        fprintf(stderr, "main: tileWidth() returned %d, expected 1 to %d\n", edge,
                (int)EDGE_MAXIMUM);
        exit(EXIT_FAILURE);
    }
    return edge;
}

static void launch(enum kernel kernel, struct matrices on_device)
{
    if (kernel == SIMPLE) {
        launchSimple(on_device.M, on_device.N, on_device.P, on_device.width, on_device.edge);
        return;
    }
    fflush(NULL);
    launchTiled(on_device.M, on_device.N, on_device.P, on_device.width);
}

/* Reports what the launch itself was refused for, e.g. too large a block; false if it was. */
static bool launch_accepted(int width)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) {
        return true;
    }
    fprintf(stderr, "main: launch for width %d: %s (%s)\n", width, cudaGetErrorName(error),
            cudaGetErrorString(error));
    return false;
}

/* Reads a width; only blanks may follow. */
static bool read_width(const char *text, int *out_width)
{
    char *end = NULL;
    const long value = strtol(text, &end, 10);
    if (end == text || value < 1 || value > WIDTH_MAXIMUM) {
        return false;
    }
    *out_width = (int)value;
    return end[strspn(end, " \t\r\n")] == '\0';
}

/* Values in [-1, 1) with 24 bits each, the same in every run; or their magnitudes. */
static float *values_new(size_t count, uint32_t seed, bool positive)
{
    float *values = (float *)malloc(count * sizeof *values);
    uint32_t state = seed;
    if (values == NULL) {
        fprintf(stderr, "main: no memory for %zu floats\n", count);
        exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        values[i] = (float)((int32_t)state >> 8) / 8388608.0f;
        values[i] = positive ? fabsf(values[i]) : values[i];
    }
    return values;
}

/* Allocates a matrix on the device and fills it. */
static float *matrix_new(int width, uint32_t seed, bool positive)
{
    const size_t count = element_count(width);
    float *values = values_new(count, seed, positive);
    float *on_device = NULL;
    check(cudaMalloc((void **)&on_device, count * sizeof *values), "cudaMalloc");
    check(cudaMemcpy(on_device, values, count * sizeof *values, cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
    free(values);
    return on_device;
}

/* Makes M and N of random values, or of their magnitudes, and P of NaN: all bits set. */
static struct matrices matrices_new(int width, int edge, bool positive)
{
    struct matrices made = {NULL, NULL, NULL, width, edge};
    made.M = matrix_new(width, M_SEED, positive);
    made.N = matrix_new(width, N_SEED, positive);
    check(cudaMalloc((void **)&made.P, element_count(width) * sizeof(float)), "cudaMalloc");
    check(cudaMemset(made.P, 0xff, element_count(width) * sizeof(float)), "cudaMemset");
    return made;
}

static void matrices_free(struct matrices matrices)
{
    check(cudaFree(matrices.M), "cudaFree");
    check(cudaFree(matrices.N), "cudaFree");
    check(cudaFree(matrices.P), "cudaFree");
}

/* Copies P to the host. */
static float *result_new(struct matrices on_device)
{
    const size_t count = element_count(on_device.width);
    float *values = (float *)malloc(count * sizeof *values);
    if (values == NULL) {
        fprintf(stderr, "main: no memory for %zu floats\n", count);
        exit(EXIT_FAILURE);
    }
    check(cudaMemcpy(values, on_device.P, count * sizeof *values, cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    return values;
}

/* One call that is judged: the grader fills the matrices. */
static void launch_width(enum kernel kernel, int width)
{
    struct matrices on_device = {NULL, NULL, NULL, width, kernel == SIMPLE ? checked_edge() : 0};
    const size_t bytes = element_count(width) * sizeof(float);
    check(cudaMalloc((void **)&on_device.M, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&on_device.N, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&on_device.P, bytes), "cudaMalloc");
    gpugrade_begin(kernel == SIMPLE ? "launchSimple" : "launchTiled");
    gpugrade_operand("d_M", on_device.M);
    gpugrade_operand("d_N", on_device.N);
    gpugrade_operand("d_P", on_device.P);
    launch(kernel, on_device);
    gpugrade_end();
    (void)launch_accepted(width);
    check(cudaDeviceSynchronize(), "the kernel");
    matrices_free(on_device);
}

/* Launches once for each width that the input names. */
static int mode_widths(enum kernel kernel)
{
    char line[128];
    while (fgets(line, sizeof line, stdin) != NULL) {
        int width = 0;
        if (line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        if (!read_width(line, &width)) {
            line[strcspn(line, "\r\n")] = '\0';
            fprintf(stderr, "main: expected a width, 1 to %d, got \"%s\"\n", (int)WIDTH_MAXIMUM,
                    line);
            return EXIT_FAILURE;
        }
        launch_width(kernel, width);
    }
    return ferror(stdin) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int mode_print(void)
{
    fflush(NULL);
    printOccupancy();
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Multiplies with the simple kernel; positive: the magnitudes. */
static float *simple_new(int width, int edge, bool positive)
{
    const struct matrices on_device = matrices_new(width, edge, positive);
    launch(SIMPLE, on_device);
    check(cudaGetLastError(), "launch of the simple kernel");
    check(cudaDeviceSynchronize(), "the simple kernel");
    float *values = result_new(on_device);
    matrices_free(on_device);
    return values;
}

/* Compares every element with the simple kernel's and prints the first that differs. */
static bool results_agree(struct matrices on_device)
{
    const size_t width = (size_t)on_device.width;
    float *got = result_new(on_device);
    float *expected = simple_new(on_device.width, on_device.edge, false);
    float *magnitudes = simple_new(on_device.width, on_device.edge, true);
    size_t wrong = 0;
    size_t first = 0;
    for (size_t i = 0; i < width * width; i++) {
        /* Written so that NaN counts as wrong. */
        if (!(fabsf(got[i] - expected[i]) <= TOLERANCE * magnitudes[i])) {
            first = wrong == 0 ? i : first;
            wrong++;
        }
    }
    if (wrong > 0) {
        printf("Wrong: %zu of %zu elements differ from the simple kernel's.\n", wrong,
               width * width);
        printf("  first: row %zu, column %zu: expected %g, got %g%s\n", first / width,
               first % width, expected[first], got[first],
               isnan(got[first]) ? " (never written?)" : "");
    }
    free(got);
    free(expected);
    free(magnitudes);
    return wrong == 0;
}

/* Milliseconds of one launch, on average over several after a first one that does not count. */
static float launch_ms(enum kernel kernel, struct matrices on_device)
{
    cudaEvent_t begin, end;
    float span_ms = 0.0f;
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    for (int i = 0; i <= TIMED_LAUNCHES; i++) {
        if (i == 1) {
            check(cudaEventRecord(begin), "cudaEventRecord");
        }
        launch(kernel, on_device);
    }
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "the timed launches");
    check(cudaEventElapsedTime(&span_ms, begin, end), "cudaEventElapsedTime");
    check(cudaEventDestroy(begin), "cudaEventDestroy");
    check(cudaEventDestroy(end), "cudaEventDestroy");
    return span_ms / TIMED_LAUNCHES;
}

static int mode_by_hand(int width)
{
    const int edge = checked_edge();
    printf("%d x %d matrices, tiles of %d x %d\n", width, width, edge, edge);
    fflush(NULL);
    printOccupancy();
    if (width % edge != 0) {
        printf("The width is not a multiple of the tile width.\n");
        return EXIT_FAILURE;
    }
    const struct matrices on_device = matrices_new(width, edge, false);
    launch(EXERCISE, on_device);
    if (!launch_accepted(width)) {
        return EXIT_FAILURE;
    }
    check(cudaDeviceSynchronize(), "the kernel");
    const bool agree = results_agree(on_device);
    if (agree) {
        const float simple_ms = launch_ms(SIMPLE, on_device);
        const float exercise_ms = launch_ms(EXERCISE, on_device);
        printf("Right: all %zu elements agree with the simple kernel's.\n", element_count(width));
        printf("  simple %.3f ms, yours %.3f ms, speedup %.2f\n", simple_ms, exercise_ms,
               simple_ms / exercise_ms);
    }
    matrices_free(on_device);
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    int width = 1024;
    if (argc == 2 && strcmp(argv[1], "launch") == 0) {
        return mode_widths(EXERCISE);
    }
    if (argc == 2 && strcmp(argv[1], "simple") == 0) {
        return mode_widths(SIMPLE);
    }
    if (argc == 2 && strcmp(argv[1], "print") == 0) {
        return mode_print();
    }
    if (argc == 1 || (argc == 2 && read_width(argv[1], &width))) {
        return mode_by_hand(width);
    }
    fprintf(stderr, "usage: %s [launch | simple | print | width]\n", argv[0]);
    return 2;
}
