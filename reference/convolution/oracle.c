/* oracle.c: what convolutions must be, and what well-known mistakes make of them.
 *
 *   out(y, x) = sum of mask(i, j) * in(y + i - radius, x + j - radius), 0 outside of the image
 *
 * The mask is the one that main.cu makes of the seed. A mistake is a function that says, for one
 * pixel, what is written there: a value, nothing, or that it is not determined, since threads read
 * outside of the image. Most are sums with another mask or with other pixels. A mistake is not
 * judged where any pixel is not determined, nor where it changes nothing for these sizes.
 *
 * Sums are exact: pixels and masks are whole numbers there, and all sums fit into a float.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>

enum { WIDTH, HEIGHT, RADIUS, SEED }; /* parameters, in the order of the rubric */
enum { RADIUS_MAX = 4, EDGE_MAX = 2 * RADIUS_MAX + 1 };
enum { MASK_AFTERWARDS = 32 }; /* what main.cu writes over the mask when setMask has returned */

struct image {
    const float *in;
    int64_t width, height;
    int64_t radius, edge; /* of the mask, which has edge rows of edge elements */
    double mask[EDGE_MAX * EDGE_MAX];
};

/* An element of the mask, by its row and column. */
typedef double mask_function(const struct image *image, int64_t i, int64_t j);
/* The pixel that this element is multiplied by, for the pixel (y, x) of the output; NaN: it is
 * outside of what may be read. */
typedef double pixel_function(const struct image *image, int64_t y, int64_t x, int64_t i,
                              int64_t j);

static struct image image_of(const struct oracle_problem *problem)
{
    struct image image = {
        .in = problem->inputs[0],
        .width = problem->parameters[WIDTH],
        .height = problem->parameters[HEIGHT],
        .radius = problem->parameters[RADIUS],
        .edge = 2 * problem->parameters[RADIUS] + 1,
    };
    for (int64_t k = 0; k < image.edge * image.edge; k++) {
        image.mask[k] = (double)(problem->parameters[SEED] * (k + 3) % 17 - 8);
    }
    return image;
}

/* The right result ***************************************************************************/

static bool is_inside(const struct image *image, int64_t y, int64_t x)
{
    return y >= 0 && y < image->height && x >= 0 && x < image->width;
}

static double in_image(const struct image *image, int64_t y, int64_t x)
{
    return is_inside(image, y, x) ? (double)image->in[y * image->width + x] : 0.0;
}

static double mask_right(const struct image *image, int64_t i, int64_t j)
{
    return image->mask[i * image->edge + j];
}

static double pixel_right(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j)
{
    return in_image(image, y + i - image->radius, x + j - image->radius);
}

/* The sum over the first rows and columns of the mask. */
static double sum_over(const struct image *image, int64_t y, int64_t x, int64_t rows,
                       int64_t columns, mask_function *mask, pixel_function *pixel)
{
    double sum = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++) {
            sum += mask(image, i, j) * pixel(image, y, x, i, j);
        }
    }
    return sum;
}

static double sum_with(const struct image *image, int64_t y, int64_t x, mask_function *mask,
                       pixel_function *pixel)
{
    return sum_over(image, y, x, image->edge, image->edge, mask, pixel);
}

static double right_value(const struct image *image, int64_t y, int64_t x)
{
    return sum_with(image, y, x, mask_right, pixel_right);
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const struct image image = image_of(problem);
    for (int64_t k = 0; k < image.width * image.height; k++) {
        const int64_t y = k / image.width, x = k % image.width;
        for (int64_t i = 0; i < image.edge; i++) {
            for (int64_t j = 0; j < image.edge; j++) {
                const double product = mask_right(&image, i, j) * pixel_right(&image, y, x, i, j);
                out_expected[k] += product;
                out_magnitudes[k] += fabs(product);
            }
        }
    }
}

/* The pixels of the window that are inside of the image. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    const int64_t width = problem->parameters[WIDTH], height = problem->parameters[HEIGHT];
    const int64_t radius = problem->parameters[RADIUS];
    const int64_t y = (int64_t)element / width, x = (int64_t)element % width;
    size_t count = 0;
    for (int64_t row = y - radius; row <= y + radius; row++) {
        for (int64_t column = x - radius; column <= x + radius; column++) {
            if (row < 0 || row >= height || column < 0 || column >= width) {
                continue;
            }
            if (count < capacity) {
                out_needs[count] =
                    (struct oracle_need){.input = 0, .element = (size_t)(row * width + column)};
            }
            count++;
        }
    }
    return count;
}

/* Other masks ********************************************************************************/

