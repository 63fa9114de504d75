/* occupancy_scope.c: see occupancy_scope.h. */
#include "criteria/printouts/occupancy_scope.h"

#include "criteria/preconditions/preconditions.h"

#include <math.h>
#include <string.h>

static const double FLOAT_ROUNDINGS = 0x1p-22; /* four times half a unit in the last place */

static bool scope_lookup(void *context, const char *name, double *out_value)
{
    const struct occupancy_scope *scope = context;
    const struct {
        const char *name;
        double value;
        bool known;
    } names[] = {
        {"threads", (double)scope->threads, true},
        {"max_blocks", scope->model->max_blocks_per_multiprocessor, true},
        {"active_blocks", scope->active.active_blocks, scope->knows_active},
        {"max_threads", scope->model->max_threads_per_multiprocessor, true},
        {"multiprocessors", scope->model->multiprocessors, true},
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].name, name) == 0) {
            *out_value = names[i].value;
            return names[i].known;
        }
    }
    return false;
}

static struct occupancy_scope scope_for(const struct criteria_input *input, size_t launch,
                                        uint64_t threads, uint64_t dynamic_bytes)
{
    const struct kernel_resources *resources = &input->launch_resources[launch];
    struct occupancy_scope scope = {.model = input->model, .threads = threads};
    struct kernel_usage usage = {
        .registers = resources->registers,
        .static_shared_bytes = resources->static_shared_bytes,
        .max_threads_per_block = resources->max_threads,
    };
    struct diagnostic diagnostic;

    if (dynamic_bytes > input->model->shared_per_block_bytes) {
        usage.optin_shared = true;
        usage.max_dynamic_shared_bytes = dynamic_bytes;
    }
    scope.knows_active =
        resources->registers > 0 && threads > 0 && threads <= UINT32_MAX &&
        occupancy_active_blocks(input->model, &usage, (uint32_t)threads, dynamic_bytes,
                                &scope.active, &diagnostic) == ERROR_NONE;
    return scope;
}

struct occupancy_scopes occupancy_scopes_of(const struct criteria_input *input, struct arena *arena,
                                            size_t launch)
{
    const struct observation *seen = first_launched(input, launch);
    const struct rubric_launch *of = &input->rubric->launches[launch];
    struct occupancy_scopes scopes = {.count = seen != NULL ? 1 : of->block_count};

    scopes.items = arena_array(arena, scopes.count, sizeof *scopes.items);
    if (seen != NULL) {
        scopes.items[0] = scope_for(input, launch, geometry_threads(&seen->geometry),
                                    seen->geometry.dynamic_shared_bytes);
        return scopes;
    }
    for (size_t i = 0; i < scopes.count; i++) {
        uint64_t block_width = (uint64_t)of->blocks[i];
        scopes.items[i] = scope_for(input, launch, block_width * block_width, 0);
    }
    return scopes;
}

bool occupancy_formula_value(const struct rubric_formula *formula,
                             const struct occupancy_scope *scope, double *out_value)
{
    struct occupancy_scope copy = *scope;

    return expression_evaluate(formula->value, scope_lookup, &copy, out_value, NULL);
}

bool printed_within_digits(const struct printed_number *number, double value)
{
    return fabs(number->value - value) <=
           number->half_unit * (1.0 + 1e-9) + FLOAT_ROUNDINGS * fabs(value);
}

bool occupancy_same_value(double left, double right)
{
    return fabs(left - right) <= FLOAT_ROUNDINGS * fabs(right);
}
