/* oracle.c: the counts of the Mandelbrot set, and what well-known mistakes make of them.
 *
 * The count of a c is how many steps z = z^2 + c takes, from z = 0 on, until |z|^2 > 4; at most the
 * limit. Near the border of the set it depends on rounding: pixels for which float and double give
 * different counts are doubtful.
 *
 * A mistake says what is stored for one pixel. It is not judged where rounding decides any pixel,
 * since values must be equal to be called by its name, nor where so few pixels are wrong that the
 * result may pass.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { WIDTH, HEIGHT };         /* parameters */
enum { X0, Y0, X1, Y1, LIMIT }; /* scalars */

/* The right result ***************************************************************************/

#define STEPS(name, type)                                                                          \
    static int name(const struct oracle_problem *problem, int64_t pixel)                           \
    {                                                                                              \
        const int64_t width = problem->parameters[WIDTH], height = problem->parameters[HEIGHT];    \
        const type x0 = (type)problem->scalars[X0], y0 = (type)problem->scalars[Y0];               \
        const type x1 = (type)problem->scalars[X1], y1 = (type)problem->scalars[Y1];               \
        const type cx = x0 + (type)(pixel % width) * (x1 - x0) / (type)width;                      \
        const type cy = y0 + (type)(pixel / width) * (y1 - y0) / (type)height;                     \
        type x = 0, y = 0;                                                                         \
        int steps = 0;                                                                             \
        while (steps < problem->scalars[LIMIT] && x * x + y * y <= 4) {                            \
            const type next = x * x - y * y + cx;                                                  \
            y = 2 * x * y + cy;                                                                    \
            x = next;                                                                              \
            steps++;                                                                               \
        }                                                                                          \
        return steps;                                                                              \
    }
STEPS(steps_in_float, float)
STEPS(steps_in_double, double)

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    (void)out_magnitudes;
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = steps_in_double(problem, (int64_t)i);
    }
}

static void doubtful(const struct oracle_problem *problem, size_t output,
                     unsigned char *out_doubtful)
{
    for (size_t i = 0; i < problem->output_counts[output]; i++) {
        out_doubtful[i] =
            steps_in_float(problem, (int64_t)i) != steps_in_double(problem, (int64_t)i);
    }
}

/* Steps with a mistake ***********************************************************************/

/* An image, and how it is computed: in double, in float, or with each number a little too small or
 * too large, as it may be with another order of operations. */
enum arithmetic { IN_DOUBLE, IN_FLOAT, SMALLER, LARGER, ARITHMETICS };
struct view {
    int64_t width, height;
    double x0, y0, x1, y1;
    int limit;
    enum arithmetic arithmetic;
};

static struct view view_of(const struct oracle_problem *problem, enum arithmetic arithmetic)
{
    return (struct view){
        .width = problem->parameters[WIDTH],
        .height = problem->parameters[HEIGHT],
        .x0 = problem->scalars[X0],
        .y0 = problem->scalars[Y0],
        .x1 = problem->scalars[X1],
        .y1 = problem->scalars[Y1],
        .limit = (int)problem->scalars[LIMIT],
        .arithmetic = arithmetic,
    };
}

static double rounded(const struct view *view, double value)
{
    static const double units[ARITHMETICS] = {[SMALLER] = -0x1p-23, [LARGER] = 0x1p-23};

    return view->arithmetic == IN_FLOAT ? (double)(float)value
                                        : value + value * units[view->arithmetic];
}

/* a b + c */
static double multiply_add(const struct view *view, double a, double b, double c)
{
    return rounded(view, rounded(view, a * b) + c);
}

struct complex_number {
    double x, y;
};

/* One step; what else a step may be taken for. */
typedef struct complex_number step_function(const struct view *view, struct complex_number z,
                                            struct complex_number c);

