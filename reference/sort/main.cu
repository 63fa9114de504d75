/* main.cu: the program around the exercise.
 *
 *   PROGRAM call sortKeys   reads sizes, one a line, and calls the exercise once for each
 *   PROGRAM [n]             by hand: compares the result with the host's, and measures
 */
#include "harness.cuh"
#include "sort.h"

using harness::array;

/* Keys with random bits in all places. */
static std::vector<unsigned int> random_keys(size_t count)
{
    std::vector<unsigned int> keys = harness::numbers<unsigned int>(count, 0, 0xffff);
    const std::vector<unsigned int> low = harness::numbers<unsigned int>(count, 0, 0xffff);
    for (size_t i = 0; i < count; i++) {
        keys[i] = keys[i] << 16 | low[i];
    }
    return keys;
}

static bool exercise(const int *numbers, bool by_hand)
{
    const int n = numbers[0];
    array<unsigned int> keys(n);
    std::vector<unsigned int> expected = random_keys(by_hand ? n : 0);
    keys.set(expected);
    gpugrade_begin("sortKeys");
    gpugrade_operand("d_keys", keys);
    sortKeys(keys, n);
    gpugrade_end();
    harness::finish("sortKeys");
    if (!by_hand) {
        return true;
    }
    const std::vector<unsigned int> unsorted = expected;
    std::sort(expected.begin(), expected.end());
    const bool is_right = harness::is_right("keys", keys.get(), expected);
    harness::print_time("copy and sortKeys", 8.0 * n, [&] {
        keys.set(unsorted);
        sortKeys(keys, n);
    });
    return is_right;
}

int main(int argc, char **argv)
{
    return harness::main_of(argc, argv, {{"sortKeys", {1 << 16}, exercise}});
}
