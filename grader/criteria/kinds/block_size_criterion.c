/* block_size_criterion.c: the criterion `block-size`: the printed block width is what the rule of
 * block_choice.h gives for this kernel on this GPU model, and, where a GPU would tell, a block
 * width by that rule on one with other limits too (constant_width.h).
 */
#include "criteria/outcome.h"

#include "criteria/kernel_name.h"
#include "criteria/kernel_registers.h"
#include "criteria/preconditions/launch_preconditions.h"
#include "criteria/preconditions/missing_launch.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/printouts/block_choice.h"
#include "criteria/printouts/constant_width.h"
#include "criteria/printouts/gpu_printouts.h"
#include "criteria/printouts/occupancy_evidence.h"
#include "criteria/printouts/printouts.h"

#include <inttypes.h>

/* Asks the calculator; false with the verdict settled if it has no answer. */
static bool choose(const struct criteria_input *input, struct arena *arena,
                   const struct printed_table *table, struct verdict *verdict,
                   struct block_choice *out_choice)
{
    const struct kernel_resources *resources = &input->launch_resources[verdict->criterion->launch];
    struct diagnostic diagnostic = {0};
    uint32_t missing = 0;

    if (resources->registers == 0) { /* the program has no such kernel, so it launches none */
        const size_t launch = verdict->criterion->launch;
        struct cause cause;
        if (!precondition_unseen_kernel(input, arena, launch, &cause)) {
            cause = cause_of_missing_launch(input, arena, launch, NULL);
        }
        outcome_fail(verdict, &cause, NULL);
        return false;
    }
    const struct block_bytes bytes = {.table = table};
    enum error error = block_choice_make(input, verdict->criterion, resources->registers, &bytes,
                                         out_choice, &missing, &diagnostic);
    if (missing > 0) {
        struct cause cause =
            cause_advised(CODE_PRINTOUT_MISSING,
                          arena_printf(arena, "no line `%s(%" PRIu32 ") = <bytes>` is printed",
                                       table->label, missing),
                          advise(ADVICE_TABLE_OF_WARPS));
        outcome_fail(verdict, &cause, NULL);
        return false;
    }
    if (error != ERROR_NONE) {
        outcome_error(verdict, arena_strdup(arena, diagnostic.message), ADVICE_NONE);
        return false;
    }
    return true;
}

/* Takes the choice whose block width is printed, if other registers that the kernel may need give
 * it. */
static void take_printed_choice(const struct criteria_input *input,
                                const struct rubric_criterion *criterion,
                                const struct printed_table *table,
                                const struct printed_number *number, struct block_choice *choice)
{
    const struct register_range range =
        register_range_of(&input->launch_resources[criterion->launch]);
    const struct block_bytes bytes = {.table = table};

    for (uint32_t n = range.least; n <= range.most && number->value != (double)choice->block_width;
         n = register_range_next(n)) {
        struct block_choice other;
        struct diagnostic unheard = {0};
        uint32_t missing = 0;
        if (block_choice_make(input, criterion, n, &bytes, &other, &missing, &unheard) ==
                ERROR_NONE &&
            missing == 0 && other.block_width > 0 && number->value == (double)other.block_width) {
            *choice = other;
        }
    }
}

/* Why the printed number is wrong. */
static struct cause wrong_cause(const struct criteria_input *input, struct arena *arena,
                                size_t launch, const struct printed_number *number,
                                const struct block_choice *choice)
{
    bool is_square = number->value == choice->threads ||
                     number->value == (double)choice->block_width * choice->block_width;

    if (choice->block_width == 0) {
        return cause_advised(
            CODE_PRINTOUT_WRONG,
            arena_printf(arena, "no block of `%s` fits on %s with that much shared memory",
                         kernel_name(input, &input->rubric->launches[launch]), input->model->name),
            advise(ADVICE_BYTES_OF_BOTH_TILES));
    }
    return cause_advised(
        CODE_PRINTOUT_WRONG,
        arena_printf(arena,
                     "printed %s, expected %" PRIu32 ": the highest occupancy on %s is at %" PRIu32
                     " threads a block",
                     number->text, choice->block_width, input->model->name, choice->threads),
        is_square ? advise(ADVICE_PRINT_BLOCK_WIDTH) : advise(ADVICE_BLOCK_WIDTH_FROM_OCCUPANCY));
}