static double mask_transposed(const struct image *image, int64_t i, int64_t j)
{
    return mask_right(image, j, i);
}

static double mask_flipped(const struct image *image, int64_t i, int64_t j)
{
    return mask_right(image, image->edge - 1 - i, image->edge - 1 - j);
}

static double mask_zero(const struct image *image, int64_t i, int64_t j)
{
    (void)image, (void)i, (void)j;
    return 0.0;
}

static double mask_late(const struct image *image, int64_t i, int64_t j)
{
    (void)image, (void)i, (void)j;
    return MASK_AFTERWARDS;
}

/* Of an array into which only some of the elements were copied. */
static double mask_copied(const struct image *image, int64_t element, int64_t copied)
{
    return element < copied ? image->mask[element] : 0.0;
}

/* As many bytes as there are elements. Of an element of which only some bytes are there, these are
 * zeros, since small whole numbers have their digits in the last two. */
static double mask_quarter(const struct image *image, int64_t i, int64_t j)
{
    return mask_copied(image, i * image->edge + j, image->edge * image->edge / 4);
}

static double mask_pointer(const struct image *image, int64_t i, int64_t j)
{
    return mask_copied(image, i * image->edge + j, 2);
}

static double mask_one_row(const struct image *image, int64_t i, int64_t j)
{
    return mask_copied(image, i * image->edge + j, image->edge);
}

static double mask_radius_one(const struct image *image, int64_t i, int64_t j)
{
    return mask_copied(image, i * image->edge + j, 9);
}

static double mask_rows_of_nine(const struct image *image, int64_t i, int64_t j)
{
    return mask_copied(image, i * EDGE_MAX + j, image->edge * image->edge);
}

static double mask_rows_too_short(const struct image *image, int64_t i, int64_t j)
{
    return image->mask[i * 2 * image->radius + j];
}

/* Other pixels *******************************************************************************/

