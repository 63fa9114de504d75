/* oracle.c: what the steps must give, and what well-known mistakes give instead.
 *
 * A mistake is a wrong number of steps, a wrong rule for a point, or both. Values are exact in a
 * float for a few steps only: each step needs two more bits. So mistakes are not judged after more
 * steps, nor where they change nothing or would read outside of the field.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH, HEIGHT, STEPS }; /* parameters, in the order of the rubric */
enum { EXACT_STEPS = 6 };

struct field {
    int64_t width, height;
    const double *values;
};

/* What a point becomes in a step: a number, or NaN if the rule reads outside of the field. */
typedef double rule_function(const struct field *field, int64_t x, int64_t y);

static double at(const struct field *field, int64_t x, int64_t y)
{
    return field->values[y * field->width + x];
}

static bool is_inside(const struct field *field, int64_t x, int64_t y)
{
    return x >= 0 && x < field->width && y >= 0 && y < field->height;
}

static bool is_border(const struct field *field, int64_t x, int64_t y)
{
    return x == 0 || x == field->width - 1 || y == 0 || y == field->height - 1;
}

/* The right result ***************************************************************************/

static double right_rule(const struct field *field, int64_t x, int64_t y)
{
    if (is_border(field, x, y)) {
        return at(field, x, y);
    }
    return 0.25 *
           (at(field, x, y - 1) + at(field, x, y + 1) + at(field, x - 1, y) + at(field, x + 1, y));
}

/* Makes so many steps in values [width * height]; false if a rule read outside of it. */
static bool advance(const struct oracle_problem *problem, rule_function *rule, int64_t steps,
                    double *values)
{
    const size_t count = problem->output_count;
    double *old = malloc(count * sizeof *old);
    const struct field field = {problem->parameters[WIDTH], problem->parameters[HEIGHT], old};
    bool is_known = old != NULL;
    for (int64_t step = 0; step < steps && is_known; step++) {
        memcpy(old, values, count * sizeof *old);
        for (size_t i = 0; i < count && is_known; i++) {
            values[i] = rule(&field, (int64_t)i % field.width, (int64_t)i / field.width);
            is_known = !isnan(values[i]);
        }
    }
    free(old);
    return is_known;
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const float *start = problem->inputs[0];
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = start[i];
        out_magnitudes[i] = fabsf(start[i]);
    }
    advance(problem, right_rule, problem->parameters[STEPS], out_expected);
    advance(problem, right_rule, problem->parameters[STEPS], out_magnitudes);
}

/* Marks in `before` the points that those in `after` are computed from in one step. */
static void step_back(const struct field *field, const unsigned char *after, unsigned char *before)
{
    const int64_t width = field->width;
    for (int64_t i = 0; i < width * field->height; i++) {
        if (after[i] == 0) {
            continue;
        }
        if (is_border(field, i % width, i / width)) {
            before[i] = 1;
        } else {
            before[i - width] = before[i + width] = before[i - 1] = before[i + 1] = 1;
        }
    }
}

static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    const size_t points = problem->output_count;
    const struct field field = {problem->parameters[WIDTH], problem->parameters[HEIGHT], NULL};
    unsigned char *marks = calloc(2, points);
    unsigned char *after = marks;
    unsigned char *before = marks + points;
    size_t count = 0;
    if (marks == NULL) {
        return 0;
    }
    after[element] = 1;
    for (int64_t step = 0; step < problem->parameters[STEPS]; step++) {
        memset(before, 0, points);
        step_back(&field, after, before);
        unsigned char *swap = after;
        after = before;
        before = swap;
    }
    for (size_t i = 0; i < points; i++) {
        if (after[i] != 0 && count++ < capacity) {
            out_needs[count - 1] = (struct oracle_need){.input = 0, .element = i};
        }
    }
    free(marks);
    return count;
}

/* Wrong numbers of steps *********************************************************************/

static int64_t all_steps(int64_t steps)
{
    return steps;
}

static int64_t no_steps(int64_t steps)
{
    (void)steps;
    return 0;
}

static int64_t one_step(int64_t steps)
{
    return steps > 0 ? 1 : 0;
}

static int64_t one_step_less(int64_t steps)
{
    return steps > 0 ? steps - 1 : 0;
}

static int64_t one_step_more(int64_t steps)
{
    return steps + 1;
}

