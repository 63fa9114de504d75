/* harness.cuh: what the programs around exercises have in common: arrays, checks, and a main().
 *
 *   PROGRAM call NAME    reads lines of whole numbers, one line a call, until the input ends, and
 *                        calls the exercise NAME once for each; what is judged needs no more
 *   PROGRAM [NUMBER...]  by hand: calls each exercise with these numbers, compares what it gives
 *                        with the host's result, and says how long it took
 *
 * It needs nothing but the CUDA runtime, so a harness works by plain nvcc too. After an error of
 * the runtime a program ends with status 1: nothing runs on a broken device. Output is flushed
 * before a call, so that a crash there loses nothing.
 */
#ifndef GPUGRADE_HARNESS_CUH
#define GPUGRADE_HARNESS_CUH

#include "gpugrade.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace harness {

inline void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        fflush(stdout);
        fprintf(stderr, "main: %s: %s (%s)\n", what, cudaGetErrorName(error),
                cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}

/* After a call: a launch that was refused, then what went wrong on the device. */
inline void finish(const char *what)
{
    check(cudaGetLastError(), what);
    check(cudaDeviceSynchronize(), what);
}

/* An array in device memory, a whole allocation, and its values on the host. */
template <typename T> class array {
public:
    explicit array(size_t count) : count_(count)
    {
        void *made = nullptr;
        check(cudaMalloc(&made, count * sizeof(T)), "cudaMalloc");
        values_ = static_cast<T *>(made);
    }
    array(const array &) = delete;
    array &operator=(const array &) = delete;
    ~array()
    {
        check(cudaFree(values_), "cudaFree");
    }
    operator T *() const
    {
        return values_;
    }
    /* Writes as many values as are given. */
    void set(const std::vector<T> &values)
    {
        check(cudaMemcpy(values_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
              "cudaMemcpy to the device");
    }
    std::vector<T> get() const
    {
        std::vector<T> values(count_);
        check(cudaMemcpy(values.data(), values_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
              "cudaMemcpy from the device");
        return values;
    }

private:
    T *values_;
    size_t count_;
};

/* Whole numbers from low to high, the same in every run. */
template <typename T> std::vector<T> numbers(size_t count, long low, long high)
{
    static uint32_t state = 0x9e3779b9u;
    std::vector<T> values(count);
    for (T &value : values) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        value = static_cast<T>(low + (long)(state % (uint64_t)(high - low + 1)));
    }
    return values;
}

/* True if no value differs from what is expected by more than the tolerance; else it prints the
 * first that does, as element (row, column) where there are several columns. NaN is wrong. */
template <typename T>
bool is_right(const char *name, const std::vector<T> &values, const std::vector<T> &expected,
              double tolerance = 0.0, size_t columns = 0)
{
    size_t wrong = 0;
    for (size_t i = 0; i < expected.size(); i++) {
        const double got = static_cast<double>(values[i]);
        const double want = static_cast<double>(expected[i]);
        if (std::fabs(got - want) <= tolerance || wrong++ > 0) {
            continue;
        }
        if (columns > 0) {
            printf("%s(%zu, %zu)", name, i / columns, i % columns);
        } else {
            printf("%s[%zu]", name, i);
        }
        printf(": expected %g, got %g\n", want, got);
    }
    if (wrong == 0) {
        printf("%s: right, all %zu elements\n", name, expected.size());
    } else {
        printf("%s: WRONG, %zu of %zu elements\n", name, wrong, expected.size());
    }
    return wrong == 0;
}

/* Prints how long a call takes, the median of ten, and the rate at which it moves these bytes. */
template <typename Call> void print_time(const char *name, double bytes, Call call)
{
    std::vector<float> taken(10);
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    for (float &milliseconds : taken) {
        check(cudaEventRecord(begin), "cudaEventRecord");
        call();
        check(cudaEventRecord(end), "cudaEventRecord");
        finish(name);
        check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    }
    std::sort(taken.begin(), taken.end());
    const double milliseconds = taken[taken.size() / 2];
    printf("%s: %.3f ms, %.1f GB/s\n", name, milliseconds, bytes / milliseconds / 1e6);
    check(cudaEventDestroy(begin), "cudaEventDestroy");
    check(cudaEventDestroy(end), "cudaEventDestroy");
}

/* One exercise. `usual` holds the numbers of a call by hand that gives none; `run` makes one call
 * with its numbers, and by hand checks what it gives: false, it is wrong. */
struct exercise {
    const char *name;
    std::vector<int> usual;
    bool (*run)(const int *numbers, bool by_hand);
};

/* Reads as many numbers as a call takes; false at the end of the input. */
inline bool read_line(std::vector<int> &numbers)
{
    for (size_t i = 0; i < numbers.size(); i++) {
        if (scanf("%d", &numbers[i]) != 1) {
            if (i > 0) {
                fprintf(stderr, "main: a call takes %zu numbers\n", numbers.size());
                exit(EXIT_FAILURE);
            }
            return false;
        }
    }
    return true;
}

inline int main_of(int argc, char **argv, const std::vector<exercise> &exercises)
{
    const bool by_hand = argc != 3 || strcmp(argv[1], "call") != 0;
    bool all_right = true;
    for (const exercise &one : exercises) {
        std::vector<int> numbers = one.usual;
        if (!by_hand && strcmp(argv[2], one.name) == 0) {
            while (read_line(numbers)) {
                fflush(nullptr);
                one.run(numbers.data(), false);
            }
            return EXIT_SUCCESS;
        }
        if (!by_hand) {
            continue;
        }
        if (argc > 1 && (size_t)argc != numbers.size() + 1) {
            fprintf(stderr, "usage: %s [call NAME | %zu numbers]\n", argv[0], numbers.size());
            return 2;
        }
        for (int i = 1; i < argc; i++) {
            numbers[(size_t)i - 1] = atoi(argv[i]);
        }
        fflush(nullptr);
        all_right = one.run(numbers.data(), true) && all_right;
    }
    if (!by_hand) {
        fprintf(stderr, "main: there is no exercise %s\n", argv[2]);
        return 2;
    }
    return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace harness

#endif
