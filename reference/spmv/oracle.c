/* oracle.c: what a sparse product must be, what well-known mistakes make of it, and the matrices.
 *
 *   y[row] = sum of value[k] * x[column[k]] over row_start[row] <= k < row_start[row + 1]
 *
 * A mistake is a function that says what it makes of one row. It is not judged where threads would
 * read outside of an array or what was never written, nor where it changes nothing.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>

/* Parameters. MEAN is the elements of all rows, divided by the rows; no row has fewer than LEAST.
 * SHAPE is one of the shapes below. */
enum { ROWS, COLUMNS, MEAN, LEAST, SHAPE };
enum { ROW_START, COLUMN, VALUE, X }; /* inputs */
enum { WARP = 32 };

/* How the elements are spread over the rows. */
enum { RANDOM = 1, NONE, IN_ONE_ROW, DIAGONAL };

/* Matrices ***********************************************************************************/

/* How many of the `left` elements one of the `rows_left` rows gets: one row in eight is long, and
 * some are as short as can be. */
static int64_t random_length(struct oracle_random *random, int64_t left, int64_t rows_left)
{
    const int64_t usual = 2 * (left / rows_left);
    int64_t most = left;

    if (rows_left == 1) {
        return left;
    }
    if (oracle_random_range(random, 0, 7) != 0 && usual < left) {
        most = usual;
    }
    return oracle_random_range(random, 0, most);
}

static void make_inputs(const struct oracle_problem *problem, struct oracle_random *random,
                        void *const *inputs)
{
    const int64_t rows = problem->parameters[ROWS], columns = problem->parameters[COLUMNS];
    const int64_t least = problem->parameters[LEAST], shape = problem->parameters[SHAPE];
    const int64_t elements = rows * problem->parameters[MEAN];
    const int64_t long_row = oracle_random_range(random, 0, rows - 1);
    int64_t left = shape == NONE ? 0 : elements - rows * least;
    int32_t *start = inputs[ROW_START], *column = inputs[COLUMN];

    start[0] = 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t length = 0;
        if (shape == IN_ONE_ROW) {
            length = row == long_row ? left : 0;
        } else if (shape == DIAGONAL) {
            length = 1;
        } else if (shape == RANDOM) {
            length = least + random_length(random, left, rows - row);
            left -= length - least;
        }
        start[row + 1] = start[row] + (int32_t)length;
    }
    for (int64_t i = 0; i < elements; i++) {
        column[i] = (int32_t)(shape == DIAGONAL ? i : oracle_random_range(random, 0, columns - 1));
    }
}

/* The right result ***************************************************************************/

struct matrix {
    const int32_t *start, *column;
    const float *value, *x;
    int64_t rows, columns;
    int64_t capacity; /* elements of the arrays */
};

static struct matrix matrix_of(const struct oracle_problem *problem)
{
    return (struct matrix){
        .start = problem->inputs[ROW_START],
        .column = problem->inputs[COLUMN],
        .value = problem->inputs[VALUE],
        .x = problem->inputs[X],
        .rows = problem->parameters[ROWS],
        .columns = problem->parameters[COLUMNS],
        .capacity = problem->parameters[ROWS] * problem->parameters[MEAN],
    };
}

static double product(const struct matrix *of, int64_t k)
{
    return (double)of->value[k] * of->x[of->column[k]];
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const struct matrix matrix = matrix_of(problem);

    for (int64_t row = 0; row < matrix.rows; row++) {
        for (int32_t k = matrix.start[row]; k < matrix.start[row + 1]; k++) {
            out_expected[row] += product(&matrix, k);
            out_magnitudes[row] += fabs(product(&matrix, k));
        }
    }
}

/* The values of the row, and the elements of x that they are multiplied by. Where a column occurs
 * twice, x is listed at its first place only. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    const struct matrix matrix = matrix_of(problem);
    size_t count = 0;

    for (int32_t k = matrix.start[element]; k < matrix.start[element + 1]; k++) {
        bool is_listed = false;
        if (count < capacity) {
            out_needs[count] = (struct oracle_need){.input = VALUE, .element = (size_t)k};
        }
        count++;
        for (int32_t before = matrix.start[element]; before < k && !is_listed; before++) {
            is_listed = matrix.column[before] == matrix.column[k];
        }
        if (is_listed) {
            continue;
        }
        if (count < capacity) {
            out_needs[count] =
                (struct oracle_need){.input = X, .element = (size_t)matrix.column[k]};
        }
        count++;
    }
    return count;
}

/* Mistakes ***********************************************************************************/

/* What is written for one row; false: that is not determined. An element that is not written is
 * NaN. */
typedef bool row_function(const struct matrix *of, int64_t row, double *out_value);

/* Which elements of a row count: its length and the place of the element in it are known. */
typedef bool place_function(int64_t place, int64_t length);