/* Reads what was printed; false with the verdict settled. */
static bool read_prints(const struct criteria_input *input, struct arena *arena,
                        struct verdict *verdict, struct printed_number *out_number,
                        struct printed_table *out_table)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    struct cause cause;

    if (read_printout(input, arena, criterion->printout, out_number, &cause) &&
        (!criterion->has_bytes_printout ||
         read_printed_table(input, arena, criterion->bytes_printout, out_table, &cause))) {
        return true;
    }
    outcome_fail(verdict, &cause, NULL);
    return false;
}

static void judge(const struct criteria_input *input, struct arena *arena, struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct observation *seen = first_launched(input, criterion->launch);
    struct printed_number number;
    struct printed_table table = {0};
    struct block_choice choice = {0};

    if (!read_prints(input, arena, verdict, &number, &table)) {
        return;
    }
    verdict_add_text(verdict, "printed", number.text);
    if (seen != NULL) {
        verdict_add_integer(verdict, "launched_block", seen->block);
    }
    const struct printed_table *bytes = criterion->has_bytes_printout ? &table : NULL;
    if (!choose(input, arena, bytes, verdict, &choice)) {
        return;
    }
    take_printed_choice(input, criterion, bytes, &number, &choice);
    verdict_add_integer(verdict, "expected", choice.block_width);
    verdict_add_integer(verdict, "best_threads", choice.threads);
    const struct register_range registers =
        register_range_of(&input->launch_resources[criterion->launch]);
    register_range_add(&registers, arena, "", verdict);
    if (number.value == choice.block_width && choice.block_width > 0) {
        struct cause mistake;
        if (constant_width_shows_mistake(input, arena, criterion, &mistake)) {
            outcome_fail(verdict, &mistake, NULL);
            return;
        }
        outcome_pass(verdict, arena_printf(arena, "%" PRIu32 ", of %" PRIu32 " threads",
                                           choice.block_width, choice.threads));
        return;
    }
    struct cause cause;
    if (number.value > 1.0 || /* what no answer at all leaves is 0, or a block width of 1 */
        !printout_rests_on_failure(input, arena, criterion->printout, &cause)) {
        cause = wrong_cause(input, arena, criterion->launch, &number, &choice);
    }
    outcome_fail(verdict, &cause, NULL);
}

/* True if another driver could have chosen the printed block width: one that the launch may have.
 * */
static bool driver_may_differ(const struct criteria_input *input, struct arena *arena,
                              const struct rubric_criterion *criterion)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];
    struct printed_number number;
    struct cause cause;

    if (!read_printout(input, arena, criterion->printout, &number, &cause)) {
        return false;
    }
    for (size_t i = 0; i < launch->block_count; i++) {
        if (number.value == (double)launch->blocks[i]) {
            return true;
        }
    }
    return false;
}

/* Lets the real GPU's own run of the program decide. A block width that is right on the emulated
 * one, and here is another that may be asked for, is the driver's: it passes. */
static void judge_on_gpu(const struct gpu_input *gpu, struct arena *arena, struct verdict *verdict)
{
    struct verdict real = {
        .criterion = verdict->criterion, .summary = "", .cause = cause_make(CODE_NONE, "")};

    judge(&gpu->input, arena, &real);
    if (verdict->status == STATUS_PASSED && real.status == STATUS_FAILED &&
        driver_may_differ(&gpu->input, arena, verdict->criterion)) {
        verdict_add_measured_text(verdict, "note",
                                  "the program finds another block size through the GPU's driver "
                                  "than through the occupancy calculator");
        return;
    }
    gpu_verdict_take(gpu, arena, &real, verdict);
}

void block_size_criterion_judge(const struct criteria_input *input, struct arena *arena,
                                struct verdict *verdict)
{
    struct gpu_input gpu;

    judge(input, arena, verdict);
    if (gpu_input_init(input, verdict->criterion, &gpu)) {
        judge_on_gpu(&gpu, arena, verdict);
    }
    add_occupancy_card(input, arena, verdict->criterion->launch, verdict);
}
