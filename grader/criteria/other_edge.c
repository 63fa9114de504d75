/* other_edge.c: see other_edge.h.
 *
 * Registers are made fewer until the edge is another one: they bound blocks whatever their shared
 * memory. Then the most threads of a block become the calculator's choice, which stays the choice,
 * so that those who choose by that limit print another edge too. A choice of at least twice a power
 * of four is looked for first: its root is no power of two then, nor is that of the next power of
 * two below.
 */
#include "criteria/other_edge.h"

#include "criteria/block_choice.h"
#include "criteria/other_gpu.h"
#include "criteria/outcome.h"

#include <inttypes.h>

/* What is left of the registers, in 32nds: halves first. */
static const uint32_t shares[] = {16, 8, 4, 2, 1, 28, 24, 20, 14, 12, 10, 7, 6, 5, 3};
enum { SHARES = sizeof shares / sizeof shares[0], WHOLE = 32 };

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

/* What is looked for. */
struct search {
    const struct criteria_input *input;
    const struct rubric_criterion *criterion;
    const struct printed_table *table;
    struct block_choice here;
    bool tells_rule; /* the choice is no power of four, nor near one */
};

/* Fills the GPU with a share of the registers, and its choice; false if it tells nothing. */
static bool is_telling(const struct search *search, uint32_t share, struct gpu_model *out_model,
                       struct block_choice *out_choice)
{
    const struct rubric_launch *launch =
        &search->input->rubric->launches[search->criterion->launch];
    struct gpu_model model = *search->input->model;
    struct block_choice there;

    model.registers_per_multiprocessor = model.registers_per_multiprocessor / WHOLE * share;
    model.registers_per_block = model.registers_per_block / WHOLE * share;
    if (!choice_on(search->input, &model, search->criterion, search->table, &there) ||
        there.edge == search->here.edge || !launch_may_have(launch, there.edge) ||
        (search->tells_rule && there.threads < 2 * there.edge * there.edge)) {
        return false;
    }
    model.max_threads_per_block = there.threads;
    *out_model = model;
    return choice_on(search->input, &model, search->criterion, search->table, out_choice) &&
           out_choice->threads == there.threads;
}

/* The GPU and what the rule gives there. */
static bool find(const struct criteria_input *input, struct arena *arena,
                 const struct rubric_criterion *criterion, struct gpu_model *out_model,
                 struct block_choice *out_choice)
{
    struct search search = {.input = input, .criterion = criterion, .tells_rule = true};
    struct printed_table printed;
    struct cause cause;

    if (criterion->has_bytes_printout) {
        if (!read_printed_table(input, arena, criterion->bytes_printout, &printed, &cause)) {
            return false;
        }
        search.table = &printed;
    }
    if (!choice_on(input, input->model, criterion, search.table, &search.here)) {
        return false;
    }
    for (size_t i = 0; i < 2 * SHARES; i++) {
        search.tells_rule = i < SHARES;
        if (is_telling(&search, shares[i % SHARES], out_model, out_choice)) {
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

static struct cause constant_cause(const struct criteria_input *input, struct arena *arena,
                                   const struct gpu_model *model, const struct block_choice *choice,
                                   const struct printed_number *here)
{
    return cause_make(
        CODE_PRINTOUT_WRONG,
        arena_printf(arena,
                     "printed %s on two GPUs: right on %s, but it is %" PRIu32
                     " on one with %" PRIu32 " registers to a multiprocessor and %" PRIu32
                     " threads to a block",
                     here->text, input->model->name, choice->edge,
                     model->registers_per_multiprocessor, model->max_threads_per_block),
        "compute it from what cudaOccupancyMaxPotentialBlockSizeVariableSMem returns: a number "
        "that is written down is right on some GPUs only");
}

static struct cause rule_cause(const struct criteria_input *input, struct arena *arena,
                               const struct gpu_model *model, const struct block_choice *choice,
                               const struct printed_number *here,
                               const struct printed_number *there)
{
    return cause_make(
        CODE_PRINTOUT_WRONG,
        arena_printf(arena,
                     "printed %s, right on %s by chance: on a GPU with %" PRIu32
                     " registers to a multiprocessor the highest occupancy is at %" PRIu32
                     " threads a block, and %s is printed, expected %" PRIu32,
                     here->text, input->model->name, model->registers_per_multiprocessor,
                     choice->threads, there->text, choice->edge),
        "take the largest power of four that is not above the number of threads, "
        "4^floor(log(threads) / log(4)), and of that the square root");
}

/* True if a number is an edge whose square is a power of four that is not above the rule's. */
static bool obeys_rule(double number, const struct block_choice *choice)
{
    uint32_t edge = 1;

    while (edge < choice->edge && (double)edge != number) {
        edge *= 2;
    }
    return (double)edge == number;
}

bool other_edge_shows_mistake(const struct criteria_input *input, struct arena *arena,
                              const struct rubric_criterion *criterion, struct cause *out_cause)
{
    struct printed_number here, there;
    struct block_choice choice;
    struct gpu_model model;

    if (input->evidence->other_prints == NULL || !find(input, arena, criterion, &model, &choice) ||
        !other_gpu_read(input, arena, criterion, &model, &here, &there)) {
        return false;
    }
    if (other_gpu_prints_same(&here, &there)) {
        *out_cause = constant_cause(input, arena, &model, &choice, &here);
        return true;
    }
    if (!obeys_rule(there.value, &choice)) {
        *out_cause = rule_cause(input, arena, &model, &choice, &here, &there);
        return true;
    }
    return false;
}
