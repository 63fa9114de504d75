/* main.cu: the program around the exercise.
 *
 *   PROGRAM call NAME              reads lines "width height steps" and calls NAME once for each:
 *                                  heat, the exercise, or naiveHeat
 *   PROGRAM [width height steps]   by hand: compares the result with the host's, and measures
 */
#include "harness.cuh"
#include "heat.h"

using harness::array;

/* naive.cu */
void naiveHeat(float *d_a, float *d_b, int width, int height, int steps);

/* The same steps on the host. */
static std::vector<float> heated(std::vector<float> field, int width, int height, int steps)
{
    std::vector<float> next = field;
    for (int step = 0; step < steps; step++) {
        for (int y = 1; y < height - 1; y++) {
            for (int x = 1; x < width - 1; x++) {
                const size_t i = (size_t)y * width + x;
                next[i] =
                    0.25f * (field[i - width] + field[i + width] + field[i - 1] + field[i + 1]);
            }
        }
        std::swap(field, next);
    }
    return field;
}

static bool call(const char *name, void (*heat_up)(float *, float *, int, int, int),
                 const int *numbers, bool by_hand)
{
    const int width = numbers[0], height = numbers[1], steps = numbers[2];
    const size_t count = (size_t)width * height;
    array<float> a(count), b(count);
    const std::vector<float> before = harness::numbers<float>(by_hand ? count : 0, -1000, 1000);
    a.set(before);
    gpugrade_begin(name);
    gpugrade_operand("d_a", a);
    gpugrade_operand("d_b", b);
    heat_up(a, b, width, height, steps);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    const bool is_right = harness::is_right(name, a.get(), heated(before, width, height, steps),
                                            1e-5 * 1000, (size_t)width);
    harness::print_time(name, 8.0 * count * steps, [&] { heat_up(a, b, width, height, steps); });
    return is_right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call("heat", heat, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call("naiveHeat", naiveHeat, numbers, by_hand);
}

int main(int argc, char **argv)
{
    const std::vector<int> usual = {2000, 1000, 101};
    return harness::main_of(argc, argv, {{"heat", usual, exercise}, {"naiveHeat", usual, naive}});
}
