/* value_pattern.c: see value_pattern.h. */
#include "diagnosis/patterns/value_pattern.h"

#include "base/device_window.h"
#include "diagnosis/patterns/moved_pattern.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { SHIFTS_MAX = 32 };

struct finder {
    struct arena *arena;
    const struct wrong_outputs *outputs;
};

static bool tell(struct value_pattern *out, const char *clause, const char *hint)
{
    *out = (struct value_pattern){.clause = clause, .hint = hint};
    return true;
}

static size_t elements_of(const struct wrong_output *output)
{
    return output->rows * output->columns;
}

/* With all digits of a whole number. */
static const char *number_words(struct arena *arena, double value)
{
    return value == trunc(value) && fabs(value) < 0x1p53 ? arena_printf(arena, "%.0f", value)
                                                         : arena_printf(arena, "%.9g", value);
}

/* One value everywhere ***************************************************************************/

static bool find_one_value(const struct finder *finder, struct value_pattern *out)
{
    double value = finder->outputs->outputs[0].got[0];

    for (size_t i = 0; i < finder->outputs->count; i++) {
        const struct wrong_output *output = &finder->outputs->outputs[i];
        for (size_t j = 0; j < elements_of(output); j++) {
            if (output->got[j] != value) {
                return false;
            }
        }
    }
    if (value == 0.0) {
        return tell(
            out, "every element is 0",
            finder->outputs->is_product
                ? "the result is stored before anything is added to it, or what is "
                  "multiplied is 0: check what the tiles hold"
                : "check what shared memory, or the variable that is stored, holds at that point");
    }
    if (value == DEVICE_UNDEFINED_WORD) {
        return tell(out, "every element is what memory holds that nothing has written",
                    "memory that the program keeps is undefined when a call begins: compute the "
                    "result again, and copy it from where this call has written it");
    }
    return tell(
        out, arena_printf(finder->arena, "every element is %s", number_words(finder->arena, value)),
        "the value that is stored does not depend on the inputs");
}

/* Likewise for the wrong elements alone, of which there are several. */
static bool find_one_wrong_value(const struct finder *finder, struct value_pattern *out)
{
    double value = NAN;
    size_t wrong = 0;

    for (size_t i = 0; i < finder->outputs->count; i++) {
        const struct wrong_output *output = &finder->outputs->outputs[i];
        for (size_t j = 0; j < elements_of(output); j++) {
            if (output->got[j] == output->expected[j]) {
                continue;
            }
            value = wrong++ == 0 ? output->got[j] : value;
            if (!(output->got[j] == value)) {
                return false;
            }
        }
    }
    if (wrong < 2) {
        return false;
    }
    out->is_of_wrong = true;
    out->clause = arena_printf(finder->arena, "every wrong element is %s",
                               number_words(finder->arena, value));
    out->hint =
        finder->outputs->is_product
            ? "check what is stored there instead of the sum, and the conditions around the store"
            : "check what is stored there instead of the result, and the conditions around the "
              "store";
    return true;
}

/* Whatever the inputs ****************************************************************************/

/* True if two outputs are the same, element by element, and should not be. */
static bool same_output(const struct wrong_output *left, const struct wrong_output *right)
{
    bool is_wanted = true;

    if (elements_of(left) != elements_of(right)) {
        return false;
    }
    for (size_t i = 0; i < elements_of(left); i++) {
        if (!(left->got[i] == right->got[i])) {
            return false;
        }
        is_wanted = is_wanted && left->expected[i] == right->expected[i];
    }
    return !is_wanted;
}

static bool find_independent(const struct finder *finder, struct value_pattern *out)
{
    size_t compared = 0;

    for (size_t i = 1; i < finder->outputs->count; i++) {
        const struct wrong_output *left = &finder->outputs->outputs[i - 1];
        const struct wrong_output *right = &finder->outputs->outputs[i];
        if (left->number != right->number) {
            continue;
        }
        compared++;
        if (!same_output(left, right)) {
            return false;
        }
    }
    return compared > 0 &&
           tell(out, "the result is the same for all inputs",
                "compute it again each time: nothing may be kept from an earlier time");
}

/* A multiple *************************************************************************************/

/* The one factor of an output; NAN if there is none. */
static double factor_of(const struct wrong_output *output)
{
    double factor = NAN;

    for (size_t i = 0; i < elements_of(output) && isnan(factor); i++) {
        factor = output->expected[i] != 0.0 ? output->got[i] / output->expected[i] : NAN;
    }
    for (size_t i = 0; i < elements_of(output); i++) {
        if (!(output->got[i] == factor * output->expected[i])) {
            return NAN;
        }
    }
    return factor == rint(factor) && factor != 0.0 ? factor : NAN;
}

/* The parameter whose number of tiles is the factor everywhere; parameter_count if there is none.
 */
