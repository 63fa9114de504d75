/* main.cu: the program around an exercise. It is built once for each, with -DEXERCISE=1 or 2.
 *
 *   PROGRAM call NAME               reads lines "width height radius" and calls NAME once for each:
 *                                   the exercise, or its naive version; gray values need no radius
 *   PROGRAM [width height radius]   by hand: compares the result with the host's, and measures
 */
#include "harness.cuh"
#include "image.h"

using harness::array;

typedef std::vector<unsigned char> bytes;

/* naive.cu */
void naiveGrayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height);
void naiveBoxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height,
                  int radius);

#if EXERCISE == 1
static bool call(const char *name,
                 void (*convert)(const unsigned char *, unsigned char *, int, int),
                 const int *numbers, bool by_hand)
{
    const int width = numbers[0], height = numbers[1];
    const size_t pixels = (size_t)width * height;
    array<unsigned char> rgb(3 * pixels), gray(pixels);
    const bytes image = harness::numbers<unsigned char>(by_hand ? 3 * pixels : 0, 0, 255);
    rgb.set(image);
    gpugrade_begin(name);
    gpugrade_operand("d_rgb", rgb);
    gpugrade_operand("d_gray", gray);
    convert(rgb, gray, width, height);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    bytes expected(pixels);
    for (size_t i = 0; i < pixels; i++) {
        expected[i] = (unsigned char)std::lround(0.299 * image[3 * i] + 0.587 * image[3 * i + 1] +
                                                 0.114 * image[3 * i + 2]);
    }
    const bool is_right = harness::is_right(name, gray.get(), expected, 1.0, width);
    harness::print_time(name, 4.0 * pixels, [&] { convert(rgb, gray, width, height); });
    return is_right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call("grayscale", grayscale, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call("naiveGrayscale", naiveGrayscale, numbers, by_hand);
}
#else
static bytes expect(const bytes &in, int width, int height, int radius)
{
    bytes out(in.size());
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            long sum = 0, count = 0;
            for (int i = std::max(0, y - radius); i <= std::min(height - 1, y + radius); i++) {
                for (int j = std::max(0, x - radius); j <= std::min(width - 1, x + radius); j++) {
                    sum += in[(size_t)i * width + j];
                    count++;
                }
            }
            out[(size_t)y * width + x] = (unsigned char)(sum / count);
        }
    }
    return out;
}

static bool call(const char *name,
                 void (*blur)(const unsigned char *, unsigned char *, int, int, int),
                 const int *numbers, bool by_hand)
{
    const int width = numbers[0], height = numbers[1], radius = numbers[2];
    const size_t pixels = (size_t)width * height;
    array<unsigned char> in(pixels), out(pixels);
    const bytes image = harness::numbers<unsigned char>(by_hand ? pixels : 0, 0, 255);
    in.set(image);
    gpugrade_begin(name);
    gpugrade_operand("d_in", in);
    gpugrade_operand("d_out", out);
    blur(in, out, width, height, radius);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    const bool is_right =
        harness::is_right(name, out.get(), expect(image, width, height, radius), 1.0, width);
    harness::print_time(name, 2.0 * pixels, [&] { blur(in, out, width, height, radius); });
    return is_right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call("boxBlur", boxBlur, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call("naiveBoxBlur", naiveBoxBlur, numbers, by_hand);
}
#endif

int main(int argc, char **argv)
{
    return harness::main_of(
        argc, argv, {{"exercise", {4000, 3000, 8}, exercise}, {"naive", {4000, 3000, 8}, naive}});
}