static double sum_of(const struct matrix *of, int64_t row, place_function *counts)
{
    const int64_t length = of->start[row + 1] - of->start[row];
    double sum = 0.0;

    for (int64_t place = 0; place < length; place++) {
        sum += counts(place, length) ? product(of, of->start[row] + place) : 0.0;
    }
    return sum;
}

static bool in_all(int64_t place, int64_t length)
{
    return place < length;
}

/* ROW(name, condition): the mistake that only these elements count. */
#define SELECTIONS(ROW)                                                                            \
    ROW(first_32, place < 32)                                                                      \
    ROW(first_64, place < 64)                                                                      \
    ROW(first_128, place < 128)                                                                    \
    ROW(first_256, place < 256)                                                                    \
    ROW(lane_0, place % WARP == 0)                                                                 \
    ROW(lower_lanes, place % WARP < WARP / 2)                                                      \
    ROW(even_lanes, place % 2 == 0)                                                                \
    ROW(two_of_three, place % 3 < 2)                                                               \
    ROW(whole_warps, place < length - length % WARP)                                               \
    ROW(sixteen_bits, place < length % 65536)                                                      \
    ROW(without_first, place > 0)                                                                  \
    ROW(without_last, place < length - 1)
#define DEFINE_SELECTION(name, condition)                                                          \
    static bool in_##name(int64_t place, int64_t length)                                           \
    {                                                                                              \
        (void)place;                                                                               \
        (void)length;                                                                              \
        return condition;                                                                          \
    }                                                                                              \
    static bool name(const struct matrix *of, int64_t row, double *out_value)                      \
    {                                                                                              \
        *out_value = sum_of(of, row, in_##name);                                                   \
        return true;                                                                               \
    }
SELECTIONS(DEFINE_SELECTION)

static bool empty_unwritten(const struct matrix *of, int64_t row, double *out_value)
{
    *out_value = of->start[row] == of->start[row + 1] ? NAN : sum_of(of, row, in_all);
    return true;
}

static bool values_alone(const struct matrix *of, int64_t row, double *out_value)
{
    for (int32_t k = of->start[row]; k < of->start[row + 1]; k++) {
        *out_value += of->value[k];
    }
    return true;
}

static bool x_alone(const struct matrix *of, int64_t row, double *out_value)
{
    for (int32_t k = of->start[row]; k < of->start[row + 1]; k++) {
        *out_value += of->x[of->column[k]];
    }
    return true;
}

static bool x_of_place(const struct matrix *of, int64_t row, double *out_value)
{
    if (of->start[row + 1] - of->start[row] > of->columns) {
        return false;
    }
    for (int32_t k = of->start[row]; k < of->start[row + 1]; k++) {
        *out_value += (double)of->value[k] * of->x[k - of->start[row]];
    }
    return true;
}

static bool x_of_row(const struct matrix *of, int64_t row, double *out_value)
{
    if (row >= of->columns) {
        return false;
    }
    for (int32_t k = of->start[row]; k < of->start[row + 1]; k++) {
        *out_value += (double)of->value[k] * of->x[row];
    }
    return true;
}

static bool x_of_element(const struct matrix *of, int64_t row, double *out_value)
{
    if (of->start[of->rows] > of->columns) {
        return false;
    }
    for (int32_t k = of->start[row]; k < of->start[row + 1]; k++) {
        *out_value += (double)of->value[k] * of->x[k];
    }
    return true;
}

static bool first_values(const struct matrix *of, int64_t row, double *out_value)
{
    for (int32_t k = of->start[row]; k < of->start[row + 1]; k++) {
        *out_value += (double)of->value[k - of->start[row]] * of->x[of->column[k]];
    }
    return true;
}

static bool value_of_first(const struct matrix *of, int64_t row, double *out_value)
{
    for (int32_t k = of->start[row]; k < of->start[row + 1]; k++) {
        *out_value += (double)of->value[of->start[row]] * of->x[of->column[k]];
    }
    return true;
}

/* What takes time that grows with the square of the elements or rows is judged for so many. */
enum { ELEMENTS_MAX = 20000 };

static bool from_the_start(const struct matrix *of, int64_t row, double *out_value)
{
    if (of->start[of->rows] > ELEMENTS_MAX || of->rows > ELEMENTS_MAX) {
        return false;
    }
    for (int64_t before = 0; before <= row; before++) {
        *out_value += sum_of(of, before, in_all);
    }
    return true;
}

static bool one_too_many(const struct matrix *of, int64_t row, double *out_value)
{
    if (of->start[of->rows] >= of->capacity) {
        return false;
    }
    *out_value = sum_of(of, row, in_all) + product(of, of->start[row + 1]);
    return true;
}

/* The last of equal columns counts. */
static bool columns_once(const struct matrix *of, int64_t row, double *out_value)
{
    if (of->start[of->rows] > ELEMENTS_MAX) {
        return false;
    }
    for (int32_t k = of->start[row]; k < of->start[row + 1]; k++) {
        bool occurs_later = false;
        for (int32_t later = k + 1; later < of->start[row + 1] && !occurs_later; later++) {
            occurs_later = of->column[later] == of->column[k];
        }
        *out_value += occurs_later ? 0.0 : product(of, k);
    }
    return true;
}

static bool transposed(const struct matrix *of, int64_t row, double *out_value)
{
    if (of->columns != of->rows || of->start[of->rows] > ELEMENTS_MAX) {
        return false;
    }
    for (int64_t other = 0; other < of->rows; other++) {
        for (int32_t k = of->start[other]; k < of->start[other + 1]; k++) {
            *out_value += of->column[k] == row ? (double)of->value[k] * of->x[other] : 0.0;
        }
    }
    return true;
}

static bool last_row_missing(const struct matrix *of, int64_t row, double *out_value)
{
    *out_value = row == of->rows - 1 ? NAN : sum_of(of, row, in_all);
    return true;
}

/* Computes a mistake; 0 if it cannot be judged. */
static int mistaken(const struct oracle_problem *problem, row_function *make, double *out_values)
{
    const struct matrix matrix = matrix_of(problem);
    bool differs = false, says_something = false;

    for (int64_t row = 0; row < matrix.rows; row++) {
        double value = 0.0;
        if (!make(&matrix, row, &value)) {
            return 0;
        }
        out_values[row] = value;
        differs = differs || !(value == sum_of(&matrix, row, in_all));
        says_something = says_something || (!isnan(value) && value != 0.0);
    }
    return differs && says_something;
}

/* ROW(name, message, hint); the more frequent ones first. */
#define STEP "a lane that has handled an element goes on with the one that is 32 further on"
#define REDUCTION                                                                                  \
    "the sums of all 32 lanes belong together: add the sum of the lane that is 16 further on, "    \
    "then 8, 4, 2 and 1"
#define RANGE "the elements of row r are row_start[r] <= k < row_start[r + 1]"
#define X_INDEX "element k is multiplied by x[column[k]]"
#define MISTAKES(ROW)                                                                              \
    ROW(empty_unwritten, "rows without elements are never written", "the sum of no elements is 0") \
    ROW(first_32, "only the first 32 elements of each row count", STEP)                            \
    ROW(lane_0, "only every 32nd element of a row counts",                                         \
        "each lane has a sum of its own, and all of them belong to the row: " REDUCTION)           \
    ROW(lower_lanes, "the second half of each 32 elements of a row is missing", REDUCTION)         \
    ROW(even_lanes, "every second element of a row is missing", REDUCTION)                         \
    ROW(two_of_three, "every third element of a row is missing",                                   \
        "a sum by halves needs a number of threads that is a power of two")                        \
    ROW(whole_warps, "the elements after the last whole 32 of a row are missing",                  \
        "the loop ends when k reaches row_start[r + 1], also where fewer than 32 elements are "    \
        "left")                                                                                    \
    ROW(first_64, "only the first 64 elements of each row count",                                  \
        "a row may have more elements than threads work on it: let them go on in steps")           \
    ROW(first_128, "only the first 128 elements of each row count",                                \
        "a row may have more elements than threads work on it: let them go on in steps")           \
    ROW(first_256, "only the first 256 elements of each row count",                                \
        "a row may have more elements than threads work on it: let them go on in steps")           \
    ROW(without_last, "the last element of each row is missing", RANGE)                            \
    ROW(without_first, "the first element of each row is missing", RANGE)                          \
    ROW(one_too_many, "each row holds the first element of the next one, too", RANGE)              \
    ROW(x_of_place, "x is read at the place within the row, not at the column", X_INDEX)           \
    ROW(x_of_element, "x is read at the number of the element, not at its column", X_INDEX)        \
    ROW(x_of_row, "x is read at the row, not at the column", X_INDEX)                              \
    ROW(values_alone, "the values are added up without x", X_INDEX)                                \
    ROW(x_alone, "elements of x are added up without the values", X_INDEX)                         \
    ROW(first_values, "every row uses the first values of the matrix", RANGE)                      \
    ROW(value_of_first, "every element of a row has the value of the row's first one", RANGE)      \
    ROW(sixteen_bits, "a row of 65536 elements or more misses 65536 of them",                      \
        "a short has 16 bits: lengths and indices are ints")                                       \
    ROW(from_the_start, "each row holds the sum of all rows before it, too",                       \
        "begin each row with a sum of 0")                                                          \
    ROW(columns_once, "where a column occurs twice in a row, only the last one counts",            \
        "both elements count: add each of them")                                                   \
    ROW(transposed, "the product is that of the transposed matrix",                                \
        "x is read at the column, and y is written at the row")                                    \
    ROW(last_row_missing, "the last row is never written", "the rows are those with r < rows")

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
    .needs = needs,
    .make_inputs = make_inputs,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
};
