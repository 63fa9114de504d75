/* occupancy_scope.c: see occupancy_scope.h. */
#include "criteria/printouts/occupancy_scope.h"

#include "criteria/kernel_registers.h"
#include "criteria/preconditions/preconditions.h"

#include <math.h>
#include <string.h>

/* The one that the device was told, and one for each 8 registers of up to 255. */
enum { REGISTER_CHOICES_MAX = 1 + 33 };

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
                                        uint32_t registers, uint64_t threads,
                                        uint64_t dynamic_bytes)
{
    const struct kernel_resources *resources = &input->launch_resources[launch];
    struct occupancy_scope scope = {.model = input->model, .threads = threads};
    struct kernel_usage usage = {
        .registers = registers,
        .static_shared_bytes = resources->static_shared_bytes,
        .max_threads_per_block = resources->max_threads,
    };
    struct diagnostic diagnostic;

    if (dynamic_bytes > input->model->shared_per_block_bytes) {
        usage.optin_shared = true;
        usage.max_dynamic_shared_bytes = dynamic_bytes;
    }
    scope.knows_active =
        registers > 0 && threads > 0 && threads <= UINT32_MAX &&
        occupancy_active_blocks(input->model, &usage, (uint32_t)threads, dynamic_bytes,
                                &scope.active, &diagnostic) == ERROR_NONE;
    return scope;
}

/* Adds the scope of a block for the registers that the device was told, then those of the other
 * registers that the kernel may need, where other blocks fit. */
static void add_scopes(const struct criteria_input *input, size_t launch, uint64_t threads,
                       uint64_t dynamic_bytes, struct occupancy_scopes *scopes)
{
    const struct kernel_resources *resources = &input->launch_resources[launch];
    const struct register_range range = register_range_of(resources);
    const size_t first = scopes->count;

    scopes->items[scopes->count++] =
        scope_for(input, launch, resources->registers, threads, dynamic_bytes);
    for (uint32_t n = range.least; n <= range.most && n > 0; n = register_range_next(n)) {
        struct occupancy_scope scope = scope_for(input, launch, n, threads, dynamic_bytes);
        size_t same = first;
        while (same < scopes->count &&
               scopes->items[same].active.active_blocks != scope.active.active_blocks) {
            same++;
        }
        if (scope.knows_active && same == scopes->count) {
            scopes->items[scopes->count++] = scope;
        }
    }
}

struct occupancy_scopes occupancy_scopes_of(const struct criteria_input *input, struct arena *arena,
                                            size_t launch)
{
    const struct observation *seen = first_launched(input, launch);
    const struct rubric_launch *of = &input->rubric->launches[launch];
    const size_t blocks = seen != NULL ? 1 : of->block_count;
    struct occupancy_scopes scopes = {.count = 0};

    scopes.items = arena_array(arena, blocks * REGISTER_CHOICES_MAX, sizeof *scopes.items);
    if (seen != NULL) {
        add_scopes(input, launch, geometry_threads(&seen->geometry),
                   seen->geometry.dynamic_shared_bytes, &scopes);
        return scopes;
    }
    for (size_t i = 0; i < blocks; i++) {
        uint64_t block_width = (uint64_t)of->blocks[i];
        add_scopes(input, launch, block_width * block_width, 0, &scopes);
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
