/* oracle.c: gray values and means of windows, and what well-known mistakes make of them.
 *
 *   gray = 0.299 red + 0.587 green + 0.114 blue, rounded to nearest
 *   blurred = mean over the window around a pixel, clipped at the border, rounded down
 *
 * The id of a launch in the rubric says which of them it computes. A mistake is a function that
 * says, for one pixel, what is written there: a value, nothing, or that it is not determined. A
 * mistake is not judged where any pixel is not determined, nor where it changes nothing for these
 * sizes. A gray value is not determined where float may round it to either side.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { WIDTH, HEIGHT, RADIUS }; /* parameters, in the order of the rubric */
enum { RED, GREEN, BLUE };

struct image {
    const uint8_t *in; /* colours to be made gray, or gray values to be blurred */
    int64_t width, height, radius;
    bool is_blur;
};

static struct image image_of(const struct oracle_problem *problem)
{
    return (struct image){
        .in = problem->inputs[0],
        .width = problem->parameters[WIDTH],
        .height = problem->parameters[HEIGHT],
        .radius = problem->parameters[RADIUS],
        .is_blur = strstr(problem->launch, "blur") != NULL,
    };
}

/* The right result ***************************************************************************/

static double luminance(double red, double green, double blue)
{
    return 0.299 * red + 0.587 * green + 0.114 * blue;
}

static double gray_right(const struct image *image, int64_t i)
{
    const uint8_t *pixel = image->in + 3 * i;
    return floor(luminance(pixel[RED], pixel[GREEN], pixel[BLUE]) + 0.5);
}

static bool is_inside(const struct image *image, int64_t y, int64_t x)
{
    return y >= 0 && y < image->height && x >= 0 && x < image->width;
}

/* The sum of a window, from and to included, and how many of its pixels are in the image. */
struct window {
    int64_t sum, count;
};

static struct window window_of(const struct image *image, int64_t top, int64_t bottom, int64_t left,
                               int64_t right)
{
    struct window window = {0, 0};
    for (int64_t row = top; row <= bottom; row++) {
        for (int64_t column = left; column <= right; column++) {
            if (is_inside(image, row, column)) {
                window.sum += image->in[row * image->width + column];
                window.count++;
            }
        }
    }
    return window;
}

static struct window window_around(const struct image *image, int64_t y, int64_t x, int64_t radius)
{
    return window_of(image, y - radius, y + radius, x - radius, x + radius);
}

static double mean(struct window window)
{
    return (double)(window.sum / window.count);
}

static double right_value(const struct image *image, int64_t y, int64_t x)
{
    return image->is_blur ? mean(window_around(image, y, x, image->radius))
                          : gray_right(image, y * image->width + x);
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const struct image image = image_of(problem);
    (void)out_magnitudes;
    for (int64_t i = 0; i < image.width * image.height; i++) {
        out_expected[i] = right_value(&image, i / image.width, i % image.width);
    }
}

static void add_need(struct oracle_need *out_needs, size_t capacity, size_t *count, int64_t element)
{
    if (*count < capacity) {
        out_needs[*count] = (struct oracle_need){.input = 0, .element = (size_t)element};
    }
    (*count)++;
}

/* The three colours of a pixel; the pixels of the window that are in the image. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    const struct image image = image_of(problem);
    const int64_t y = (int64_t)element / image.width, x = (int64_t)element % image.width;
    size_t count = 0;

    if (!image.is_blur) {
        for (int64_t colour = RED; colour <= BLUE; colour++) {
            add_need(out_needs, capacity, &count, 3 * (int64_t)element + colour);
        }
        return count;
    }
    for (int64_t row = y - image.radius; row <= y + image.radius; row++) {
        for (int64_t column = x - image.radius; column <= x + image.radius; column++) {
            if (is_inside(&image, row, column)) {
                add_need(out_needs, capacity, &count, row * image.width + column);
            }
        }
    }
    return count;
}

/* Mistakes: what is written at one place *******************************************************/

enum written { VALUE, NOTHING, UNDETERMINED };
typedef enum written place_function(const struct image *image, int64_t y, int64_t x,
                                    double *out_value);

static enum written value(double byte, double *out_value)
{
    *out_value = byte;
    return VALUE;
}

/* A number of any size is stored as its lowest eight bits. */
static enum written low_byte(int64_t number, double *out_value)
{
    return value((double)(number & 255), out_value);
}

/* Gray values. */

