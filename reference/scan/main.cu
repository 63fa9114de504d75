/* main.cu: the program around the exercise.
 *
 *   PROGRAM call NAME   reads sizes, one a line, and calls NAME once for each: exclusiveScan,
 *                       compactPositive, or one of their naive versions, naiveScan and naiveCompact
 *   PROGRAM [n]         by hand: compares each result with the host's, and measures
 */
#include "harness.cuh"
#include "scan.h"

using harness::array;

/* naive.cu */
void naiveScan(const int *d_in, int *d_out, int n);
void naiveCompact(const int *d_in, int n, int *d_out, int *d_count);

static bool call_scan(const char *name, void (*scan)(const int *, int *, int), int n, bool by_hand)
{
    array<int> in(n), out(n);
    const std::vector<int> values = harness::numbers<int>(by_hand ? n : 0, -1000, 1000);
    in.set(values);
    gpugrade_begin(name);
    gpugrade_operand("d_in", in);
    gpugrade_operand("d_out", out);
    scan(in, out, n);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    std::vector<int> expected(n);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        expected[i] = sum;
        sum += values[i];
    }
    const bool is_right = harness::is_right("d_out", out.get(), expected);
    harness::print_time(name, 8.0 * n, [&] { scan(in, out, n); });
    return is_right;
}

static bool call_compact(const char *name, void (*compact)(const int *, int, int *, int *), int n,
                         bool by_hand)
{
    array<int> in(n), out(n), count(1);
    const std::vector<int> values = harness::numbers<int>(by_hand ? n : 0, -1000, 1000);
    in.set(values);
    gpugrade_begin(name);
    gpugrade_operand("d_in", in);
    gpugrade_operand("d_count", count);
    gpugrade_operand("d_out", out);
    compact(in, n, out, count);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    std::vector<int> expected;
    for (const int value : values) {
        if (value > 0) {
            expected.push_back(value);
        }
    }
    bool is_right = harness::is_right("d_count", count.get(), {(int)expected.size()});
    is_right = harness::is_right("d_out", out.get(), expected) && is_right;
    harness::print_time(name, 4.0 * n + 4.0 * expected.size(), [&] { compact(in, n, out, count); });
    return is_right;
}

static bool exclusive_scan(const int *numbers, bool by_hand)
{
    return call_scan("exclusiveScan", exclusiveScan, numbers[0], by_hand);
}

static bool naive_scan(const int *numbers, bool by_hand)
{
    return call_scan("naiveScan", naiveScan, numbers[0], by_hand);
}

static bool compact_positive(const int *numbers, bool by_hand)
{
    return call_compact("compactPositive", compactPositive, numbers[0], by_hand);
}

static bool naive_compact(const int *numbers, bool by_hand)
{
    return call_compact("naiveCompact", naiveCompact, numbers[0], by_hand);
}

int main(int argc, char **argv)
{
    const std::vector<int> usual = {1 << 20};
    return harness::main_of(argc, argv,
                            {{"exclusiveScan", usual, exclusive_scan},
                             {"naiveScan", usual, naive_scan},
                             {"compactPositive", usual, compact_positive},
                             {"naiveCompact", usual, naive_compact}});
}