static int64_t clamp(int64_t index, int64_t count)
{
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static double pixel_clamped(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j)
{
    return in_image(image, clamp(y + i - image->radius, image->height),
                    clamp(x + j - image->radius, image->width));
}

/* Only the index is looked at, so the column may be one of a row nearby. */
static double pixel_of_array(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j)
{
    const int64_t index = (y + i - image->radius) * image->width + (x + j - image->radius);
    return index < 0 || index >= image->width * image->height ? 0.0 : (double)image->in[index];
}

static int64_t around(int64_t index, int64_t count)
{
    return (index % count + count) % count;
}

static double pixel_around(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j)
{
    return in_image(image, around(y + i - image->radius, image->height),
                    around(x + j - image->radius, image->width));
}

static double pixel_ahead(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j)
{
    return in_image(image, y + i, x + j);
}

static double pixel_centre(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j)
{
    (void)i, (void)j;
    return in_image(image, y, x);
}

/* The same, but elements of the mask outside of the image are left out. */
static double pixel_centre_inside(const struct image *image, int64_t y, int64_t x, int64_t i,
                                  int64_t j)
{
    const bool is_counted = is_inside(image, y + i - image->radius, x + j - image->radius);
    return is_counted ? in_image(image, y, x) : 0.0;
}

/* Only those of the block's own pixels, where blocks have this many rows and columns. */
static double pixel_of_block(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j,
                             int64_t rows, int64_t columns)
{
    const int64_t row = y + i - image->radius, column = x + j - image->radius;
    if (row < 0 || column < 0 || row / rows != y / rows || column / columns != x / columns) {
        return 0.0;
    }
    return in_image(image, row, column);
}

static double pixel_of_8x8(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j)
{
    return pixel_of_block(image, y, x, i, j, 8, 8);
}

static double pixel_of_16x16(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j)
{
    return pixel_of_block(image, y, x, i, j, 16, 16);
}

static double pixel_of_32x32(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j)
{
    return pixel_of_block(image, y, x, i, j, 32, 32);
}

static double pixel_of_32x8(const struct image *image, int64_t y, int64_t x, int64_t i, int64_t j)
{
    return pixel_of_block(image, y, x, i, j, 8, 32);
}

/* Mistakes ***********************************************************************************/

/* What is written at one place. */
enum written { VALUE, NOTHING, UNDETERMINED };
typedef enum written place_function(const struct image *image, int64_t y, int64_t x,
                                    double *out_value);

static enum written value(double sum, double *out_value)
{
    *out_value = sum;
    return isnan(sum) ? UNDETERMINED : VALUE;
}

#define OTHER_SUM(name, mask, pixel)                                                               \
    static enum written name(const struct image *image, int64_t y, int64_t x, double *out_value)   \
    {                                                                                              \
        return value(sum_with(image, y, x, mask, pixel), out_value);                               \
    }
OTHER_SUM(unset, mask_zero, pixel_right)
OTHER_SUM(late, mask_late, pixel_right)
OTHER_SUM(transposed, mask_transposed, pixel_right)
OTHER_SUM(flipped, mask_flipped, pixel_right)
OTHER_SUM(quarter, mask_quarter, pixel_right)
OTHER_SUM(pointer, mask_pointer, pixel_right)
OTHER_SUM(one_row, mask_one_row, pixel_right)
OTHER_SUM(radius_one, mask_radius_one, pixel_right)
OTHER_SUM(rows_of_nine, mask_rows_of_nine, pixel_right)
OTHER_SUM(rows_too_short, mask_rows_too_short, pixel_right)
OTHER_SUM(clamped, mask_right, pixel_clamped)
OTHER_SUM(array_only, mask_right, pixel_of_array)
OTHER_SUM(wrapped, mask_right, pixel_around)
OTHER_SUM(ahead, mask_right, pixel_ahead)
OTHER_SUM(centre_only, mask_right, pixel_centre)
OTHER_SUM(centre_inside, mask_right, pixel_centre_inside)
OTHER_SUM(block_8x8, mask_right, pixel_of_8x8)
OTHER_SUM(block_16x16, mask_right, pixel_of_16x16)
OTHER_SUM(block_32x32, mask_right, pixel_of_32x32)
OTHER_SUM(block_32x8, mask_right, pixel_of_32x8)
#undef OTHER_SUM

static enum written last_of_both(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const int64_t edge = image->edge;
    return value(sum_over(image, y, x, edge - 1, edge - 1, mask_right, pixel_right), out_value);
}

static enum written last_row(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const int64_t edge = image->edge;
    return value(sum_over(image, y, x, edge - 1, edge, mask_right, pixel_right), out_value);
}

static enum written last_column(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const int64_t edge = image->edge;
    return value(sum_over(image, y, x, edge, edge - 1, mask_right, pixel_right), out_value);
}

static enum written last_product(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    const int64_t last = image->edge - 1;
    return value(mask_right(image, last, last) * pixel_right(image, y, x, last, last), out_value);
}

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
    return value(is_border(image, y, x) ? in_image(image, y, x) : right_value(image, y, x),
                 out_value);
}

static enum written copied(const struct image *image, int64_t y, int64_t x, double *out_value)
{
    return value(in_image(image, y, x), out_value);
}

/* The pixel (y, x) of the output is that of column y and row x. */
static enum written rows_for_columns(const struct image *image, int64_t y, int64_t x,
                                     double *out_value)
{
    const int64_t element = y * image->width + x;
    return value(right_value(image, element % image->height, element / image->height), out_value);
}

/* Computes a mistake; 0 if it cannot be judged. */
static int mistaken(const struct oracle_problem *problem, place_function *place, double *out_values)
{
    const struct image image = image_of(problem);
    bool differs = false;

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
        differs = differs || !(written == right_value(&image, y, x));
    }
    return differs;
}

/* ROW(name, message, hint); the more frequent ones first. */
#define INSIDE                                                                                     \
    "a pixel is inside if its row is from 0 to height - 1 and its column from 0 to width - 1: "    \
    "test both; all others count as 0"
#define RIM                                                                                        \
    "a block also needs the pixels of its neighbours, up to radius away on each side: load this "  \
    "rim into the tile too"
