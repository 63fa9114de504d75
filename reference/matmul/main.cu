/* main.cu: the program around an exercise. It is built once for each, with -DEXERCISE=1 or 2.
 *
 *   PROGRAM launch    reads shapes "a_height a_width b_width", one a line, until the input ends;
 *                     launches the exercise once for each. A launch that the device refuses is
 *                     reported, and the next shape follows; after any other error nothing runs
 *                     on the device any more, so the program ends with status 1
 *   PROGRAM naive     the same with the naive kernel in place of the exercise
 *   PROGRAM print     what the exercise prints; exercise 2: then the bytes that requiredSM gives
 *   PROGRAM [a_height a_width b_width]
 *                     by hand: compares with the naive kernel and measures the speedup
 *
 * Output is flushed before any part of the exercise runs, so that a crash there loses nothing.
 */
#include "gpugrade.h"
#include "matmul.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(EXERCISE) || (EXERCISE != 1 && EXERCISE != 2)
#error "build main.cu with -DEXERCISE=1 or -DEXERCISE=2"
#endif

enum { SIZE_MAXIMUM = 1 << 20, ELEMENTS_MAXIMUM = 1 << 28, THREADS_MAXIMUM = 1024, WARP = 32 };
enum { TIMED_LAUNCHES = 20 };

/* How far a sum of products may be off, in units of 2^-24 times the sum of their magnitudes. */
static const float TOLERANCE = 16.0f / 16777216.0f;

/* The matrices of one shape on the device. */
struct matrices {
    float *A, *B, *C;
};

static size_t a_count(struct matmul_shape shape)
{
    return (size_t)shape.a_height * (size_t)shape.a_width;
}

static size_t b_count(struct matmul_shape shape)
{
    return (size_t)shape.a_width * (size_t)shape.b_width;
}

static size_t c_count(struct matmul_shape shape)
{
    return (size_t)shape.a_height * (size_t)shape.b_width;
}

static void launch_exercise(struct matrices on_device, struct matmul_shape shape)
{
    fflush(NULL);
#if EXERCISE == 1
    launchTiled(on_device.A, on_device.B, on_device.C, shape);
#else
    launchDynamic(on_device.A, on_device.B, on_device.C, shape);
#endif
}

static void launch_either(bool naive, struct matrices on_device, struct matmul_shape shape)
{
    if (naive) {
        launchNaive(on_device.A, on_device.B, on_device.C, shape);
    } else {
        launch_exercise(on_device, shape);
    }
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

/* Reports what the launch itself was refused for, e.g. too large a block; false if it was. */
static bool launch_accepted(struct matmul_shape shape)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) {
        return true;
    }
    fprintf(stderr, "main: launch for A %dx%d, B %dx%d: %s (%s)\n", shape.a_height, shape.a_width,
            shape.a_width, shape.b_width, cudaGetErrorName(error), cudaGetErrorString(error));
    return false;
}

static bool shape_is_valid(struct matmul_shape shape)
{
    const int sizes[3] = {shape.a_height, shape.a_width, shape.b_width};
    for (int i = 0; i < 3; i++) {
        if (sizes[i] < 1 || sizes[i] > SIZE_MAXIMUM) {
            return false;
        }
    }
    return a_count(shape) <= ELEMENTS_MAXIMUM && b_count(shape) <= ELEMENTS_MAXIMUM &&
           c_count(shape) <= ELEMENTS_MAXIMUM;
}

/* Reads one whole number and moves *text past it. */
static bool read_size(const char **text, int *out_size)
{
    char *end = NULL;
    const long value = strtol(*text, &end, 10);
    if (end == *text || value < 1 || value > SIZE_MAXIMUM) {
        return false;
    }
    *text = end;
    *out_size = (int)value;
    return true;
}

/* Reads "a_height a_width b_width"; only blanks may follow. */
static bool read_shape(const char *text, struct matmul_shape *out_shape)
{
    struct matmul_shape shape = {0, 0, 0};
    if (!read_size(&text, &shape.a_height) || !read_size(&text, &shape.a_width) ||
        !read_size(&text, &shape.b_width)) {
        return false;
    }
    if (text[strspn(text, " \t\r\n")] != '\0' || !shape_is_valid(shape)) {
        return false;
    }
    *out_shape = shape;
    return true;
}

/* Values in [-1, 1) with 24 bits each, the same in every run. */
static void fill(float *values, size_t count, uint32_t seed)
{
    uint32_t state = seed;
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        values[i] = (float)((int32_t)state >> 8) / 8388608.0f;
    }
}