static size_t tiles_as_factor(const struct finder *finder)
{
    const struct wrong_outputs *outputs = finder->outputs;
    size_t found = outputs->parameter_count;

    for (size_t i = 0; i < outputs->parameter_count; i++) {
        bool holds = true;
        for (size_t j = 0; j < outputs->count && holds; j++) {
            const struct wrong_output *output = &outputs->outputs[j];
            int64_t blocks = output->block > 0 ? output->parameters[i] / output->block : 0;
            holds = output->block > 0 && factor_of(output) == (double)blocks;
        }
        if (holds && found < outputs->parameter_count) {
            return outputs->parameter_count; /* two that fit: nobody knows which */
        }
        found = holds ? i : found;
    }
    return found;
}

static bool find_factor(const struct finder *finder, struct value_pattern *out)
{
    const struct wrong_outputs *outputs = finder->outputs;
    const bool is_product = outputs->is_product;
    double factor = factor_of(&outputs->outputs[0]);
    bool is_same = true;

    for (size_t i = 0; i < outputs->count; i++) {
        double other = factor_of(&outputs->outputs[i]);
        if (isnan(other)) {
            return false;
        }
        is_same = is_same && other == factor;
    }
    if (is_same && factor == -1.0) {
        return tell(out, "every element has the wrong sign",
                    is_product
                        ? "add the products; do not subtract them"
                        : "the value is negated, or a difference is computed the wrong way round");
    }
    if (is_same) {
        return tell(
            out,
            arena_printf(finder->arena, "every element is %.9g times the expected value", factor),
            is_product ? "each product is added more than once: count the iterations of the loops"
                       : "the same value is added or multiplied too often");
    }
    size_t parameter = tiles_as_factor(finder);
    if (parameter == outputs->parameter_count) {
        return false;
    }
    return tell(out,
                arena_printf(finder->arena,
                             "every element is too large by a factor: the number of tiles along %s",
                             outputs->parameter_names[parameter]),
                "each product is added once for every tile: count the iterations of the loops");
}

/* A constant more ********************************************************************************/

static bool find_offset(const struct finder *finder, struct value_pattern *out)
{
    const struct wrong_output *first = &finder->outputs->outputs[0];
    double offset = first->got[0] - first->expected[0];

    for (size_t i = 0; i < finder->outputs->count; i++) {
        const struct wrong_output *output = &finder->outputs->outputs[i];
        for (size_t j = 0; j < elements_of(output); j++) {
            if (!(output->got[j] - output->expected[j] == offset)) {
                return false;
            }
        }
    }
    return tell(out,
                arena_printf(finder->arena, "every element is %.9g too %s", fabs(offset),
                             offset < 0.0 ? "small" : "large"),
                finder->outputs->is_product ? "check which value the sum starts with"
                                            : "check what else is added to each result");
}

/* What the wrong elements have in common, for a constant that rounding hides. */
struct bias {
    double sum;              /* of errors */
    double most, largest;    /* the largest error and expected value, without signs */
    double finest, smallest; /* the error of the smallest wrong one, which is rounded least */
    size_t count, wrong, wrong_positive, wrong_negative; /* by the sign of what is expected */
};

static bool add_to_bias(struct bias *bias, const struct wrong_output *output)
{
    for (size_t i = 0; i < elements_of(output); i++) {
        const double error = output->got[i] - output->expected[i];
        if (!isfinite(error) || error * bias->sum < 0.0) {
            return false;
        }
        bias->sum += error;
        bias->most = fmax(bias->most, fabs(error));
        bias->largest = fmax(bias->largest, fabs(output->expected[i]));
        bias->count++;
        if (error != 0.0 && !(fabs(output->expected[i]) >= bias->smallest)) {
            bias->smallest = fabs(output->expected[i]);
            bias->finest = fabs(error);
        }
        bias->wrong += error != 0.0 ? 1 : 0;
        bias->wrong_positive += error != 0.0 && output->expected[i] > 0.0 ? 1 : 0;
        bias->wrong_negative += error != 0.0 && output->expected[i] < 0.0 ? 1 : 0;
    }
    return true;
}

/* A constant that is small beside the results: each is rounded, so its error is not the constant,
 * but all errors go the same way, whatever the sign of the result. Rounding alone goes both ways,
 * and a factor goes away from zero or towards it. */
