/* main.cu: the program around an exercise. It is built once for each, with -DEXERCISE=1 or 2.
 *
 *   PROGRAM launch    reads lines until the input ends, "n" for exercise 1, "n block_size" for
 *                     exercise 2; launches the exercise once for each. A launch that the device
 *                     refuses is reported, and the next line follows; after any other error nothing
 *                     runs on the device any more, so the program ends with status 1
 *   PROGRAM [n [block_size]]
 *                     by hand: compares with the simple kernel and measures both
 *
 * Output is flushed before any part of the exercise runs, so that a crash there loses nothing.
 */
#include "adjacent_difference.h"
#include "gpugrade.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(EXERCISE) || (EXERCISE != 1 && EXERCISE != 2)
#error "build main.cu with -DEXERCISE=1 or -DEXERCISE=2"
#endif

enum { ELEMENTS_MAXIMUM = 1 << 28, THREADS_MAXIMUM = 1024, TIMED_LAUNCHES = 20 };
enum { UNWRITTEN = -1 }; /* all bits set */

/* What one line asks for. */
struct request {
    int n;
    int block_size; /* exercise 2 */
};

/* The arrays on the device. */
struct arrays {
    int *result, *input;
};

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

static void launch_exercise(struct arrays on_device, struct request request)
{
    fflush(NULL);
#if EXERCISE == 1
    launchStatic(on_device.result, on_device.input, request.n);
#else
    launchDynamic(on_device.result, on_device.input, request.n, request.block_size);
#endif
}

/* Reports what the launch itself was refused for, e.g. too large a block; false if it was. */
static bool launch_accepted(struct request request)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) {
        return true;
    }
    fprintf(stderr, "main: launch for %d elements: %s (%s)\n", request.n, cudaGetErrorName(error),
            cudaGetErrorString(error));
    return false;
}

/* Reads one whole number from 1 to `maximum` and moves *text past it. */
static bool read_number(const char **text, long maximum, int *out_number)
{
    char *end = NULL;
    const long value = strtol(*text, &end, 10);
    if (end == *text || value < 1 || value > maximum) {
        return false;
    }
    *text = end;
    *out_number = (int)value;
    return true;
}

/* Reads what a line asks for; only blanks may follow. */
static bool read_request(const char *text, struct request *out_request)
{
    struct request request = {0, 0};
    if (!read_number(&text, ELEMENTS_MAXIMUM, &request.n)) {
        return false;
    }
    if (EXERCISE == 2 && !read_number(&text, THREADS_MAXIMUM, &request.block_size)) {
        return false;
    }
    *out_request = request;
    return text[strspn(text, " \t\r\n")] == '\0';
}

static int *host_new(int count)
{
    int *values = (int *)malloc((size_t)count * sizeof *values);
    if (values == NULL) {
        fprintf(stderr, "main: no memory for %d elements\n", count);
        exit(EXIT_FAILURE);
    }
    return values;
}

/* Random values below 2^20, the same in every run. */
static int *values_new(int n)
{
    int *values = host_new(n);
    uint32_t state = 0x9e3779b9u;
    for (int i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        values[i] = (int)(state >> 12);
    }
    return values;
}