static struct complex_number right_step(const struct view *view, struct complex_number z,
                                        struct complex_number c)
{
    const double squares = multiply_add(view, z.x, z.x, -rounded(view, z.y * z.y));
    return (struct complex_number){rounded(view, squares + c.x),
                                   multiply_add(view, 2.0 * z.x, z.y, c.y)};
}

static struct complex_number step_with_new_x(const struct view *view, struct complex_number z,
                                             struct complex_number c)
{
    const double x = right_step(view, z, c).x;
    return (struct complex_number){x, multiply_add(view, 2.0 * x, z.y, c.y)};
}

static struct complex_number step_without_2(const struct view *view, struct complex_number z,
                                            struct complex_number c)
{
    return (struct complex_number){right_step(view, z, c).x, multiply_add(view, z.x, z.y, c.y)};
}

static struct complex_number step_with_sum(const struct view *view, struct complex_number z,
                                           struct complex_number c)
{
    const double squares = multiply_add(view, z.x, z.x, rounded(view, z.y * z.y));
    return (struct complex_number){rounded(view, squares + c.x), right_step(view, z, c).y};
}

/* How many steps are made until |z|^2 is beyond `bound`, at most `limit`. */
static int steps_from(const struct view *view, struct complex_number z, struct complex_number c,
                      step_function *step, double bound, int limit)
{
    int count = 0;

    while (count < limit && multiply_add(view, z.x, z.x, rounded(view, z.y * z.y)) <= bound) {
        z = step(view, z, c);
        count++;
    }
    return count;
}

static int steps(const struct view *view, struct complex_number c)
{
    return steps_from(view, (struct complex_number){0, 0}, c, right_step, 4.0, view->limit);
}

/* The number that is `part` of the way from one to another. */
static double between(const struct view *view, double from, double to, double part)
{
    return rounded(view, from + part * (to - from));
}

/* c of a pixel. */
static struct complex_number point(const struct view *view, double i, double j)
{
    return (struct complex_number){
        between(view, view->x0, view->x1, i / (double)view->width),
        between(view, view->y0, view->y1, j / (double)view->height),
    };
}

/* Mistakes ***********************************************************************************/

/* What is stored at d_count[j * width + i]; false: the mistake does not work for this image. */
typedef bool pixel_function(const struct view *view, int64_t i, int64_t j, double *out_count);

static bool starts_at_c(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const struct complex_number c = point(view, (double)i, (double)j);
    *out_count = steps_from(view, c, c, right_step, 4.0, view->limit);
    return true;
}

static bool one_too_large(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const int right = steps(view, point(view, (double)i, (double)j));
    *out_count = right < view->limit ? right + 1 : right;
    return true;
}

static bool inner_zero(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const int right = steps(view, point(view, (double)i, (double)j));
    *out_count = right < view->limit ? right : 0;
    return true;
}

/* A mistake in the step or in the bound. */
static bool with_step(const struct view *view, int64_t i, int64_t j, step_function *step,
                      double bound, double *out_count)
{
    *out_count = steps_from(view, (struct complex_number){0, 0}, point(view, (double)i, (double)j),
                            step, bound, view->limit);
    return true;
}

static bool bound_2(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    return with_step(view, i, j, right_step, 2.0, out_count);
}

static bool bound_16(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    return with_step(view, i, j, right_step, 16.0, out_count);
}

static bool new_x(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    return with_step(view, i, j, step_with_new_x, 4.0, out_count);
}

static bool without_2(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    return with_step(view, i, j, step_without_2, 4.0, out_count);
}

static bool squares_added(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    return with_step(view, i, j, step_with_sum, 4.0, out_count);
}

/* A limit of the student's own. */
static bool with_limit(const struct view *view, int64_t i, int64_t j, int limit, double *out_count)
{
    *out_count = steps_from(view, (struct complex_number){0, 0}, point(view, (double)i, (double)j),
                            right_step, 4.0, limit);
    return true;
}

static bool limit_100(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    return with_limit(view, i, j, 100, out_count);
}

static bool limit_256(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    return with_limit(view, i, j, 256, out_count);
}

