/* main.cu: the program around an exercise. It is built once for each, with -DEXERCISE=1, 2 or 3.
 *
 *   PROGRAM launch KERNEL    reads shapes "height width", one a line, until the input ends;
 *                            launches the kernel once for each. A launch that the device refuses
 *                            is reported, and the next shape follows; after any other error nothing
 *                            runs on the device any more, so the program ends with status 1
 *   PROGRAM [height width]   by hand: compares both kernels of the exercise with the host and
 *                            measures their bandwidth
 *
 * Output is flushed before any part of the exercise runs, so that a crash there loses nothing.
 */
#include "gpugrade.h"
#include "transpose.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(EXERCISE) || EXERCISE < 1 || EXERCISE > 3
#error "build main.cu with -DEXERCISE=1, -DEXERCISE=2 or -DEXERCISE=3"
#endif

enum { SIZE_MAXIMUM = 1 << 20, ELEMENTS_MAXIMUM = 1 << 28, TIMED_LAUNCHES = 20 };

/* One kernel of the exercise. */
struct task {
    const char *kernel;
    bool transposes; /* or copies */
    const char *function;
    void (*launch)(const float *d_X, float *d_Y, struct matrix_shape shape);
};

static const struct task tasks[] = {
#if EXERCISE == 1
    {"copyNaive", false, "launchCopyNaive", launchCopyNaive},
    {"transposeNaive", true, "launchTransposeNaive", launchTransposeNaive},
#elif EXERCISE == 2
    {"copyShared", false, "launchCopyShared", launchCopyShared},
    {"transposeShared", true, "launchTransposeShared", launchTransposeShared},
#else
    {"transposeRows", true, "launchTransposeRows", launchTransposeRows},
    {"transposeNoConflicts", true, "launchTransposeNoConflicts", launchTransposeNoConflicts},
#endif
};

enum { TASKS = sizeof tasks / sizeof tasks[0] };

/* The matrices of one shape on the device. */
struct matrices {
    float *X, *Y;
};

static size_t count_of(struct matrix_shape shape)
{
    return (size_t)shape.height * (size_t)shape.width;
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
static bool launch_accepted(const struct task *task, struct matrix_shape shape)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) {
        return true;
    }
    fprintf(stderr, "main: launch of %s for X %dx%d: %s (%s)\n", task->kernel, shape.height,
            shape.width, cudaGetErrorName(error), cudaGetErrorString(error));
    return false;
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

/* Reads "height width"; only blanks may follow. */
static bool read_shape(const char *text, struct matrix_shape *out_shape)
{
    struct matrix_shape shape = {0, 0};
    if (!read_size(&text, &shape.height) || !read_size(&text, &shape.width)) {
        return false;
    }
    if (text[strspn(text, " \t\r\n")] != '\0' || count_of(shape) > ELEMENTS_MAXIMUM) {
        return false;
    }
    *out_shape = shape;
    return true;
}