/* A number that float may round to either side of a whole number leaves the result open. */
static enum written rounded_down(double number, double *out_value)
{
    *out_value = floor(number);
    return fabs(number - rint(number)) < 1e-4 ? UNDETERMINED : VALUE;
}

static const uint8_t *colours(const struct image *image, int64_t y, int64_t x)
{
    return image->in + 3 * (y * image->width + x);
}

static enum written swapped(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const uint8_t *pixel = colours(image, y, x);
    return rounded_down(luminance(pixel[BLUE], pixel[GREEN], pixel[RED]) + 0.5, out_value);
}

static enum written swapped_down(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const uint8_t *pixel = colours(image, y, x);
    return rounded_down(luminance(pixel[BLUE], pixel[GREEN], pixel[RED]), out_value);
}

/* As if all red values came first, then all green ones, then all blue ones. */
static double planar_luminance(const struct image *image, int64_t y, int64_t x)
{
    const int64_t i = y * image->width + x, pixels = image->width * image->height;
    return luminance(image->in[i], image->in[pixels + i], image->in[2 * pixels + i]);
}

static enum written planar(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return rounded_down(planar_luminance(image, y, x) + 0.5, out_value);
}

static enum written planar_down(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return rounded_down(planar_luminance(image, y, x), out_value);
}

/* As if a pixel had one byte. */
static double narrow_luminance(const struct image *image, int64_t y, int64_t x)
{
    const uint8_t *pixel = image->in + y * image->width + x;
    return luminance(pixel[RED], pixel[GREEN], pixel[BLUE]);
}

static enum written narrow(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return rounded_down(narrow_luminance(image, y, x) + 0.5, out_value);
}

static enum written narrow_down(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return rounded_down(narrow_luminance(image, y, x), out_value);
}

static enum written plain_mean(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const uint8_t *pixel = colours(image, y, x);
    return value((pixel[RED] + pixel[GREEN] + pixel[BLUE]) / 3, out_value);
}

static enum written three_roundings(const struct image *image, int64_t y, int64_t x,
                                    double *out_value)
{
    const uint8_t *pixel = colours(image, y, x);
    double sum = 0.0;
    const double weights[] = {0.299, 0.587, 0.114};
    for (int colour = RED; colour <= BLUE; colour++) {
        double part = 0.0;
        if (pixel[colour] > 0 &&
            rounded_down(weights[colour] * pixel[colour], &part) == UNDETERMINED) {
            return UNDETERMINED;
        }
        sum += part;
    }
    return value(sum, out_value);
}

static enum written all_black(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    (void)image, (void)y, (void)x;
    return value(0.0, out_value);
}

static enum written unweighted(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const uint8_t *pixel = colours(image, y, x);
    return low_byte(pixel[RED] + pixel[GREEN] + pixel[BLUE], out_value);
}

static enum written red_alone(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return value(colours(image, y, x)[RED], out_value);
}

static enum written green_alone(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return value(colours(image, y, x)[GREEN], out_value);
}

static enum written blue_alone(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return value(colours(image, y, x)[BLUE], out_value);
}

/* Blur. */

static enum written blurred(struct window window, double *out_value)
{
    return window.count == 0 ? UNDETERMINED : value(mean(window), out_value);
}

static enum written divided_by_all(const struct image *image, int64_t y, int64_t x,
                                   double *out_value)
{
    const int64_t edge = 2 * image->radius + 1;
    const struct window window = window_around(image, y, x, image->radius);
    return value((double)(window.sum / (edge * edge)), out_value);
}

