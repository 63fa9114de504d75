/* main.cu: the program around the exercise.
 *
 *   PROGRAM call NAME                      reads lines "width height radius seed", and sets a mask
 *                                          and calls NAME once for each: the exercise, or the naive
 *                                          version
 *   PROGRAM [width height radius seed]     by hand: compares the result with the host's, measures
 */
#include "convolution.h"
#include "harness.cuh"

using harness::array;

/* naive.cu */
void naiveSetMask(const float *h_mask, int radius);
void naiveConvolve(const float *d_in, float *d_out, int width, int height);

struct version {
    const char *name;
    void (*set_mask)(const float *h_mask, int radius);
    void (*convolve)(const float *d_in, float *d_out, int width, int height);
};

/* Small whole numbers, which make a mask without any symmetry; from seed 60001 on positive ones, as
 * what is timed needs: results are compared by sums of magnitudes there. */
static std::vector<float> make_mask(int radius, int seed)
{
    std::vector<float> mask((2 * radius + 1) * (2 * radius + 1));
    for (size_t k = 0; k < mask.size(); k++) {
        mask[k] = (float)((long)seed * (long)(k + 3) % 17 - (seed > 60000 ? -1 : 8));
    }
    return mask;
}

static std::vector<float> expect(const std::vector<float> &in, const std::vector<float> &mask,
                                 int width, int height, int radius)
{
    const int edge = 2 * radius + 1;
    std::vector<float> out(in.size());
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float sum = 0.0f;
            for (int i = std::max(0, radius - y); i < std::min(edge, height + radius - y); i++) {
                for (int j = std::max(0, radius - x); j < std::min(edge, width + radius - x); j++) {
                    sum += mask[i * edge + j] *
                           in[(size_t)(y + i - radius) * width + (x + j - radius)];
                }
            }
            out[(size_t)y * width + x] = sum;
        }
    }
    return out;
}

static bool call(const version &version, const int *numbers, bool by_hand)
{
    const int width = numbers[0], height = numbers[1], radius = numbers[2], seed = numbers[3];
    const size_t pixels = (size_t)width * height;
    array<float> in(pixels), out(pixels);
    const std::vector<float> image = harness::numbers<float>(by_hand ? pixels : 0, -1000, 1000);
    in.set(image);
    const std::vector<float> mask = make_mask(radius, seed);
    std::vector<float> h_mask = mask;
    gpugrade_begin(version.name);
    gpugrade_operand("d_in", in);
    gpugrade_operand("d_out", out);
    version.set_mask(h_mask.data(), radius);
    /* The mask belongs to this program again, which writes other numbers there. */
    std::fill(h_mask.begin(), h_mask.end(), 32.0f);
    version.convolve(in, out, width, height);
    gpugrade_end();
    harness::finish(version.name);
    if (!by_hand) {
        return true;
    }
    const bool is_right = harness::is_right(version.name, out.get(),
                                            expect(image, mask, width, height, radius), 0.0, width);
    harness::print_time(version.name, 8.0 * pixels,
                        [&] { version.convolve(in, out, width, height); });
    return is_right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call({"convolve", setMask, convolve}, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call({"naiveConvolve", naiveSetMask, naiveConvolve}, numbers, by_hand);
}

int main(int argc, char **argv)
{
    return harness::main_of(
        argc, argv,
        {{"exercise", {4000, 3000, 4, 5}, exercise}, {"naive", {4000, 3000, 4, 5}, naive}});
}
