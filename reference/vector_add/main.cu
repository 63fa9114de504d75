/* main.cu: the program around an exercise. It is built once for each, with -DEXERCISE=1 or 2.
 *
 *   PROGRAM call NAME    reads lines "n eighths" and calls NAME once for each: the exercise, or its
 *                        naive version; alpha is eighths / 8
 *   PROGRAM [n eighths]  by hand: compares the result with the host's, and measures
 */
#include "harness.cuh"
#include "vector_add.h"

using harness::array;

/* naive.cu */
void naiveAdd(const float *d_a, const float *d_b, float *d_c, int n);
void naiveSaxpy(float alpha, const float *d_x, float *d_y, int n);

#if EXERCISE == 1
static bool call(const char *name, void (*add)(const float *, const float *, float *, int),
                 const int *numbers, bool by_hand)
{
    const int n = numbers[0];
    array<float> a(n), b(n), c(n);
    const std::vector<float> x = harness::numbers<float>(by_hand ? n : 0, -1000, 1000);
    const std::vector<float> y = harness::numbers<float>(by_hand ? n : 0, -1000, 1000);
    a.set(x);
    b.set(y);
    gpugrade_begin(name);
    gpugrade_operand("d_a", a);
    gpugrade_operand("d_b", b);
    gpugrade_operand("d_c", c);
    add(a, b, c, n);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    std::vector<float> expected(n);
    for (int i = 0; i < n; i++) {
        expected[i] = x[i] + y[i];
    }
    const bool is_right = harness::is_right("c", c.get(), expected);
    harness::print_time(name, 12.0 * n, [&] { add(a, b, c, n); });
    return is_right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call("addVectors", addVectors, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call("naiveAdd", naiveAdd, numbers, by_hand);
}
#else
static bool call(const char *name, void (*scale)(float, const float *, float *, int),
                 const int *numbers, bool by_hand)
{
    const int n = numbers[0];
    const float alpha = numbers[1] / 8.0f;
    array<float> x(n), y(n);
    const std::vector<float> x_before = harness::numbers<float>(by_hand ? n : 0, -1000, 1000);
    const std::vector<float> y_before = harness::numbers<float>(by_hand ? n : 0, -1000, 1000);
    x.set(x_before);
    y.set(y_before);
    gpugrade_begin(name);
    gpugrade_operand("d_x", x);
    gpugrade_operand("d_y", y);
    scale(alpha, x, y, n);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    std::vector<float> expected(n);
    for (int i = 0; i < n; i++) {
        expected[i] = alpha * x_before[i] + y_before[i];
    }
    const bool is_right = harness::is_right("y", y.get(), expected);
    harness::print_time(name, 12.0 * n, [&] { scale(alpha, x, y, n); });
    return is_right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call("saxpy", saxpy, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call("naiveSaxpy", naiveSaxpy, numbers, by_hand);
}
#endif

int main(int argc, char **argv)
{
    return harness::main_of(
        argc, argv, {{"exercise", {1 << 22, 20}, exercise}, {"naive", {1 << 22, 20}, naive}});
}