static int64_t clamp(int64_t index, int64_t count)
{
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static enum written clamped(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const int64_t edge = 2 * image->radius + 1;
    int64_t sum = 0;
    for (int64_t row = y - image->radius; row <= y + image->radius; row++) {
        for (int64_t column = x - image->radius; column <= x + image->radius; column++) {
            sum +=
                image->in[clamp(row, image->height) * image->width + clamp(column, image->width)];
        }
    }
    return value((double)(sum / (edge * edge)), out_value);
}

/* Only the index is looked at, so the column may be one of a row nearby. */
static struct window window_of_indices(const struct image *image, int64_t y, int64_t x)
{
    struct window window = {0, 0};
    for (int64_t row = y - image->radius; row <= y + image->radius; row++) {
        for (int64_t column = x - image->radius; column <= x + image->radius; column++) {
            const int64_t index = row * image->width + column;
            if (index >= 0 && index < image->width * image->height) {
                window.sum += image->in[index];
                window.count++;
            }
        }
    }
    return window;
}

static enum written array_only(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return blurred(window_of_indices(image, y, x), out_value);
}

static enum written array_only_divided_right(const struct image *image, int64_t y, int64_t x,
                                             double *out_value)
{
    const int64_t count = window_around(image, y, x, image->radius).count;
    return low_byte(window_of_indices(image, y, x).sum / count, out_value);
}

static enum written sum_in_byte(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const struct window window = window_around(image, y, x, image->radius);
    return value((double)((window.sum & 255) / window.count), out_value);
}

static enum written sum_in_two_bytes(const struct image *image, int64_t y, int64_t x,
                                     double *out_value)
{
    const struct window window = window_around(image, y, x, image->radius);
    return value((double)((window.sum & 65535) / window.count), out_value);
}

static enum written sum_alone(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return low_byte(window_around(image, y, x, image->radius).sum, out_value);
}

static enum written short_of_last(const struct image *image, int64_t y, int64_t x,
                                  double *out_value)
{
    const int64_t radius = image->radius;
    return blurred(window_of(image, y - radius, y + radius - 1, x - radius, x + radius - 1),
                   out_value);
}

/* The sum lacks them, but they are counted. */
static enum written sum_short_of_last(const struct image *image, int64_t y, int64_t x,
                                      double *out_value)
{
    const int64_t radius = image->radius;
    const struct window window =
        window_of(image, y - radius, y + radius - 1, x - radius, x + radius - 1);
    const int64_t count = window_around(image, y, x, radius).count;
    return value((double)(window.sum / count), out_value);
}

static enum written ahead(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const int64_t radius = image->radius;
    return blurred(window_of(image, y, y + 2 * radius, x, x + 2 * radius), out_value);
}

static enum written ahead_divided_right(const struct image *image, int64_t y, int64_t x,
                                        double *out_value)
{
    const int64_t radius = image->radius;
    const struct window window = window_of(image, y, y + 2 * radius, x, x + 2 * radius);
    return value((double)(window.sum / window_around(image, y, x, radius).count), out_value);
}

static enum written along_rows(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return blurred(window_of(image, y, y, x - image->radius, x + image->radius), out_value);
}

static enum written along_columns(const struct image *image, int64_t y, int64_t x,
                                  double *out_value)
{
    return blurred(window_of(image, y - image->radius, y + image->radius, x, x), out_value);
}

static enum written radius_one(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return blurred(window_around(image, y, x, 1), out_value);
}

static enum written unblurred(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return value(image->in[y * image->width + x], out_value);
}

/* The window without the pixels of other blocks, which have this many rows and columns. */
static struct window within_block(const struct image *image, int64_t y, int64_t x, int64_t rows,
                                  int64_t columns)
{
    const int64_t top = y - y % rows, left = x - x % columns;
    const int64_t first_row = y - image->radius > top ? y - image->radius : top;
    const int64_t first_column = x - image->radius > left ? x - image->radius : left;
    const int64_t last_row = clamp(y + image->radius, top + rows);
    const int64_t last_column = clamp(x + image->radius, left + columns);
    return window_of(image, first_row, last_row, first_column, last_column);
}

#define BLOCKS(name, rows, columns)                                                                \
    static enum written only_##name(const struct image *image, int64_t y, int64_t x,               \
                                    double *out_value)                                             \
    {                                                                                              \
        return blurred(within_block(image, y, x, rows, columns), out_value);                       \
    }                                                                                              \
    static enum written zeros_##name(const struct image *image, int64_t y, int64_t x,              \
                                     double *out_value)                                            \
    {                                                                                              \
        const struct window window = within_block(image, y, x, rows, columns);                     \
        const int64_t count = window_around(image, y, x, image->radius).count;                     \
        return value((double)(window.sum / count), out_value);                                     \
    }
BLOCKS(16x16, 16, 16)
BLOCKS(32x32, 32, 32)
BLOCKS(32x8, 8, 32)
#undef BLOCKS

/* True if the window reaches past the image. */
static bool is_border(const struct image *image, int64_t y, int64_t x)
{
    const int64_t radius = image->radius;
    return !is_inside(image, y - radius, x - radius) || !is_inside(image, y + radius, x + radius);
}