static int64_t twice_the_steps(int64_t steps)
{
    return 2 * steps;
}

/* The other array holds the field of the step before. */
static int64_t other_array_if_odd(int64_t steps)
{
    return steps % 2 == 1 ? steps - 1 : steps;
}

static int64_t other_array_if_even(int64_t steps)
{
    return steps % 2 == 0 && steps > 0 ? steps - 1 : steps;
}

/* Wrong rules for the border *****************************************************************/

static double at_or_zero(const struct field *field, int64_t x, int64_t y)
{
    return is_inside(field, x, y) ? at(field, x, y) : 0.0;
}

static double zero_outside(const struct field *field, int64_t x, int64_t y)
{
    return 0.25 * (at_or_zero(field, x, y - 1) + at_or_zero(field, x, y + 1) +
                   at_or_zero(field, x - 1, y) + at_or_zero(field, x + 1, y));
}

static int64_t clamped(int64_t index, int64_t count)
{
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static double border_repeated(const struct field *field, int64_t x, int64_t y)
{
    const int64_t width = field->width, height = field->height;
    return 0.25 * (at(field, x, clamped(y - 1, height)) + at(field, x, clamped(y + 1, height)) +
                   at(field, clamped(x - 1, width), y) + at(field, clamped(x + 1, width), y));
}

static double other_side(const struct field *field, int64_t x, int64_t y)
{
    const int64_t width = field->width, height = field->height;
    return 0.25 * (at(field, x, (y + height - 1) % height) + at(field, x, (y + 1) % height) +
                   at(field, (x + width - 1) % width, y) + at(field, (x + 1) % width, y));
}

/* The left neighbour of the first point of a row is the last point of the row above. */
static double sides_not_checked(const struct field *field, int64_t x, int64_t y)
{
    const double *point = field->values + y * field->width + x;
    if (y == 0 || y == field->height - 1) {
        return *point;
    }
    return 0.25 * (point[-field->width] + point[field->width] + point[-1] + point[1]);
}

static double border_cleared(const struct field *field, int64_t x, int64_t y)
{
    return is_border(field, x, y) ? 0.0 : right_rule(field, x, y);
}

static double last_inner_stay(const struct field *field, int64_t x, int64_t y)
{
    return x >= field->width - 2 || y >= field->height - 2 ? at(field, x, y)
                                                           : right_rule(field, x, y);
}

static double first_inner_stay(const struct field *field, int64_t x, int64_t y)
{
    return x <= 1 || y <= 1 ? at(field, x, y) : right_rule(field, x, y);
}

static double two_wide_border(const struct field *field, int64_t x, int64_t y)
{
    return x <= 1 || y <= 1 ? at(field, x, y) : last_inner_stay(field, x, y);
}

/* Wrong rules for inner points ***************************************************************/

/* The sum of four points that lie at these distances from (x, y), times `factor`. */
static double weighted(const struct field *field, int64_t x, int64_t y, const int64_t far[4][2],
                       double factor)
{
    double sum = 0.0;
    if (is_border(field, x, y)) {
        return at(field, x, y);
    }
    for (int i = 0; i < 4; i++) {
        sum += at(field, x + far[i][0], y + far[i][1]);
    }
    return factor * sum;
}

static const int64_t straight[4][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};
static const int64_t diagonal[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
static const int64_t up_twice[4][2] = {{0, -1}, {0, -1}, {-1, 0}, {1, 0}};
static const int64_t down_twice[4][2] = {{0, 1}, {0, 1}, {-1, 0}, {1, 0}};
static const int64_t left_twice[4][2] = {{0, -1}, {0, 1}, {-1, 0}, {-1, 0}};
static const int64_t right_twice[4][2] = {{0, -1}, {0, 1}, {1, 0}, {1, 0}};

static double up_for_down(const struct field *field, int64_t x, int64_t y)
{
    return weighted(field, x, y, up_twice, 0.25);
}

static double down_for_up(const struct field *field, int64_t x, int64_t y)
{
    return weighted(field, x, y, down_twice, 0.25);
}

static double left_for_right(const struct field *field, int64_t x, int64_t y)
{
    return weighted(field, x, y, left_twice, 0.25);
}

static double right_for_left(const struct field *field, int64_t x, int64_t y)
{
    return weighted(field, x, y, right_twice, 0.25);
}

static double diagonals(const struct field *field, int64_t x, int64_t y)
{
    return weighted(field, x, y, diagonal, 0.25);
}

static double eight_neighbours(const struct field *field, int64_t x, int64_t y)
{
    return is_border(field, x, y)
               ? at(field, x, y)
               : weighted(field, x, y, straight, 0.125) + weighted(field, x, y, diagonal, 0.125);
}

static double not_divided(const struct field *field, int64_t x, int64_t y)
{
    return weighted(field, x, y, straight, 1.0);
}

static double halved(const struct field *field, int64_t x, int64_t y)
{
    return weighted(field, x, y, straight, 0.5);
}

/* 1 / 4 is 0. */
static double whole_division(const struct field *field, int64_t x, int64_t y)
{
    return weighted(field, x, y, straight, 0.0);
}

static double added(const struct field *field, int64_t x, int64_t y)
{
    return is_border(field, x, y) ? at(field, x, y) : at(field, x, y) + right_rule(field, x, y);
}

static double fifth(const struct field *field, int64_t x, int64_t y)
{
    return is_border(field, x, y)
               ? at(field, x, y)
               : (double)(0.2f * (float)(weighted(field, x, y, straight, 1.0) + at(field, x, y)));
}

/* The points above and below are taken to be height elements away. */
static double height_for_width(const struct field *field, int64_t x, int64_t y)
{
    const int64_t i = y * field->width + x;
    const int64_t up = i - field->height, down = i + field->height;
    if (is_border(field, x, y)) {
        return at(field, x, y);
    }
    if (up < 0 || down >= field->width * field->height) {
        return NAN;
    }
    return 0.25 *
           (field->values[up] + field->values[down] + at(field, x - 1, y) + at(field, x + 1, y));
}

/* The table **********************************************************************************/

/* Computes a mistake; 0 if it cannot be judged. */
static int mistaken(const struct oracle_problem *problem, int64_t (*steps_made)(int64_t),
                    rule_function *rule, double *out_values)
{
    const int64_t steps = problem->parameters[STEPS];
    const int64_t made = steps_made(steps);
    const float *start = problem->inputs[0];
    double *right = calloc(problem->output_count, sizeof *right);
    bool differs = false;
    if (right == NULL || steps > EXACT_STEPS || made > EXACT_STEPS) {
        free(right);
        return 0;
    }
    for (size_t i = 0; i < problem->output_count; i++) {
        right[i] = out_values[i] = start[i];
    }
    advance(problem, right_rule, steps, right);
    const bool is_known = advance(problem, rule, made, out_values);
    for (size_t i = 0; i < problem->output_count && !differs; i++) {
        differs = out_values[i] != right[i];
    }
    free(right);
    return is_known && differs;
}

/* ROW(name, steps, rule, message, hint); the more frequent ones first, and before those that give
 * the same in some cases. */
#define MISTAKES(ROW)                                                                              \
    ROW(no_step_made, no_steps, right_rule, "the field is as it was: no step has been made",       \
        "launch the kernel once for each step, and copy the result to d_a where it is elsewhere")  \
    ROW(one_step_missing, one_step_less, right_rule, "one step is missing",                        \
        "the loop makes `steps` steps: for (int step = 0; step < steps; step++)")                  \
    ROW(one_step_too_many, one_step_more, right_rule, "one step too many is made",                 \
        "the loop makes `steps` steps: for (int step = 0; step < steps; step++)")                  \
    ROW(only_one_step, one_step, right_rule, "only one step is made, however many are asked for",  \
        "launch the kernel once for each step")                                                    \
    ROW(twice_as_many, twice_the_steps, right_rule, "twice as many steps are made",                \
        "from d_a to d_b is one step, and from d_b to d_a is the next one")                        \
    ROW(left_in_d_b, other_array_if_odd, right_rule,                                               \
        "after an odd number of steps, d_a holds the field of the step before",                    \
        "after an odd number of swaps the result is in d_b: copy it to d_a")                       \
    ROW(overwritten, other_array_if_even, right_rule,                                              \
        "after an even number of steps, d_a holds the field of the step before",                   \
        "copy d_b to d_a only where the last step has written to d_b")                             \
    ROW(border_from_zeros, all_steps, zero_outside,                                                \
        "points of the border change as if there were zeros around the field",                     \
        "a point in the first or last row or column keeps its value")                              \
    ROW(border_from_itself, all_steps, border_repeated,                                            \
        "points of the border change as if the border were repeated around the field",             \
        "a point in the first or last row or column keeps its value")                              \
    ROW(border_from_other_side, all_steps, other_side,                                             \
        "points of the border change as if their neighbours were at the other side of the field",  \
        "a point in the first or last row or column keeps its value")                              \
    ROW(rows_joined, all_steps, sides_not_checked,                                                 \
        "points of the first and last column change: their neighbours are taken from other rows",  \
        "compute x and y of the point; it is on the border where x is 0 or width - 1, too")        \
    ROW(border_is_zero, all_steps, border_cleared, "the border becomes zero",                      \
        "a point in the first or last row or column keeps its value")                              \
    ROW(last_inner_kept, all_steps, last_inner_stay,                                               \
        "the last inner row and column keep their values, as if they were border",                 \
        "inner points have x < width - 1 and y < height - 1")                                      \
    ROW(first_inner_kept, all_steps, first_inner_stay,                                             \
        "the first inner row and column keep their values, as if they were border",                \
        "inner points have x > 0 and y > 0")                                                       \
    ROW(border_of_two, all_steps, two_wide_border, "two rows and columns at each side stay",       \
        "the border is one point wide: x is 0 or width - 1, or y is 0 or height - 1")              \
    ROW(up_twice, all_steps, up_for_down, "the point above counts twice, the one below never",     \
        "the point below is element i + width")                                                    \
    ROW(down_twice, all_steps, down_for_up, "the point below counts twice, the one above never",   \
        "the point above is element i - width")                                                    \
    ROW(left_twice, all_steps, left_for_right,                                                     \
        "the point on the left counts twice, the one on the right never",                          \
        "the point on the right is element i + 1")                                                 \
    ROW(right_twice, all_steps, right_for_left,                                                    \
        "the point on the right counts twice, the one on the left never",                          \
        "the point on the left is element i - 1")                                                  \
    ROW(diagonal_points, all_steps, diagonals,                                                     \
        "the four diagonal neighbours are added, not those above, below, left and right",          \
        "the neighbours of element i are i - width, i + width, i - 1 and i + 1")                   \
    ROW(eight_points, all_steps, eight_neighbours, "the mean of eight neighbours is taken",        \
        "only the points above, below, left and right count")                                      \
    ROW(sum_of_four, all_steps, not_divided,                                                       \
        "the sum of the neighbours is not multiplied by 0.25",                                     \
        "an inner point becomes 0.25f * (up + down + left + right)")                               \
    ROW(half_of_sum, all_steps, halved, "the sum of the neighbours is multiplied by 0.5",          \
        "an inner point becomes 0.25f * (up + down + left + right)")                               \
    ROW(division_of_ints, all_steps, whole_division, "inner points become zero",                   \
        "1 / 4 is a division of whole numbers, which gives 0: write 0.25f")                        \
    ROW(old_value_added, all_steps, added, "the old value of the point is added to the mean",      \
        "an inner point becomes 0.25f * (up + down + left + right), without itself")               \
    ROW(mean_of_five, all_steps, fifth, "the point itself counts, as a fifth one",                 \
        "an inner point becomes 0.25f * (up + down + left + right), without itself")               \
    ROW(height_as_row_length, all_steps, height_for_width,                                         \
        "the points above and below are taken to be height elements away",                         \
        "a row has width points: the one above element i is element i - width")

#define COMPUTE(name, steps, rule, message, hint)                                                  \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return mistaken(problem, steps, rule, out_values);                                         \
    }
MISTAKES(COMPUTE)
#undef COMPUTE

#define MISTAKE(name, steps, rule, message, hint) {#name, message, hint, compute_##name},
static const struct oracle_mistake mistakes[] = {MISTAKES(MISTAKE)};
#undef MISTAKE

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = needs,
    .launch_mistakes =
        (const char *const[]){"no_step_made", "one_step_missing", "one_step_too_many",
                              "only_one_step", "twice_as_many", NULL},
    .copy_mistakes = (const char *const[]){"left_in_d_b", "overwritten", NULL},
};
