/* launch_shape.c: see launch_shape.h. */
#include "coursework/launch_shape.h"

#include <math.h>
#include <string.h>

#define EXTENT_MAX 0x1p40

size_t launch_blocks(const struct rubric *rubric, const struct rubric_launch *launch,
                     const struct drawn_case *drawn, int64_t *out_blocks, size_t capacity)
{
    size_t count = 0;

    if (launch->block != NULL) {
        out_blocks[0] = case_block(rubric, launch, drawn);
        return out_blocks[0] >= 1 ? 1 : 0;
    }
    if (launch->block_count == 0) { /* of a call with any kernels */
        out_blocks[0] = 0;
        return 1;
    }
    while (count < launch->block_count && count < capacity) {
        out_blocks[count] = launch->blocks[count];
        count++;
    }
    return count;
}

/* Elements of one operand; 0 if they cannot be had. */
static size_t operand_elements(const struct rubric_operand *operand, struct case_scope *scope)
{
    size_t elements = operand_lanes(operand);

    for (size_t i = 0; i < operand->rank; i++) {
        double extent = 0;
        if (!expression_evaluate(operand->shape[i], case_lookup, scope, &extent, NULL) ||
            extent < 1 || extent > EXTENT_MAX || extent != trunc(extent) ||
            __builtin_mul_overflow(elements, (size_t)extent, &elements)) {
            return 0;
        }
    }
    return elements;
}

bool launch_shape_of(const struct rubric *rubric, const struct rubric_launch *launch,
                     const int64_t *parameters, int64_t block, struct launch_shape *out_shape)
{
    struct launch_shape shape = {.block = block};
    struct case_scope scope = {.rubric = rubric, .parameters = shape.parameters, .block = block};

    memcpy(shape.parameters, parameters, rubric->parameter_count * sizeof *parameters);
    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        uint64_t bytes = 0;
        shape.element_counts[i] = operand_elements(operand, &scope);
        if (shape.element_counts[i] == 0 ||
            __builtin_mul_overflow(shape.element_counts[i], element_bytes(operand->type), &bytes) ||
            __builtin_add_overflow(shape.bytes, bytes, &shape.bytes)) {
            return false;
        }
    }
    *out_shape = shape;
    return true;
}

bool launch_shape_find(const struct rubric *rubric, const struct rubric_launch *launch,
                       const struct drawn_case *drawn, int64_t block,
                       struct launch_shape *out_shape)
{
    int64_t parameters[RUBRIC_PARAMETERS_MAX];

    return case_parameters(rubric, drawn, block, parameters) &&
           launch_shape_of(rubric, launch, parameters, block, out_shape);
}