/* Values in [-1, 1) with 24 bits each, the same in every run. */
static void fill(float *values, size_t count)
{
    uint32_t state = 0x9e3779b9u;
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

/* Forgets what an earlier kernel wrote: NaN, all bits set. */
static void clear_result(struct matrices on_device, struct matrix_shape shape)
{
    check(cudaMemset(on_device.Y, 0xff, count_of(shape) * sizeof(float)), "cudaMemset");
}

/* Makes X of random values and Y of NaN. */
static struct matrices matrices_new(struct matrix_shape shape)
{
    const size_t bytes = count_of(shape) * sizeof(float);
    struct matrices made = {NULL, NULL};
    float *values = host_new(count_of(shape));
    fill(values, count_of(shape));
    check(cudaMalloc((void **)&made.X, bytes), "cudaMalloc");
    check(cudaMemcpy(made.X, values, bytes, cudaMemcpyHostToDevice), "cudaMemcpy to the device");
    check(cudaMalloc((void **)&made.Y, bytes), "cudaMalloc");
    clear_result(made, shape);
    free(values);
    return made;
}

static void matrices_free(struct matrices matrices)
{
    check(cudaFree(matrices.X), "cudaFree");
    check(cudaFree(matrices.Y), "cudaFree");
}

static void launch(const struct task *task, struct matrices on_device, struct matrix_shape shape)
{
    fflush(NULL);
    task->launch(on_device.X, on_device.Y, shape);
}

/* One call that is judged: the grader fills the matrices. */
static void launch_shape(const struct task *task, struct matrix_shape shape)
{
    const size_t bytes = count_of(shape) * sizeof(float);
    struct matrices on_device = {NULL, NULL};
    check(cudaMalloc((void **)&on_device.X, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&on_device.Y, bytes), "cudaMalloc");
    gpugrade_begin(task->function);
    gpugrade_operand("X", on_device.X);
    gpugrade_operand("Y", on_device.Y);
    launch(task, on_device, shape);
    gpugrade_end();
    (void)launch_accepted(task, shape);
    check(cudaDeviceSynchronize(), "the kernel");
    matrices_free(on_device);
}

/* Launches once for each shape that the input names. */
static int mode_launch(const struct task *task)
{
    char line[128];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        struct matrix_shape shape;
        if (!read_shape(line, &shape)) {
            line[strcspn(line, "\r\n")] = '\0';
            fprintf(stderr, "main: expected \"height width\", each 1 to %d, got \"%s\"\n",
                    (int)SIZE_MAXIMUM, line);
            return EXIT_FAILURE;
        }
        launch_shape(task, shape);
    }
    return ferror(stdin) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Where an element of Y comes from in X. */
static size_t source_of(const struct task *task, struct matrix_shape shape, size_t element)
{
    const size_t height = (size_t)shape.height;
    const size_t width = (size_t)shape.width;
    return task->transposes ? element % height * width + element / height : element;
}

/* Compares every element bit for bit and prints the first that differs. */
static bool result_is_right(const struct task *task, struct matrices on_device,
                            struct matrix_shape shape)
{
    const size_t count = count_of(shape);
    const size_t columns = (size_t)(task->transposes ? shape.height : shape.width);
    float *expected = host_new(count);
    float *got = host_new(count);
    size_t wrong = 0;
    size_t first = 0;
    fill(expected, count);
    check(cudaMemcpy(got, on_device.Y, count * sizeof *got, cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    for (size_t i = 0; i < count; i++) {
        const float *from = &expected[source_of(task, shape, i)];
        if (memcmp(&got[i], from, sizeof *from) != 0) {
            first = wrong == 0 ? i : first;
            wrong++;
        }
    }
    if (wrong > 0) {
        printf("  wrong: %zu of %zu elements of Y; the first is row %zu, column %zu: expected %g, "
               "got %g%s\n",
               wrong, count, first / columns, first % columns,
               expected[source_of(task, shape, first)], got[first],
               isnan(got[first]) ? " (never written?)" : "");
    }
    free(expected);
    free(got);
    return wrong == 0;
}

/* Milliseconds of one launch, or of one copy by the runtime (no task), on average over several
 * after a first one that does not count. */
static float span_ms(const struct task *task, struct matrices on_device, struct matrix_shape shape)
{
    cudaEvent_t begin, end;
    float all_ms = 0.0f;
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    for (int i = 0; i <= TIMED_LAUNCHES; i++) {
        if (i == 1) {
            check(cudaEventRecord(begin), "cudaEventRecord");
        }
        if (task != NULL) {
            launch(task, on_device, shape);
        } else {
            check(cudaMemcpyAsync(on_device.Y, on_device.X, count_of(shape) * sizeof(float),
                                  cudaMemcpyDeviceToDevice),
                  "cudaMemcpyAsync");
        }
    }
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "the timed launches");
    check(cudaEventElapsedTime(&all_ms, begin, end), "cudaEventElapsedTime");
    check(cudaEventDestroy(begin), "cudaEventDestroy");
    check(cudaEventDestroy(end), "cudaEventDestroy");
    return all_ms / TIMED_LAUNCHES;
}

/* What one launch reads and writes, in 10^9 bytes a second. */
static double gigabytes_per_second(struct matrix_shape shape, float ms)
{
    return 2.0 * (double)count_of(shape) * sizeof(float) / (1e6 * ms);
}

static bool try_by_hand(const struct task *task, struct matrices on_device,
                        struct matrix_shape shape)
{
    printf("%s\n", task->kernel);
    clear_result(on_device, shape);
    launch(task, on_device, shape);
    if (!launch_accepted(task, shape)) {
        return false;
    }
    check(cudaDeviceSynchronize(), "the kernel");
    if (!result_is_right(task, on_device, shape)) {
        return false;
    }
    const float ms = span_ms(task, on_device, shape);
    printf("  right: all %zu elements; %.3f ms, %.0f GB/s\n", count_of(shape), ms,
           gigabytes_per_second(shape, ms));
    return true;
}

static int mode_by_hand(struct matrix_shape shape)
{
    const struct matrices on_device = matrices_new(shape);
    bool all_right = true;
    printf("Exercise %d: X %d x %d\n", EXERCISE, shape.height, shape.width);
    for (int i = 0; i < TASKS; i++) {
        all_right = try_by_hand(&tasks[i], on_device, shape) && all_right;
    }
    if (all_right) {
        printf("cudaMemcpy, to compare with\n  %.0f GB/s\n",
               gigabytes_per_second(shape, span_ms(NULL, on_device, shape)));
    }
    matrices_free(on_device);
    return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const struct task *find_task(const char *kernel)
{
    for (int i = 0; i < TASKS; i++) {
        if (strcmp(tasks[i].kernel, kernel) == 0) {
            return &tasks[i];
        }
    }
    return NULL;
}

static bool shape_from_words(char **words, struct matrix_shape *out_shape)
{
    char text[128];
    const int length = snprintf(text, sizeof text, "%s %s", words[0], words[1]);
    return length > 0 && (size_t)length < sizeof text && read_shape(text, out_shape);
}

int main(int argc, char **argv)
{
    struct matrix_shape shape = {4096, 8192};
    if (argc == 3 && strcmp(argv[1], "launch") == 0 && find_task(argv[2]) != NULL) {
        return mode_launch(find_task(argv[2]));
    }
    if (argc == 1 || (argc == 3 && shape_from_words(argv + 1, &shape))) {
        return mode_by_hand(shape);
    }
    fprintf(stderr, "usage: %s [launch %s | launch %s | height width]\n", argv[0], tasks[0].kernel,
            tasks[1].kernel);
    return 2;
}
