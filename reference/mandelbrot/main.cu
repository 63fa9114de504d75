/* main.cu: the program around the exercise.
 *
 *   PROGRAM call NAME   reads lines "width height x y across down limit" and calls NAME once for
 *                       each: the exercise, or its naive version. The numbers are whole; c runs from
 *                       (x, y) to (x + across, y + down), in thousandths
 *   PROGRAM [width height x y across down limit]
 *                       by hand: compares the counts with the host's, and measures
 */
#include "harness.cuh"
#include "mandelbrot.h"

using harness::array;

/* naive.cu */
void naiveMandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                     int limit);

typedef void mandelbrot_function(int *, int, int, float, float, float, float, int);

/* The part of the plane that an image shows. */
struct view {
    int width, height;
    float x0, y0, x1, y1;
    int limit;
};

static view view_of(const int *numbers)
{
    return {numbers[0],
            numbers[1],
            numbers[2] / 1000.0f,
            numbers[3] / 1000.0f,
            (numbers[2] + numbers[4]) / 1000.0f,
            (numbers[3] + numbers[5]) / 1000.0f,
            numbers[6]};
}

template <typename T> static int steps(const view &of, int i, int j)
{
    const T cx = of.x0 + i * ((T)of.x1 - of.x0) / of.width;
    const T cy = of.y0 + j * ((T)of.y1 - of.y0) / of.height;
    T x = 0, y = 0;
    int count = 0;
    while (count < of.limit && x * x + y * y <= 4) {
        const T next_x = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next_x;
        count++;
    }
    return count;
}

/* Near the border of the set a count depends on rounding: where float and double differ, any count
 * is right. One in a hundred of the others may be wrong, too. */
static bool is_right(const view &of, const std::vector<int> &count)
{
    size_t wrong = 0, compared = 0;
    for (int j = 0; j < of.height; j++) {
        for (int i = 0; i < of.width; i++) {
            const int expected = steps<double>(of, i, j);
            const int got = count[(size_t)j * of.width + i];
            if (expected != steps<float>(of, i, j)) {
                continue;
            }
            compared++;
            if (got != expected && wrong++ == 0) {
                printf("count(%d, %d): expected %d, got %d\n", i, j, expected, got);
            }
        }
    }
    const bool is_right = wrong <= std::max<size_t>(1, compared / 100);
    printf("count: %s, %zu of %zu pixels differ\n", is_right ? "right" : "WRONG", wrong, compared);
    return is_right;
}

static bool call(const char *name, mandelbrot_function *count_steps, const int *numbers,
                 bool by_hand)
{
    const view of = view_of(numbers);
    array<int> count((size_t)of.width * of.height);
    const auto run = [&] {
        count_steps(count, of.width, of.height, of.x0, of.y0, of.x1, of.y1, of.limit);
    };
    gpugrade_begin(name);
    gpugrade_operand("d_count", count);
    run();
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    const bool right = is_right(of, count.get());
    harness::print_time(name, 4.0 * of.width * of.height, run);
    return right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call("mandelbrot", mandelbrot, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call("naiveMandelbrot", naiveMandelbrot, numbers, by_hand);
}

int main(int argc, char **argv)
{
    const std::vector<int> usual = {2048, 2000, -2000, -1250, 2500, 2500, 256};
    return harness::main_of(argc, argv, {{"exercise", usual, exercise}, {"naive", usual, naive}});
}
