/* main.cu: the program around the exercise.
 *
 *   PROGRAM call NAME    reads lines "m n k" and calls NAME once for each: the exercise, or its
 *                        naive version
 *   PROGRAM [m n k]      by hand: compares the products with the host's, and measures
 */
#include "harness.cuh"
#include "matmul_tensor.h"

using harness::array;

/* naive.cu */
void naiveMultiply(const half *d_a, const half *d_b, float *d_c, int m, int n, int k);

/* Small whole numbers, so that every sum is exact in float. */
static std::vector<half> small_numbers(size_t count)
{
    std::vector<half> values;
    for (const float number : harness::numbers<float>(count, -8, 8)) {
        values.push_back(__float2half(number));
    }
    return values;
}

static bool is_right(const std::vector<half> &a, const std::vector<half> &b,
                     const std::vector<float> &c, size_t n, size_t k)
{
    std::vector<float> expected(c.size());
    for (size_t i = 0; i < c.size(); i++) {
        for (size_t j = 0; j < k; j++) {
            expected[i] += __half2float(a[i / n * k + j]) * __half2float(b[j * n + i % n]);
        }
    }
    return harness::is_right("c", c, expected, 0.0, n);
}

static bool call(const char *name,
                 void (*product)(const half *, const half *, float *, int, int, int),
                 const int *numbers, bool by_hand)
{
    const int m = numbers[0], n = numbers[1], k = numbers[2];
    if (m < 16 || n < 16 || k < 16 || m % 16 != 0 || n % 16 != 0 || k % 16 != 0) {
        fprintf(stderr, "main: m, n and k are multiples of 16\n");
        exit(2);
    }
    array<half> a((size_t)m * k);
    array<half> b((size_t)k * n);
    array<float> c((size_t)m * n);
    std::vector<half> a_values, b_values;
    if (by_hand) {
        a_values = small_numbers((size_t)m * k);
        b_values = small_numbers((size_t)k * n);
        a.set(a_values);
        b.set(b_values);
    }
    gpugrade_begin(name);
    gpugrade_operand("d_a", a);
    gpugrade_operand("d_b", b);
    gpugrade_operand("d_c", c);
    product(a, b, c, m, n, k);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    printf("%s: %d x %d x %d\n", name, m, n, k);
    const bool right = is_right(a_values, b_values, c.get(), n, k);
    harness::print_time(name, 2.0 * m * k + 2.0 * k * n + 4.0 * m * n,
                        [&] { product(a, b, c, m, n, k); });
    return right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call("multiply", multiply, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call("naiveMultiply", naiveMultiply, numbers, by_hand);
}

int main(int argc, char **argv)
{
    return harness::main_of(
        argc, argv, {{"exercise", {512, 512, 512}, exercise}, {"naive", {512, 512, 512}, naive}});
}