static float *host_new(size_t count)
{
    float *values = (float *)malloc(count * sizeof *values);
    if (values == NULL) {
        fprintf(stderr, "main: no memory for %zu floats\n", count);
        exit(EXIT_FAILURE);
    }
    return values;
}

/* Allocates a matrix on the device and fills it; positive: with the magnitudes only. */
static float *device_new(size_t count, uint32_t seed, bool positive)
{
    float *values = host_new(count);
    fill(values, count, seed);
    for (size_t i = 0; positive && i < count; i++) {
        values[i] = fabsf(values[i]);
    }
    float *on_device = NULL;
    check(cudaMalloc((void **)&on_device, count * sizeof *values), "cudaMalloc");
    check(cudaMemcpy(on_device, values, count * sizeof *values, cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
    free(values);
    return on_device;
}

static float *blank_new(size_t count)
{
    float *on_device = NULL;
    check(cudaMalloc((void **)&on_device, count * sizeof *on_device), "cudaMalloc");
    return on_device;
}

/* Makes A and B of random values, or of their magnitudes, and C of NaN: all bits set. */
static struct matrices matrices_new(struct matmul_shape shape, bool positive)
{
    struct matrices made = {NULL, NULL, NULL};
    made.A = device_new(a_count(shape), 0x9e3779b9u, positive);
    made.B = device_new(b_count(shape), 0x85ebca6bu, positive);
    made.C = blank_new(c_count(shape));
    check(cudaMemset(made.C, 0xff, c_count(shape) * sizeof(float)), "cudaMemset");
    return made;
}

static void matrices_free(struct matrices matrices)
{
    check(cudaFree(matrices.A), "cudaFree");
    check(cudaFree(matrices.B), "cudaFree");
    check(cudaFree(matrices.C), "cudaFree");
}

/* One call that is judged: the grader fills the matrices. */
static void launch_shape(bool naive, struct matmul_shape shape)
{
    const struct matrices on_device = {blank_new(a_count(shape)), blank_new(b_count(shape)),
                                       blank_new(c_count(shape))};
    gpugrade_begin(naive ? "launchNaive" : EXERCISE == 1 ? "launchTiled" : "launchDynamic");
    gpugrade_operand("A", on_device.A);
    gpugrade_operand("B", on_device.B);
    gpugrade_operand("C", on_device.C);
#if EXERCISE == 2
    (void)chooseBlockSize();
#endif
    launch_either(naive, on_device, shape);
    gpugrade_end();
    (void)launch_accepted(shape);
    check(cudaDeviceSynchronize(), "the kernel");
    matrices_free(on_device);
}

/* Launches once for each shape that the input names. */
static int mode_shapes(bool naive)
{
    char line[128];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        struct matmul_shape shape;
        if (!read_shape(line, &shape)) {
            line[strcspn(line, "\r\n")] = '\0';
            fprintf(stderr,
                    "main: expected \"a_height a_width b_width\", each 1 to %d, got \"%s\"\n",
                    (int)SIZE_MAXIMUM, line);
            return EXIT_FAILURE;
        }
        launch_shape(naive, shape);
    }
    return ferror(stdin) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int mode_print(void)
{
    fflush(NULL);
#if EXERCISE == 1
    printOccupancy();
#else
    (void)chooseBlockSize();
    for (int threads = WARP; threads <= THREADS_MAXIMUM; threads += WARP) {
        fflush(NULL);
        const int bytes = requiredSM(threads);
        printf("requiredSM(%d) = %d\n", threads, bytes);
    }
#endif
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Copies C to the host. */
static float *result_new(struct matrices on_device, struct matmul_shape shape)
{
    float *values = host_new(c_count(shape));
    check(cudaMemcpy(values, on_device.C, c_count(shape) * sizeof *values, cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    return values;
}

/* Multiplies with the naive kernel; positive: the magnitudes. */
static float *naive_new(struct matmul_shape shape, bool positive)
{
    const struct matrices on_device = matrices_new(shape, positive);
    launchNaive(on_device.A, on_device.B, on_device.C, shape);
    check(cudaGetLastError(), "launch of the naive kernel");
    check(cudaDeviceSynchronize(), "the naive kernel");
    float *values = result_new(on_device, shape);
    matrices_free(on_device);
    return values;
}

/* Compares every element with the naive kernel's and prints the first that differs. */
static bool results_agree(struct matrices on_device, struct matmul_shape shape)
{
    float *got = result_new(on_device, shape);
    float *expected = naive_new(shape, false);
    float *magnitudes = naive_new(shape, true);
    size_t wrong = 0;
    size_t first = 0;
    for (size_t i = 0; i < c_count(shape); i++) {
        /* Written so that NaN counts as wrong. */
        if (!(fabsf(got[i] - expected[i]) <= TOLERANCE * magnitudes[i])) {
            first = wrong == 0 ? i : first;
            wrong++;
        }
    }
    if (wrong > 0) {
        printf("Wrong: %zu of %zu elements differ from the naive kernel's.\n", wrong,
               c_count(shape));
        printf("  first: row %zu, column %zu: expected %g, got %g%s\n",
               first / (size_t)shape.b_width, first % (size_t)shape.b_width, expected[first],
               got[first], isnan(got[first]) ? " (never written?)" : "");
    }
    free(got);
    free(expected);
    free(magnitudes);
    return wrong == 0;
}

/* Milliseconds of one launch, on average over several after a first one that does not count. */
static float launch_ms(bool naive, struct matrices on_device, struct matmul_shape shape)
{
    cudaEvent_t begin, end;
    float span_ms = 0.0f;
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    for (int i = 0; i <= TIMED_LAUNCHES; i++) {
        if (i == 1) {
            check(cudaEventRecord(begin), "cudaEventRecord");
        }
        launch_either(naive, on_device, shape);
    }
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "the timed launches");
    check(cudaEventElapsedTime(&span_ms, begin, end), "cudaEventElapsedTime");
    check(cudaEventDestroy(begin), "cudaEventDestroy");
    check(cudaEventDestroy(end), "cudaEventDestroy");
    return span_ms / TIMED_LAUNCHES;
}

/* Prints what the exercise prints; false if it cannot be launched yet. */
static bool prepare_exercise(struct matmul_shape shape)
{
    fflush(NULL);
#if EXERCISE == 1
    printOccupancy();
    (void)shape;
#else
    const int edge = chooseBlockSize();
    if (edge < 1) {
        printf("chooseBlockSize() returned %d: write it first (see the sheet)\n", edge);
        return false;
    }
    if (shape.a_height % edge != 0 || shape.a_width % edge != 0 || shape.b_width % edge != 0) {
        printf("The sizes are not multiples of the block width %d.\n", edge);
        return false;
    }
#endif
    return true;
}

static int mode_by_hand(struct matmul_shape shape)
{
    printf("Exercise %d: A %d x %d, B %d x %d\n", EXERCISE, shape.a_height, shape.a_width,
           shape.a_width, shape.b_width);
    if (!prepare_exercise(shape)) {
        return EXIT_FAILURE;
    }
    const struct matrices on_device = matrices_new(shape, false);
    launch_exercise(on_device, shape);
    if (!launch_accepted(shape)) {
        return EXIT_FAILURE;
    }
    check(cudaDeviceSynchronize(), "the kernel");
    const bool agree = results_agree(on_device, shape);
    if (agree) {
        const float naive_ms = launch_ms(true, on_device, shape);
        const float exercise_ms = launch_ms(false, on_device, shape);
        printf("Right: all %zu elements agree with the naive kernel's.\n", c_count(shape));
        printf("  naive %.3f ms, yours %.3f ms, speedup %.2f\n", naive_ms, exercise_ms,
               naive_ms / exercise_ms);
    }
    matrices_free(on_device);
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool shape_from_words(char **words, struct matmul_shape *out_shape)
{
    char text[128];
    const int length = snprintf(text, sizeof text, "%s %s %s", words[0], words[1], words[2]);
    return length > 0 && (size_t)length < sizeof text && read_shape(text, out_shape);
}

int main(int argc, char **argv)
{
    struct matmul_shape shape = {1024, 512, 2048};
    if (argc == 2 && strcmp(argv[1], "launch") == 0) {
        return mode_shapes(false);
    }
    if (argc == 2 && strcmp(argv[1], "naive") == 0) {
        return mode_shapes(true);
    }
    if (argc == 2 && strcmp(argv[1], "print") == 0) {
        return mode_print();
    }
    if (argc == 1 || (argc == 4 && shape_from_words(argv + 1, &shape))) {
        return mode_by_hand(shape);
    }
    fprintf(stderr, "usage: %s [launch | naive | print | a_height a_width b_width]\n", argv[0]);
    return 2;
}
