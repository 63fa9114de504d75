/* constant_detection.c: see constant_detection.h.
 *
 * The threads that a multiprocessor can hold are doubled and its registers are halved until the
 * occupancy is another one, so that neither of the two numbers can be written down. Fewer registers
 * bound every block alike, so that a program which chooses its block by the API does not get its
 * old number back with another block. The limit of blocks becomes what then fits, for those who
 * estimate by it.
 */
#include "criteria/printouts/constant_detection.h"

#include "criteria/outcome.h"
#include "criteria/printouts/occupancy_scope.h"

#include <inttypes.h>

enum { HALVINGS_MAX = 3, DOUBLINGS_MAX = 3, THREADS_MAX = 8192 };

static bool any_formula_gives(const struct rubric_criterion *criterion,
                              const struct occupancy_scopes *scopes,
                              const struct printed_number *number)
{
    for (size_t i = 0; i < scopes->count; i++) {
        for (size_t j = 0; j < criterion->formula_count; j++) {
            double value = 0.0;
            if (occupancy_formula_value(&criterion->formulas[j], &scopes->items[i], &value) &&
                printed_within_digits(number, value)) {
                return true;
            }
        }
    }
    return false;
}

/* The most blocks that fit in any of the scopes; 0 if in one of them none does. */
static uint32_t blocks_that_fit(const struct occupancy_scopes *scopes)
{
    uint32_t most = 0;

    for (size_t i = 0; i < scopes->count; i++) {
        const struct occupancy_scope *scope = &scopes->items[i];
        if (!scope->knows_active || scope->active.active_blocks == 0) {
            return 0;
        }
        most = scope->active.active_blocks > most ? scope->active.active_blocks : most;
    }
    return most;
}

/* True if that GPU tells the number from a computed one; its limit of blocks is set. */
static bool tells(const struct criteria_input *input, struct arena *arena,
                  const struct rubric_criterion *criterion, const struct printed_number *number,
                  struct gpu_model *model)
{
    struct criteria_input there = *input;

    there.model = model;
    const struct occupancy_scopes scopes = occupancy_scopes_of(&there, arena, criterion->launch);
    model->max_blocks_per_multiprocessor = blocks_that_fit(&scopes);
    return model->max_blocks_per_multiprocessor > 0 &&
           !any_formula_gives(criterion, &scopes, number);
}

bool constant_detection_gpu(const struct criteria_input *input, struct arena *arena,
                            const struct rubric_criterion *criterion, struct gpu_model *out_model)
{
    const uint32_t threads = input->model->max_threads_per_multiprocessor;
    const uint32_t registers = input->model->registers_per_multiprocessor;
    struct printed_number number;
    struct cause cause;

    if (!read_printout(input, arena, criterion->printout, &number, &cause)) {
        return false;
    }
    for (uint32_t i = 0; i <= DOUBLINGS_MAX && threads << i <= THREADS_MAX; i++) {
        for (uint32_t j = 1; j <= HALVINGS_MAX; j++) {
            struct gpu_model model = *input->model;
            model.max_threads_per_multiprocessor = threads << i;
            model.registers_per_multiprocessor = registers >> j;
            model.registers_per_block = model.registers_per_block >> j;
            if (tells(input, arena, criterion, &number, &model)) {
                *out_model = model;
                return true;
            }
        }
    }
    return false;
}

bool constant_detection_read(const struct criteria_input *input, struct arena *arena,
                             const struct rubric_criterion *criterion, size_t turn,
                             struct printed_number *out_here, struct printed_number *out_there)
{
    const struct other_prints *all = input->evidence->other_prints;
    const struct other_prints *of = all == NULL ? NULL : &all[criterion - input->rubric->criteria];
    struct print_run *prints = arena_array(arena, input->rubric->printout_count, sizeof *prints);
    struct submission_evidence evidence = *input->evidence;
    struct criteria_input there = *input;
    struct cause cause;

    if (of == NULL || turn >= of->count) {
        return false;
    }
    prints[criterion->printout] = of->runs[turn];
    evidence.print_runs = prints;
    there.evidence = &evidence;
    return read_printout(input, arena, criterion->printout, out_here, &cause) &&
           read_printout(&there, arena, criterion->printout, out_there, &cause);
}

bool constant_detection_prints_same(const struct printed_number *here,
                                    const struct printed_number *there)
{
    return here->value == there->value && here->half_unit == there->half_unit;
}

/* "32768 registers, 4096 threads and 16 blocks to a multiprocessor" */
static const char *limits_text(struct arena *arena, const struct gpu_model *model)
{
    return arena_printf(
        arena,
        "%" PRIu32 " registers, %" PRIu32 " threads and %" PRIu32 " block%s per multiprocessor",
        model->registers_per_multiprocessor, model->max_threads_per_multiprocessor,
        model->max_blocks_per_multiprocessor, model->max_blocks_per_multiprocessor == 1 ? "" : "s");
}

static struct cause constant_cause(const struct criteria_input *input, struct arena *arena,
                                   const struct gpu_model *model, const char *expected,
                                   const struct printed_number *number)
{
    return cause_advised(
        CODE_PRINTOUT_WRONG,
        arena_printf(arena, "printed %s on two GPUs: right on %s, but on one with %s it is %s",
                     number->text, input->model->name, limits_text(arena, model), expected),
        advise(ADVICE_ONE_GPU_ONLY));
}

static struct cause limits_cause(const struct criteria_input *input, struct arena *arena,
                                 const struct gpu_model *model, const char *expected,
                                 const struct printed_number *number,
                                 const struct printed_number *other)
{
    return cause_advised(CODE_PRINTOUT_WRONG,
                         arena_printf(arena,
                                      "printed %s, which is right on %s only by chance: on a GPU "
                                      "with %s it prints %s, expected %s",
                                      number->text, input->model->name, limits_text(arena, model),
                                      other->text, expected),
                         advise(ADVICE_LIMITS_OF_ONE_GPU));
}

bool constant_detection_shows_mistake(const struct criteria_input *input, struct arena *arena,
                                      const struct rubric_criterion *criterion,
                                      const struct rubric_formula *formula, struct cause *out_cause)
{
    struct criteria_input there = *input;
    struct printed_number number, other;
    struct gpu_model model;
    double value = 0.0;

    if (input->evidence->other_prints == NULL ||
        !constant_detection_gpu(input, arena, criterion, &model) ||
        !constant_detection_read(input, arena, criterion, 0, &number, &other)) {
        return false;
    }
    there.model = &model;
    const struct occupancy_scopes scopes = occupancy_scopes_of(&there, arena, criterion->launch);
    if (!occupancy_formula_value(formula, &scopes.items[0], &value)) {
        return false;
    }
    const char *expected = arena_printf(arena, "%.4g (%s)", value, formula->title);
    if (constant_detection_prints_same(&number, &other)) {
        *out_cause = constant_cause(input, arena, &model, expected, &number);
        return true;
    }
    /* Where it has as many threads: their number may be written down, as the exercise is about how
     * many blocks fit. */
    if (model.max_threads_per_multiprocessor == input->model->max_threads_per_multiprocessor &&
        !any_formula_gives(criterion, &scopes, &other)) {
        *out_cause = limits_cause(input, arena, &model, expected, &number, &other);
        return true;
    }
    return false;
}
