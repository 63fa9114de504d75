/* value_pattern.c: see value_pattern.h. */
#include "criteria/value_pattern.h"

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

/* One value everywhere
 * ****************************************************************************/

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
        return tell(out, "every element is 0",
                    "the result is stored before anything is added to it, or what is multiplied "
                    "is 0: check what the tiles hold");
    }
    return tell(out, arena_printf(finder->arena, "every element is %.9g", value),
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
    out->clause = arena_printf(finder->arena, "every wrong element is %.9g", value);
    out->hint = "what takes the place of the sum there: look at conditions around the store";
    return true;
}

/* Whatever the inputs
 * *****************************************************************************/

/* True if two outputs are the same, element by element. */
static bool same_output(const struct wrong_output *left, const struct wrong_output *right)
{
    for (size_t i = 0; i < elements_of(left); i++) {
        if (!(left->got[i] == right->got[i])) {
            return false;
        }
    }
    return elements_of(left) == elements_of(right);
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
    return compared > 0 && tell(out, "the result is the same whatever the inputs are",
                                "compute it anew in each launch: nothing may be kept from an "
                                "earlier one");
}

/* A multiple
 * **************************************************************************************/

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
        return tell(out, "every element has the wrong sign", "products are added, not subtracted");
    }
    if (is_same) {
        return tell(
            out, arena_printf(finder->arena, "every element is %.9g times what it must be", factor),
            "each product is added more than once: count the rounds of the loops");
    }
    size_t parameter = tiles_as_factor(finder);
    if (parameter == outputs->parameter_count) {
        return false;
    }
    return tell(out,
                arena_printf(finder->arena,
                             "every element is as many times too large as %s has "
                             "tiles",
                             outputs->parameter_names[parameter]),
                "each product is added once for every tile: count the rounds of the loops");
}

/* A constant more
 * *********************************************************************************/

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
                "which value does the sum start with");
}

/* Values of other elements
 * ************************************************************************/

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

/* True if every element whose source lies inside has the value of it, which are at least half. */
static bool moved_output(const struct wrong_output *output, const struct move *move)
{
    size_t inside = 0;

    for (size_t i = 0; i < elements_of(output); i++) {
        size_t source = 0;
        if (!source_of(output, move, i, &source)) {
            continue;
        }
        inside++;
        if (!(output->got[i] == output->expected[source])) {
            return false;
        }
    }
    return inside > 0 && inside >= elements_of(output) / 2;
}

static bool moved(const struct finder *finder, const struct move *move)
{
    for (size_t i = 0; i < finder->outputs->count; i++) {
        if (!moved_output(&finder->outputs->outputs[i], move)) {
            return false;
        }
    }
    return true;
}

static bool find_mirrored(const struct finder *finder, struct value_pattern *out)
{
    static const struct {
        struct move move;
        const char *clause;
    } mirrors[] = {
        {{0, 0, true, false}, "the rows come in the reverse order"},
        {{0, 0, false, true}, "the columns come in the reverse order"},
        {{0, 0, true, true}, "the elements come in the reverse order"},
    };

    for (size_t i = 0; i < sizeof mirrors / sizeof mirrors[0]; i++) {
        if (moved(finder, &mirrors[i].move)) {
            return tell(out, mirrors[i].clause,
                        "which row and which column does each thread store");
        }
    }
    return false;
}

static const char *shift_text(struct arena *arena, int64_t by, const char *what, const char *back,
                              const char *forth)
{
    int64_t distance = by < 0 ? -by : by;

    return arena_printf(arena, "all values stand %" PRId64 " %s%s too far %s", distance, what,
                        distance == 1 ? "" : "s", by < 0 ? forth : back);
}

static bool find_shifted(const struct finder *finder, struct value_pattern *out)
{
    static const char hint[] = "the index of an operand or of the store is too large or too small "
                               "by as much";

    for (int64_t by = 1; by <= SHIFTS_MAX; by++) {
        for (int64_t sign = -1; sign <= 1; sign += 2) {
            const struct move rows = {.rows = by * sign};
            const struct move columns = {.columns = by * sign};
            if (moved(finder, &rows)) {
                return tell(out, shift_text(finder->arena, rows.rows, "row", "up", "down"), hint);
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

bool value_pattern_find(struct arena *arena, const struct wrong_outputs *outputs,
                        struct value_pattern *out_pattern)
{
    static bool (*const kinds[])(const struct finder *finder, struct value_pattern *out) = {
        find_one_value, find_independent, find_factor,         find_offset,
        find_mirrored,  find_shifted,     find_one_wrong_value};
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