static bool limit_1000(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    return with_limit(view, i, j, 1000, out_count);
}

static bool at_most_255(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    return with_limit(view, i, j, view->limit < 255 ? view->limit : 255, out_count);
}

/* Another c, or another place. */
static bool transposed(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const int64_t place = j * view->width + i;
    *out_count =
        steps(view, point(view, (double)(place / view->height), (double)(place % view->height)));
    return true;
}

static bool axes_swapped(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const struct complex_number c = {
        between(view, view->x0, view->x1, (double)j / (double)view->width),
        between(view, view->y0, view->y1, (double)i / (double)view->height),
    };
    *out_count = steps(view, c);
    return true;
}

static bool upside_down(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const struct complex_number c = {
        point(view, (double)i, 0.0).x,
        between(view, view->y1, view->y0, (double)j / (double)view->height),
    };
    *out_count = steps(view, c);
    return true;
}

static bool mirrored(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const int64_t from = j > view->height / 2 ? view->height - j : j;
    *out_count = steps(view, point(view, (double)i, (double)from));
    return true;
}

static bool to_the_last(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    if (view->width == 1 || view->height == 1) {
        return false;
    }
    const struct complex_number c = {
        between(view, view->x0, view->x1, (double)i / (double)(view->width - 1)),
        between(view, view->y0, view->y1, (double)j / (double)(view->height - 1)),
    };
    *out_count = steps(view, c);
    return true;
}

static bool sizes_swapped(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const struct complex_number c = {
        between(view, view->x0, view->x1, (double)i / (double)view->height),
        between(view, view->y0, view->y1, (double)j / (double)view->width),
    };
    *out_count = steps(view, c);
    return true;
}

static bool width_for_both(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const struct complex_number c = {
        point(view, (double)i, 0.0).x,
        between(view, view->y0, view->y1, (double)j / (double)view->width),
    };
    *out_count = steps(view, c);
    return true;
}

static bool ranges_swapped(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const struct complex_number c = {
        between(view, view->y0, view->y1, (double)i / (double)view->width),
        between(view, view->x0, view->x1, (double)j / (double)view->height),
    };
    *out_count = steps(view, c);
    return true;
}

static bool whole_division(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    (void)i;
    (void)j;
    *out_count = steps(view, point(view, 0.0, 0.0));
    return true;
}

static bool centres(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    *out_count = steps(view, point(view, (double)i + 0.5, (double)j + 0.5));
    return true;
}

static bool not_from_first(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const struct complex_number c = {
        rounded(view, view->x0 + (double)i * view->x1 / (double)view->width),
        rounded(view, view->y0 + (double)j * view->y1 / (double)view->height),
    };
    *out_count = steps(view, c);
    return true;
}

static bool without_first(const struct view *view, int64_t i, int64_t j, double *out_count)
{
    const struct complex_number c = point(view, (double)i, (double)j);
    *out_count = steps(view, (struct complex_number){rounded(view, c.x - view->x0),
                                                     rounded(view, c.y - view->y0)});
    return true;
}

/* More than that would take long, and rounding decides some of so many pixels. */
enum { PIXELS_MAX = 4096 };

/* Computes a mistake; 0 if it cannot be judged. */
static int mistaken(const struct oracle_problem *problem, pixel_function *make, double *out_values)
{
    struct view views[ARITHMETICS];
    size_t wrong = 0;

    if (problem->output_count > PIXELS_MAX) {
        return 0;
    }
    for (int k = 0; k < ARITHMETICS; k++) {
        views[k] = view_of(problem, (enum arithmetic)k);
    }
    for (size_t pixel = 0; pixel < problem->output_count; pixel++) {
        const int64_t i = (int64_t)pixel % views[0].width, j = (int64_t)pixel / views[0].width;
        for (int k = 0; k < ARITHMETICS; k++) {
            double count = 0.0;
            if (!make(&views[k], i, j, &count) || (k > 0 && count != out_values[pixel])) {
                return 0;
            }
            out_values[pixel] = count;
        }
        wrong += out_values[pixel] != steps_in_double(problem, (int64_t)pixel) ? 1 : 0;
    }
    return wrong > 1 && wrong > problem->output_count / 50;
}

