/* launch_parameters.c: see launch_parameters.h. */
#include "criteria/launch_parameters.h"

#include <string.h>

/* Which parameters were named so far. */
struct naming {
    const struct rubric *rubric;
    bool is_named[RUBRIC_PARAMETERS_MAX];
};

static void note_name(void *context, const char *name)
{
    struct naming *naming = context;

    for (size_t i = 0; i < naming->rubric->parameter_count; i++) {
        if (strcmp(naming->rubric->parameters[i].name, name) == 0) {
            naming->is_named[i] = true;
        }
    }
}

static void note_expression(struct naming *naming, const struct expression *expression)
{
    if (expression != NULL) {
        expression_names(expression, note_name, naming);
    }
}

static void note_macros(struct naming *naming, size_t program)
{
    const struct rubric *rubric = naming->rubric;

    for (size_t i = 0;
         program < rubric->program_count && i < rubric->programs[program].override_count; i++) {
        note_expression(naming, rubric->programs[program].overrides[i].value);
    }
}

static void note_shapes(struct naming *naming, const struct rubric_launch *launch)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        for (size_t j = 0; j < launch->operands[i].rank; j++) {
            note_expression(naming, launch->operands[i].shape[j]);
        }
    }
}

struct launch_parameters launch_parameters_of(const struct rubric *rubric,
                                              const struct rubric_launch *launch)
{
    struct naming naming = {.rubric = rubric};
    struct launch_parameters list = {.count = 0};

    note_shapes(&naming, launch);
    for (size_t i = 0; i < launch->scalar_count; i++) {
        note_expression(&naming, launch->scalars[i].value);
    }
    for (size_t i = 0; i < launch->input_count; i++) {
        note_expression(&naming, launch->input[i]);
    }
    note_macros(&naming, launch->program);
    note_expression(&naming, launch->block);
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        if (naming.is_named[i]) {
            list.indices[list.count++] = i;
        }
    }
    return list;
}

struct launch_parameters launch_parameters_beside_shapes(const struct rubric *rubric,
                                                         const struct rubric_launch *launch)
{
    struct naming naming = {.rubric = rubric};
    struct launch_parameters all = launch_parameters_of(rubric, launch);
    struct launch_parameters list = {.count = 0};

    note_shapes(&naming, launch);
    for (size_t i = 0; i < all.count && launch->call != NULL; i++) {
        if (!naming.is_named[all.indices[i]]) {
            list.indices[list.count++] = all.indices[i];
        }
    }
    return list;
}

bool launch_is_of_vectors(const struct rubric_launch *launch)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (launch->operands[i].rank > 1) {
            return false;
        }
    }
    return true;
}

bool launch_is_product(const struct rubric_launch *launch)
{
    size_t matrices = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        matrices += operand->role == OPERAND_INPUT && operand->rank >= 2 ? 1 : 0;
    }
    return matrices >= 2;
}