/* Makes an input of random values, and a result whose bits are all set. */
static struct arrays arrays_new(int n)
{
    const size_t bytes = (size_t)n * sizeof(int);
    struct arrays made = {NULL, NULL};
    int *values = values_new(n);
    check(cudaMalloc((void **)&made.input, bytes), "cudaMalloc");
    check(cudaMemcpy(made.input, values, bytes, cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
    check(cudaMalloc((void **)&made.result, bytes), "cudaMalloc");
    check(cudaMemset(made.result, UNWRITTEN, bytes), "cudaMemset");
    free(values);
    return made;
}

static void arrays_free(struct arrays arrays)
{
    check(cudaFree(arrays.input), "cudaFree");
    check(cudaFree(arrays.result), "cudaFree");
}

/* Copies an array to the host. */
static int *copy_new(const int *on_device, int n)
{
    int *values = host_new(n);
    check(cudaMemcpy(values, on_device, (size_t)n * sizeof *values, cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    return values;
}

/* One call that is judged: the grader fills the arrays. */
static void launch_request(struct request request)
{
    const size_t bytes = (size_t)request.n * sizeof(int);
    struct arrays on_device = {NULL, NULL};
    check(cudaMalloc((void **)&on_device.input, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&on_device.result, bytes), "cudaMalloc");
    gpugrade_begin(EXERCISE == 1 ? "launchStatic" : "launchDynamic");
    gpugrade_operand("result", on_device.result);
    gpugrade_operand("input", on_device.input);
    launch_exercise(on_device, request);
    gpugrade_end();
    (void)launch_accepted(request);
    check(cudaDeviceSynchronize(), "the kernel");
    arrays_free(on_device);
}

/* Launches once for each line of the input. */
static int mode_launch(void)
{
    char line[128];
    while (fgets(line, sizeof line, stdin) != NULL) {
        struct request request;
        if (line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        if (!read_request(line, &request)) {
            line[strcspn(line, "\r\n")] = '\0';
            fprintf(stderr, "main: expected \"%s\", got \"%s\"\n",
                    EXERCISE == 1 ? "n" : "n block_size", line);
            return EXIT_FAILURE;
        }
        launch_request(request);
    }
    return ferror(stdin) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Compares every element with the simple kernel's and prints the first that differs. */
static bool results_agree(struct arrays on_device, int n)
{
    int *got = copy_new(on_device.result, n);
    launchSimple(on_device.result, on_device.input, n);
    check(cudaGetLastError(), "launch of the simple kernel");
    check(cudaDeviceSynchronize(), "the simple kernel");
    int *expected = copy_new(on_device.result, n);
    int wrong = 0;
    int first = 0;
    for (int i = 0; i < n; i++) {
        if (got[i] != expected[i]) {
            first = wrong == 0 ? i : first;
            wrong++;
        }
    }
    if (wrong > 0) {
        printf("Wrong: %d of %d elements differ from the simple kernel's.\n", wrong, n);
        printf("  first: element %d: expected %d, got %d\n", first, expected[first], got[first]);
    }
    free(got);
    free(expected);
    return wrong == 0;
}

/* Milliseconds of one launch, on average over several after a first one that does not count. */
static float launch_ms(bool simple, struct arrays on_device, struct request request)
{
    cudaEvent_t begin, end;
    float span_ms = 0.0f;
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    for (int i = 0; i <= TIMED_LAUNCHES; i++) {
        if (i == 1) {
            check(cudaEventRecord(begin), "cudaEventRecord");
        }
        if (simple) {
            launchSimple(on_device.result, on_device.input, request.n);
        } else {
            launch_exercise(on_device, request);
        }
    }
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "the timed launches");
    check(cudaEventElapsedTime(&span_ms, begin, end), "cudaEventElapsedTime");
    check(cudaEventDestroy(begin), "cudaEventDestroy");
    check(cudaEventDestroy(end), "cudaEventDestroy");
    return span_ms / TIMED_LAUNCHES;
}

static int mode_by_hand(struct request request)
{
    printf("Exercise %d: %d elements\n", EXERCISE, request.n);
    const struct arrays on_device = arrays_new(request.n);
    launch_exercise(on_device, request);
    if (!launch_accepted(request)) {
        return EXIT_FAILURE;
    }
    check(cudaDeviceSynchronize(), "the kernel");
    const bool agree = results_agree(on_device, request.n);
    if (agree) {
        printf("Right: all %d elements agree with the simple kernel's.\n", request.n);
        printf("  simple %.4f ms, yours %.4f ms\n", launch_ms(true, on_device, request),
               launch_ms(false, on_device, request));
    }
    arrays_free(on_device);
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool request_from_words(int count, char **words, struct request *request)
{
    const char *n = count > 0 ? words[0] : "100001";
    const char *block_size = count > 1 ? words[1] : EXERCISE == 2 ? "192" : "";
    char text[128];
    const int length = snprintf(text, sizeof text, "%s %s", n, block_size);
    return length > 0 && (size_t)length < sizeof text && read_request(text, request);
}

int main(int argc, char **argv)
{
    struct request request;
    if (argc == 2 && strcmp(argv[1], "launch") == 0) {
        return mode_launch();
    }
    if (argc <= 3 && request_from_words(argc - 1, argv + 1, &request)) {
        return mode_by_hand(request);
    }
    fprintf(stderr, "usage: %s [launch | n%s]\n", argv[0], EXERCISE == 1 ? "" : " [block_size]");
    return 2;
}