static enum written border_unwritten(const struct image *image, int64_t y, int64_t x,
                                     double *out_value)
{
    return is_border(image, y, x) ? NOTHING : value(right_value(image, y, x), out_value);
}

static enum written border_zero(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return value(is_border(image, y, x) ? 0.0 : right_value(image, y, x), out_value);
}

static enum written border_copied(const struct image *image, int64_t y, int64_t x,
                                  double *out_value)
{
    return is_border(image, y, x) ? unblurred(image, y, x, out_value)
                                  : value(right_value(image, y, x), out_value);
}

/* Either. */

/* The pixel (y, x) of the output is that of column y and row x. */
static enum written rows_for_columns(const struct image *image, int64_t y, int64_t x,
                                     double *out_value)
{
    const int64_t element = y * image->width + x;
    return value(right_value(image, element % image->height, element / image->height), out_value);
}

enum exercise { GRAY, BLUR };

/* Computes a mistake; 0 if it cannot be judged. */
static int mistaken(const struct oracle_problem *problem, enum exercise exercise,
                    place_function *place, double *out_values)
{
    const struct image image = image_of(problem);
    bool differs = false;

    if (image.is_blur != (exercise == BLUR)) {
        return 0;
    }
    for (int64_t k = 0; k < image.width * image.height; k++) {
        const int64_t y = k / image.width, x = k % image.width;
        double written = NAN;
        switch (place(&image, y, x, &written)) {
        case UNDETERMINED:
            return 0;
        case NOTHING:
            written = NAN;
            break;
        case VALUE:
            break;
        }
        out_values[k] = written;
        differs = differs || !(fabs(written - right_value(&image, y, x)) <= 1.0);
    }
    return differs;
}

/* ROW(exercise, name, place, message, hint); the more frequent ones first. */
#define THREE                                                                                      \
    "the colours of pixel i are the bytes 3 * i (red), 3 * i + 1 (green) and 3 * i + 2 (blue)"
#define WEIGHTS "add up 0.299 * red + 0.587 * green + 0.114 * blue in float, and round once"
#define COUNT                                                                                      \
    "near the border a window has fewer pixels: divide by the number of those inside of the image"
#define INSIDE                                                                                     \
    "a pixel is inside if its row is from 0 to height - 1 and its column from 0 to width - 1: "    \
    "test both"
#define RIM                                                                                        \
    "a block also needs the pixels of its neighbours, up to radius away on each side: load this "  \
    "rim into the tile too"
