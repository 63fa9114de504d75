/* other_edge.c: see other_edge.h.
 *
 * Registers are halved until the edge is another one: they bound blocks whatever their shared
 * memory. Then the most threads of a block become the calculator's choice, which stays the choice,
 * so that those who choose by that limit print another edge too.
 */
#include "criteria/other_edge.h"

#include "criteria/block_choice.h"
#include "criteria/other_gpu.h"
#include "criteria/outcome.h"

#include <inttypes.h>

enum { HALVINGS_MAX = 5 };

/* The choice on a GPU; false if there is none, or the table lacks a line. */
static bool choice_on(const struct criteria_input *input, const struct gpu_model *model,
                      const struct rubric_criterion *criterion, const struct printed_table *table,
                      struct block_choice *out_choice)
{
    struct criteria_input there = *input;
    struct diagnostic diagnostic;
    uint32_t missing = 0;

    there.model = model;
    return block_choice_make(&there, criterion, table, out_choice, &missing, &diagnostic) ==
               ERROR_NONE &&
           missing == 0 && out_choice->edge > 0;
}

static bool launch_may_have(const struct rubric_launch *launch, uint32_t edge)
{
    for (size_t i = 0; i < launch->block_count; i++) {
        if (launch->blocks[i] == (int64_t)edge) {
            return true;
        }
    }
    return false;
}

/* The GPU and what the rule gives there. */
static bool find(const struct criteria_input *input, struct arena *arena,
                 const struct rubric_criterion *criterion, struct gpu_model *out_model,
                 struct block_choice *out_choice)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];
    const struct printed_table *table = NULL;
    struct printed_table printed;
    struct block_choice here, there;
    struct cause cause;

    if (criterion->has_bytes_printout) {
        if (!read_printed_table(input, arena, criterion->bytes_printout, &printed, &cause)) {
            return false;
        }
        table = &printed;
    }
    if (!choice_on(input, input->model, criterion, table, &here)) {
        return false;
    }
    for (uint32_t i = 1; i <= HALVINGS_MAX; i++) {
        struct gpu_model model = *input->model;
        model.registers_per_multiprocessor >>= i;
        model.registers_per_block >>= i;
        if (!choice_on(input, &model, criterion, table, &there) || there.edge == here.edge) {
            continue;
        }
        model.max_threads_per_block = there.threads;
        if (launch_may_have(launch, there.edge) &&
            choice_on(input, &model, criterion, table, out_choice) &&
            out_choice->edge == there.edge) {
            *out_model = model;
            return true;
        }
    }
    return false;
}

bool other_edge_find(const struct criteria_input *input, struct arena *arena,
                     const struct rubric_criterion *criterion, struct gpu_model *out_model)
{
    struct block_choice choice;

    return find(input, arena, criterion, out_model, &choice);
}

bool other_edge_shows_constant(const struct criteria_input *input, struct arena *arena,
                               const struct rubric_criterion *criterion, struct cause *out_cause)
{
    struct printed_number number;
    struct block_choice choice;
    struct gpu_model model;

    if (input->evidence->other_prints == NULL || !find(input, arena, criterion, &model, &choice) ||
        !other_gpu_prints_same(input, arena, criterion, &model, &number)) {
        return false;
    }
    *out_cause = cause_make(
        CODE_PRINTOUT_WRONG,
        arena_printf(arena,
                     "printed %s on two GPUs: right on %s, but it is %" PRIu32
                     " on one with %" PRIu32 " registers to a multiprocessor and %" PRIu32
                     " threads to a block",
                     number.text, input->model->name, choice.edge,
                     model.registers_per_multiprocessor, model.max_threads_per_block),
        "compute it from what cudaOccupancyMaxPotentialBlockSizeVariableSMem returns: a number "
        "that is written down is right on some GPUs only");
    return true;
}