#define LOOPS "the mask has 2 * radius + 1 rows and columns: i and j run from 0 to 2 * radius"
#define BYTES "cudaMemcpyToSymbol counts bytes: (2 * radius + 1) * (2 * radius + 1) * sizeof(float)"
#define ROWS "the mask is stored row by row: element (i, j) is mask[i * (2 * radius + 1) + j]"
#define MISTAKES(ROW)                                                                              \
    ROW(unset, "every pixel is 0, as if the mask in constant memory were all zeros",               \
        "let setMask copy h_mask to the array that the kernel reads, by cudaMemcpyToSymbol")       \
    ROW(late, "the mask is read from h_mask after setMask has returned",                           \
        "h_mask belongs to the caller again then: copy the elements in setMask, not the pointer")  \
    ROW(flipped, "the mask is turned by 180 degrees",                                              \
        "mask(i, j) belongs to the pixel (y + i - radius, x + j - radius): add i and j, do not "   \
        "subtract them")                                                                           \
    ROW(transposed, "the mask is transposed: its rows are taken for columns", ROWS)                \
    ROW(quarter, "only the first quarter of the mask is copied: elements are counted as bytes",    \
        BYTES)                                                                                     \
    ROW(pointer,                                                                                   \
        "only the first two elements of the mask are copied: sizeof gives the 8 bytes "            \
        "of a pointer",                                                                            \
        BYTES)                                                                                     \
    ROW(one_row, "only the first row of the mask is copied", BYTES)                                \
    ROW(radius_one, "only nine elements of the mask are copied, as of a radius of 1", BYTES)       \
    ROW(rows_of_nine, "rows of the mask are read nine elements apart, for any radius", ROWS)       \
    ROW(rows_too_short, "rows of the mask are read 2 * radius elements apart", ROWS)               \
    ROW(clamped, "pixels outside of the image count as the nearest pixel of its border",           \
        "outside of the image all is 0")                                                           \
    ROW(wrapped, "outside of the image, pixels of the opposite border are taken",                  \
        "outside of the image all is 0")                                                           \
    ROW(array_only, "at the left and right border, pixels of the rows above and below are taken",  \
        INSIDE)                                                                                    \
    ROW(ahead, "the window starts at the pixel, and does not lie around it",                       \
        "subtract the radius: mask(i, j) belongs to the pixel (y + i - radius, x + j - radius)")   \
    ROW(centre_only, "every element of the mask is multiplied by the same pixel, the middle one",  \
        "mask(i, j) belongs to the pixel (y + i - radius, x + j - radius)")                        \
    ROW(centre_inside,                                                                             \
        "every element of the mask is multiplied by the same pixel, the middle one",               \
        "mask(i, j) belongs to the pixel (y + i - radius, x + j - radius)")                        \
    ROW(block_16x16, "pixels of neighbouring blocks (16 x 16) count as 0", RIM)                    \
    ROW(block_32x32, "pixels of neighbouring blocks (32 x 32) count as 0", RIM)                    \
    ROW(block_8x8, "pixels of neighbouring blocks (8 x 8) count as 0", RIM)                        \
    ROW(block_32x8, "pixels of neighbouring blocks (32 wide, 8 high) count as 0", RIM)             \
    ROW(last_of_both, "the last row and the last column of the mask are left out", LOOPS)          \
    ROW(last_row, "the last row of the mask is left out", LOOPS)                                   \
    ROW(last_column, "the last column of the mask is left out", LOOPS)                             \
    ROW(last_product, "every pixel is the last product alone",                                     \
        "add each product to the sum: +=, not =")                                                  \
    ROW(border_unwritten, "pixels near the border of the image are never written",                 \
        "compute these too; where their window reaches past the image, all is 0")                  \
    ROW(border_zero, "pixels near the border of the image are 0",                                  \
        "compute these too; only what lies outside of the image is 0")                             \
    ROW(border_copied, "pixels near the border of the image are copied",                           \
        "compute these too; where their window reaches past the image, all is 0")                  \
    ROW(copied, "the image is copied as it is", "multiply by the mask, and add up")                \
    ROW(rows_for_columns, "rows and columns of the output are swapped",                            \
        "pixel (y, x) is out[y * width + x]")

#define COMPUTE(name, message, hint)                                                               \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return mistaken(problem, name, out_values);                                                \
    }
MISTAKES(COMPUTE)
#undef COMPUTE

#define MISTAKE(name, message, hint) {#name, message, hint, compute_##name},
static const struct oracle_mistake mistakes[] = {MISTAKES(MISTAKE)};
#undef MISTAKE

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = needs,
};