static bool find_bias(const struct finder *finder, struct value_pattern *out)
{
    enum { WRONG_LEAST = 32, OF_EACH_SIGN_LEAST = 8 };
    struct bias bias = {.smallest = INFINITY};

    for (size_t i = 0; i < finder->outputs->count; i++) {
        if (!add_to_bias(&bias, &finder->outputs->outputs[i])) {
            return false;
        }
    }
    const double mean = bias.count > 0 ? fabs(bias.sum) / (double)bias.count : 0.0;
    const double rounding = 0x1p-20 * bias.largest;
    if (bias.wrong < WRONG_LEAST || bias.wrong_positive < OF_EACH_SIGN_LEAST ||
        bias.wrong_negative < OF_EACH_SIGN_LEAST || bias.most > mean + rounding) {
        return false;
    }
    return tell(
        out,
        arena_printf(finder->arena,
                     "every wrong element is too %s, by about %.1g: a constant, not rounding",
                     bias.sum < 0.0 ? "small" : "large", bias.finest),
        finder->outputs->is_product ? "check which value the sum starts with"
                                    : "check what else is added to each result");
}

/* Values of other elements ***********************************************************************/

/* Where the value of an element comes from. */
struct move {
    int64_t rows, columns;              /* added to its indices */
    bool mirrors_rows, mirrors_columns; /* counted from the end */
};

/* The element whose right value an element should have after a move; false if it lies outside. */
static bool source_of(const struct wrong_output *output, const struct move *move, size_t index,
                      size_t *out_source)
{
    int64_t rows = (int64_t)output->rows;
    int64_t columns = (int64_t)output->columns;
    int64_t row = (int64_t)(index / output->columns);
    int64_t column = (int64_t)(index % output->columns);

    row = (move->mirrors_rows ? rows - 1 - row : row) + move->rows;
    column = (move->mirrors_columns ? columns - 1 - column : column) + move->columns;
    if (row < 0 || row >= rows || column < 0 || column >= columns) {
        return false;
    }
    *out_source = (size_t)(row * columns + column);
    return true;
}

/* How many elements have their source inside. All of them must have its value: the first that has
 * not ends the count, and sets *out_differs. */
static size_t count_moved(const struct wrong_output *output, const struct move *move,
                          bool *out_differs)
{
    size_t inside = 0;

    for (size_t i = 0; i < elements_of(output) && !*out_differs; i++) {
        size_t source = 0;
        if (!source_of(output, move, i, &source)) {
            continue;
        }
        inside++;
        if (!(output->got[i] == output->expected[source])) {
            *out_differs = true;
        }
    }
    return inside;
}

/* True if the elements of all outputs have the values of their sources, which are at least half of
 * them; outputs that are too small for that say nothing. */
static bool moved(const struct finder *finder, const struct move *move)
{
    bool differs = false;
    size_t telling = 0;

    for (size_t i = 0; i < finder->outputs->count && !differs; i++) {
        const struct wrong_output *output = &finder->outputs->outputs[i];
        const size_t inside = count_moved(output, move, &differs);
        const bool is_small = elements_of(output) <= 2 * SHIFTS_MAX;
        if (inside > 0 && inside >= elements_of(output) / 2) {
            telling++;
        } else if (!is_small || !finder->outputs->is_vector) {
            return false;
        }
    }
    return !differs && telling > 0;
}

static bool find_mirrored(const struct finder *finder, struct value_pattern *out)
{
    static const char hint[] = "check which row and which column each thread stores";
    static const struct {
        struct move move;
        const char *clause;
    } mirrors[] = {
        {{0, 0, true, false}, "the rows are in reverse order"},
        {{0, 0, false, true}, "the columns are in reverse order"},
        {{0, 0, true, true}, "the elements are in reverse order"},
    };

    if (finder->outputs->is_vector) {
        return moved(finder, &mirrors[1].move) &&
               tell(out, mirrors[2].clause, "check which element each thread stores");
    }
    for (size_t i = 0; i < sizeof mirrors / sizeof mirrors[0]; i++) {
        if (moved(finder, &mirrors[i].move)) {
            return tell(out, mirrors[i].clause, hint);
        }
    }
    return false;
}

/* Rows and columns exchanged *********************************************************************/

/* What is exchanged: the whole output's rows and columns, those within each tile, the tiles'. */
enum exchange { EXCHANGE_ALL, EXCHANGE_IN_TILES, EXCHANGE_TILES, EXCHANGES };

/* The element whose value stands at an index after an exchange; false if it lies outside. */
static bool exchanged_source(const struct wrong_output *output, enum exchange exchange,
                             size_t index, size_t *out_source)
{
    const size_t block = exchange == EXCHANGE_ALL ? 1 : (size_t)output->block;
    const size_t row = index / output->columns;
    const size_t column = index % output->columns;
    const size_t across = exchange == EXCHANGE_TILES ? row % block : column % block;
    const size_t down = exchange == EXCHANGE_TILES ? column % block : row % block;
    size_t source_row = column / block * block + across;
    size_t source_column = row / block * block + down;

    if (exchange == EXCHANGE_IN_TILES) {
        source_row = row / block * block + column % block;
        source_column = column / block * block + row % block;
    }
    *out_source = source_row * output->columns + source_column;
    return source_row < output->rows && source_column < output->columns;
}