#define LOOPS "a window has 2 * radius + 1 rows and columns: from -radius to radius, both included"
#define WIDE "a sum is up to 289 * 255: keep it in an int, and make the mean a byte at the end"
#define BORDER "compute these too, from those pixels of the window that are inside of the image"
#define SQUARE "a window has 2 * radius + 1 rows and as many columns: two loops"
#define MISTAKES(ROW)                                                                              \
    ROW(GRAY, swapped, swapped, "red and blue are swapped", THREE)                                 \
    ROW(GRAY, swapped_down, swapped_down, "red and blue are swapped", THREE)                       \
    ROW(GRAY, narrow, narrow, "a pixel is taken for one byte: pixel i is read from byte i on",     \
        THREE)                                                                                     \
    ROW(GRAY, narrow_down, narrow_down,                                                            \
        "a pixel is taken for one byte: pixel i is read from byte i on", THREE)                    \
    ROW(GRAY, planar, planar,                                                                      \
        "the colours are read as three images one after the other, all red values first", THREE)   \
    ROW(GRAY, planar_down, planar_down,                                                            \
        "the colours are read as three images one after the other, all red values first", THREE)   \
    ROW(GRAY, plain_mean, plain_mean, "every gray value is the plain mean of the three colours",   \
        "the colours have weights: " WEIGHTS)                                                      \
    ROW(GRAY, three_roundings, three_roundings,                                                    \
        "each colour times its weight is rounded down before they are added", WEIGHTS)             \
    ROW(GRAY, all_black, all_black, "every gray value is 0",                                       \
        "in whole numbers 299 / 1000 is 0: " WEIGHTS)                                              \
    ROW(GRAY, unweighted, unweighted, "the colours are added up without weights, in a byte",       \
        "the colours have weights: " WEIGHTS)                                                      \
    ROW(GRAY, red_alone, red_alone, "every gray value is the red one", WEIGHTS)                    \
    ROW(GRAY, green_alone, green_alone, "every gray value is the green one", WEIGHTS)              \
    ROW(GRAY, blue_alone, blue_alone, "every gray value is the blue one", WEIGHTS)                 \
    ROW(BLUR, divided_by_all, divided_by_all,                                                      \
        "near the border, sums are divided by the size of the whole window", COUNT)                \
    ROW(BLUR, clamped, clamped,                                                                    \
        "pixels outside of the image count as the nearest pixel of its border",                    \
        "pixels outside of the image do not count: neither in the sum nor in the number by which " \
        "it is divided")                                                                           \
    ROW(BLUR, array_only, array_only,                                                              \
        "at the left and right border, pixels of the rows above and below are taken", INSIDE)      \
    ROW(BLUR, array_only_divided_right, array_only_divided_right,                                  \
        "at the left and right border, pixels of the rows above and below are taken", INSIDE)      \
    ROW(BLUR, sum_in_byte, sum_in_byte, "the sum is kept in a byte, which holds up to 255", WIDE)  \
    ROW(BLUR, sum_in_two_bytes, sum_in_two_bytes,                                                  \
        "the sum is kept in 16 bits, which hold up to 65535", WIDE)                                \
    ROW(BLUR, sum_alone, sum_alone, "the sum is not divided",                                      \
        "the mean is the sum divided by the number of pixels")                                     \
    ROW(BLUR, short_of_last, short_of_last,                                                        \
        "the last row and the last column of the window are left out", LOOPS)                      \
    ROW(BLUR, sum_short_of_last, sum_short_of_last,                                                \
        "the last row and the last column of the window are not added", LOOPS)                     \
    ROW(BLUR, ahead, ahead, "the window starts at the pixel, and does not lie around it", LOOPS)   \
    ROW(BLUR, ahead_divided_right, ahead_divided_right,                                            \
        "the window starts at the pixel, and does not lie around it", LOOPS)                       \
    ROW(BLUR, along_rows, along_rows, "the mean is only over the row of the pixel", SQUARE)        \
    ROW(BLUR, along_columns, along_columns, "the mean is only over the column of the pixel",       \
        SQUARE)                                                                                    \
    ROW(BLUR, radius_one, radius_one, "the radius is 1, whatever the argument is",                 \
        "use the argument radius")                                                                 \
    ROW(BLUR, unblurred, unblurred, "the image is copied as it is", SQUARE)                        \
    ROW(BLUR, only_16x16, only_16x16, "pixels of neighbouring blocks (16 x 16) do not count", RIM) \
    ROW(BLUR, only_32x32, only_32x32, "pixels of neighbouring blocks (32 x 32) do not count", RIM) \
    ROW(BLUR, only_32x8, only_32x8,                                                                \
        "pixels of neighbouring blocks (32 wide, 8 high) do not count", RIM)                       \
    ROW(BLUR, zeros_16x16, zeros_16x16, "pixels of neighbouring blocks (16 x 16) count as 0", RIM) \
    ROW(BLUR, zeros_32x32, zeros_32x32, "pixels of neighbouring blocks (32 x 32) count as 0", RIM) \
    ROW(BLUR, zeros_32x8, zeros_32x8,                                                              \
        "pixels of neighbouring blocks (32 wide, 8 high) count as 0", RIM)                         \
    ROW(BLUR, border_unwritten, border_unwritten,                                                  \
        "pixels near the border of the image are never written", BORDER)                           \
    ROW(BLUR, border_zero, border_zero, "pixels near the border of the image are 0", BORDER)       \
    ROW(BLUR, border_copied, border_copied, "pixels near the border of the image are copied",      \
        BORDER)                                                                                    \
    ROW(GRAY, gray_rows_for_columns, rows_for_columns,                                             \
        "rows and columns of the gray image are "                                                  \
        "swapped",                                                                                 \
        "pixel (y, x) is byte y * width + x")                                                      \
    ROW(BLUR, blur_rows_for_columns, rows_for_columns,                                             \
        "rows and columns of the output are "                                                      \
        "swapped",                                                                                 \
        "pixel (y, x) is byte y * width + x")

#define COMPUTE(exercise, name, place, message, hint)                                              \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return mistaken(problem, exercise, place, out_values);                                     \
    }
MISTAKES(COMPUTE)
#undef COMPUTE

#define MISTAKE(exercise, name, place, message, hint) {#name, message, hint, compute_##name},
static const struct oracle_mistake mistakes[] = {MISTAKES(MISTAKE)};
#undef MISTAKE

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = needs,
};