/* ROW(name, message, hint); the more frequent ones first. */
#define POINT "c is (x0 + i (x1 - x0) / width, y0 + j (y1 - y0) / height)"
#define STEP "with z = x + iy, a step makes x^2 - y^2 + c.x and 2 x y + c.y of the old x and y"
#define LIMIT_HINT "the last argument says how many steps are made at most"
#define MISTAKES(ROW)                                                                              \
    ROW(starts_at_c, "the count of every point that escapes is one too small",                     \
        "z starts at 0: the first step makes it c, and counts")                                    \
    ROW(one_too_large, "the count of every point that escapes is one too large",                   \
        "look at z before each step: no step is made, or counted, once |z|^2 > 4")                 \
    ROW(new_x, "the new y is computed from the new x", STEP ": keep the old x until then")         \
    ROW(bound_2, "the steps end at |z|^2 > 2", "|z| > 2 means |z|^2 > 4")                          \
    ROW(bound_16, "the steps end at |z|^2 > 16", "|z| > 2 means |z|^2 > 4")                        \
    ROW(without_2, "the new y is x y + c.y: the factor 2 is missing", STEP)                        \
    ROW(squares_added, "the new x is x^2 + y^2 + c.x: the sign of y^2 is wrong", STEP)             \
    ROW(inner_zero, "points that do not escape have the count 0",                                  \
        "a point that does not escape has the count `limit`")                                      \
    ROW(transposed, "the image is transposed: the count of pixel (i, j) is at i * height + j",     \
        "the counts of a row are next to each other: d_count[j * width + i]")                      \
    ROW(axes_swapped, "column and row are swapped: c is computed from (j, i)", POINT)              \
    ROW(upside_down, "the image is upside down", POINT ": row 0 has the imaginary part y0")        \
    ROW(mirrored, "the lower half of the image is the upper half, mirrored",                       \
        "the set is symmetric, an image of it need not be: compute each pixel")                    \
    ROW(to_the_last, "c is divided by width - 1 and height - 1",                                   \
        POINT ": x1 and y1 are just outside of the image")                                         \
    ROW(sizes_swapped, "c is computed with width and height swapped", POINT)                       \
    ROW(width_for_both, "the imaginary part of c is divided by the width", POINT)                  \
    ROW(ranges_swapped, "the ranges of the real and of the imaginary part are swapped", POINT)     \
    ROW(whole_division, "every pixel has the count of pixel (0, 0)",                               \
        "a division of two ints cuts off the fraction: i / width is 0; multiply by the float "     \
        "first")                                                                                   \
    ROW(centres, "c is the centre of each pixel, not its corner", POINT)                           \
    ROW(not_from_first, "c is x0 + i x1 / width: x0 is missing in x1 - x0", POINT)                 \
    ROW(without_first, "c starts at 0, not at (x0, y0)", POINT)                                    \
    ROW(at_most_255, "no count is larger than 255",                                                \
        "an unsigned char ends there: count in an int")                                            \
    ROW(limit_100, "the limit is 100 in every call", LIMIT_HINT)                                   \
    ROW(limit_256, "the limit is 256 in every call", LIMIT_HINT)                                   \
    ROW(limit_1000, "the limit is 1000 in every call", LIMIT_HINT)

#define DEFINE_MISTAKE(name, message, hint)                                                        \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return mistaken(problem, name, out_values);                                                \
    }
MISTAKES(DEFINE_MISTAKE)

#define MISTAKE_ROW(name, message, hint) {#name, message, hint, compute_##name},
static const struct oracle_mistake mistakes[] = {MISTAKES(MISTAKE_ROW)};

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .doubtful = doubtful,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
};
