/* case_text.c: see case_text.h. */
#include "criteria/case_text.h"

#include "base/text.h"
#include "criteria/launch_parameters.h"
#include "criteria/preconditions/preconditions.h"
#include "model/case.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_of_hidden_case(const struct criteria_input *input,
                              const struct observation *observation)
{
    return observation->case_index < input->rubric->case_count &&
           input->rubric->cases[observation->case_index].hidden;
}

bool observation_is_hidden(const struct criteria_input *input,
                           const struct observation *observation)
{
    return !input->rubric->reports_hidden && is_of_hidden_case(input, observation);
}

size_t operand_extent(const struct criteria_input *input, const struct expression *shape,
                      const struct observation *observation)
{
    struct case_scope scope = observation_scope(input->rubric, observation);
    double extent = 0.0;

    if (!expression_evaluate(shape, case_lookup, &scope, &extent, NULL) || extent < 1.0 ||
        extent > 0x1p40) {
        return 0;
    }
    return (size_t)extent;
}

/* "n 3072, block_size 128" */
static void append_parameters(const struct rubric *rubric,
                              const struct launch_parameters *parameters,
                              const struct observation *observation, struct text *shape)
{
    for (size_t i = 0; i < parameters->count; i++) {
        const size_t index = parameters->indices[i];
        text_printf(shape, "%s%s %" PRId64, shape->length > 0 ? ", " : "",
                    rubric->parameters[index].name, observation->parameters[index]);
    }
}

static bool has_input(const struct rubric_launch *launch)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (operand_has_values(&launch->operands[i])) {
            return true;
        }
    }
    return false;
}

/* The number of the parameter that an extent is; parameter_count if it is none. */
static size_t parameter_of(const struct rubric *rubric, const struct expression *extent)
{
    size_t i = 0;

    while (i < rubric->parameter_count &&
           strcmp(rubric->parameters[i].name, expression_text(extent)) != 0) {
        i++;
    }
    return i;
}

/* True if the rubric names the columns of a matrix before its rows, as in (width, height): then
 * "22x34", which has the rows first, would be read the wrong way. */
static bool columns_come_first(const struct rubric *rubric, const struct rubric_launch *launch)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        if (operand_has_values(operand) && operand->rank == 2 &&
            parameter_of(rubric, operand->shape[0]) < rubric->parameter_count &&
            parameter_of(rubric, operand->shape[1]) < parameter_of(rubric, operand->shape[0])) {
            return true;
        }
    }
    return false;
}

const char *shape_text(const struct criteria_input *input, struct arena *arena,
                       const struct rubric_launch *launch, const struct observation *observation)
{
    struct text shape;

    if (observation_is_hidden(input, observation)) {
        return "a hidden shape";
    }
    text_init(&shape);
    const bool by_parameters = launch_is_of_vectors(launch) || !has_input(launch) ||
                               columns_come_first(input->rubric, launch);
    for (size_t i = 0; i < launch->operand_count && !by_parameters; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        if (!operand_has_values(operand)) {
            continue;
        }
        text_printf(&shape, "%s%s ", shape.length > 0 ? ", " : "", operand->name);
        for (size_t j = 0; j < operand->rank; j++) {
            text_printf(&shape, "%s%zu", j > 0 ? "x" : "",
                        operand_extent(input, operand->shape[j], observation));
        }
    }
    const struct launch_parameters parameters =
        by_parameters ? launch_parameters_of(input->rubric, launch)
                      : launch_parameters_beside_shapes(input->rubric, launch);
    append_parameters(input->rubric, &parameters, observation, &shape);
    if (is_of_hidden_case(input, observation)) {
        text_append(&shape, " (hidden)");
    }
    const char *copy = arena_strndup(arena, shape.bytes, shape.length);
    text_release(&shape);
    return copy;
}

const char *element_text(const struct criteria_input *input, struct arena *arena,
                         const struct rubric_operand *operand,
                         const struct observation *observation, size_t index)
{
    static const char *const members[] = {".x", ".y", ".z", ".w"};
    const size_t lanes = operand_lanes(operand);
    const char *member = lanes > 1 ? members[index % lanes] : "";
    size_t extents[3] = {0};
    bool known = operand->rank >= 2;

    index /= lanes;
    for (size_t i = 0; i < operand->rank; i++) {
        extents[i] = operand_extent(input, operand->shape[i], observation);
        known = known && extents[i] > 0;
    }
    if (!known) {
        return arena_printf(arena, "%s[%zu]%s", operand->name, index, member);
    }
    size_t columns = extents[operand->rank - 1];
    size_t row = index / columns;
    if (operand->rank == 2) {
        return arena_printf(arena, "%s(%zu,%zu)%s", operand->name, row, index % columns, member);
    }
    return arena_printf(arena, "%s(%zu,%zu,%zu)%s", operand->name, row / extents[1],
                        row % extents[1], index % columns, member);
}

const char *value_text(struct arena *arena, enum element_type type, double value)
{
    if (isnan(value)) {
        return "NaN";
    }
    if (isinf(value)) {
        return value > 0 ? "infinity" : "-infinity";
    }
    if (!element_is_float(type)) {
        return arena_printf(arena, "%.0f", value);
    }
    return arena_printf(arena, type == ELEMENT_F64 ? "%.17g" : "%.9g", value);
}

const char *number_text(struct arena *arena, enum element_type type, double value, int64_t integer)
{
    if (!element_is_wide(type)) {
        return value_text(arena, type, value);
    }
    return type == ELEMENT_U64 ? arena_printf(arena, "%" PRIu64, (uint64_t)integer)
                               : arena_printf(arena, "%" PRId64, integer);
}