/* True if an element lies in a tile that the border does not cut. */
static bool is_in_whole_tile(const struct wrong_output *output, size_t index)
{
    const size_t block = (size_t)output->block;

    return index / output->columns < output->rows / block * block &&
           index % output->columns < output->columns / block * block;
}

/* True if that is possible in an output: rows and columns change places in squares only. */
static bool may_be_exchanged(const struct wrong_output *output, enum exchange exchange)
{
    const bool is_square = output->rows == output->columns;
    const bool has_tiles = output->block > 1;
    const bool is_tiled = has_tiles && output->rows % (size_t)output->block == 0;

    return exchange == EXCHANGE_ALL        ? is_square
           : exchange == EXCHANGE_IN_TILES ? has_tiles
                                           : is_square && is_tiled;
}

/* True if all elements, of tiles those that are whole, have the values of their sources. */
static bool is_exchanged(const struct finder *finder, enum exchange exchange)
{
    size_t compared = 0;

    for (size_t i = 0; i < finder->outputs->count; i++) {
        const struct wrong_output *output = &finder->outputs->outputs[i];
        if (!may_be_exchanged(output, exchange)) {
            return false;
        }
        for (size_t j = 0; j < elements_of(output); j++) {
            size_t source = 0;
            if (exchange == EXCHANGE_IN_TILES && !is_in_whole_tile(output, j)) {
                continue;
            }
            if (!exchanged_source(output, exchange, j, &source) ||
                !(output->got[j] == output->expected[source])) {
                return false;
            }
            compared += source != j ? 1 : 0;
        }
    }
    return compared > 0;
}

static bool find_exchanged(const struct finder *finder, struct value_pattern *out)
{
    static const char *const clauses[EXCHANGES] = {
        "rows and columns are swapped",
        "rows and columns are swapped within each tile",
        "the rows and columns of tiles are swapped",
    };
    static const char *const hints[EXCHANGES] = {
        "x counts columns and y counts rows: check the indices of the load and of the store",
        "threadIdx.x and threadIdx.y are swapped where shared memory is written or read",
        "blockIdx.x and blockIdx.y are swapped, either in the load or in the store",
    };

    for (enum exchange i = EXCHANGE_ALL; i < EXCHANGES && !finder->outputs->is_vector; i++) {
        if (is_exchanged(finder, i)) {
            return tell(out, clauses[i], hints[i]);
        }
    }
    return false;
}

/* Shifted ****************************************************************************************/

static const char *shift_text(struct arena *arena, int64_t by, const char *what, const char *back,
                              const char *forth)
{
    int64_t distance = by < 0 ? -by : by;

    return arena_printf(arena, "all values are %" PRId64 " %s%s too far %s", distance, what,
                        distance == 1 ? "" : "s", by < 0 ? forth : back);
}

static bool find_shifted(const struct finder *finder, struct value_pattern *out)
{
    static const char hint[] =
        "the index of an operand or of the store is too large or too small by that much";

    for (int64_t by = 1; by <= SHIFTS_MAX; by++) {
        for (int64_t sign = -1; sign <= 1; sign += 2) {
            const struct move rows = {.rows = by * sign};
            const struct move columns = {.columns = by * sign};
            if (moved(finder, &rows)) {
                return tell(out, shift_text(finder->arena, rows.rows, "row", "up", "down"), hint);
            }
            if (moved(finder, &columns) && finder->outputs->is_vector) {
                return tell(out,
                            arena_printf(finder->arena, "all values are %" PRId64 " place%s too %s",
                                         by, by == 1 ? "" : "s", sign > 0 ? "early" : "late"),
                            hint);
            }
            if (moved(finder, &columns)) {
                return tell(out,
                            shift_text(finder->arena, columns.columns, "column", "left", "right"),
                            hint);
            }
        }
    }
    return false;
}

static bool find_moved(const struct finder *finder, struct value_pattern *out)
{
    return moved_pattern_find(finder->arena, finder->outputs, out);
}

bool value_pattern_find(struct arena *arena, const struct wrong_outputs *outputs,
                        struct value_pattern *out_pattern)
{
    static bool (*const kinds[])(const struct finder *finder, struct value_pattern *out) = {
        find_one_value, find_independent, find_factor, find_offset,          find_mirrored,
        find_exchanged, find_shifted,     find_moved,  find_one_wrong_value, find_bias};
    const struct finder finder = {arena, outputs};

    for (size_t i = 0; i < outputs->count; i++) {
        if (elements_of(&outputs->outputs[i]) == 0) {
            return false;
        }
    }
    *out_pattern = (struct value_pattern){0};
    for (size_t i = 0; outputs->count > 0 && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i](&finder, out_pattern)) {
            return true;
        }
    }
    return false;
}
