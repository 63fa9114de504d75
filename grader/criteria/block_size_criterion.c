/* block_size_criterion.c: the criterion `block-size`: the printed edge is what the occupancy
 * calculator and the power-of-four rule give for this kernel on this GPU model.
 *
 *   threads = the block size with the highest occupancy, shared memory as the program's own table
 *             (requiredSM) says
 *   edge    = sqrt(4 ^ floor(log4(threads)))
 */
#include "criteria/outcome.h"

#include "criteria/blocked.h"
#include "criteria/gpu_printouts.h"
#include "criteria/occupancy_evidence.h"
#include "criteria/printouts.h"

#include <inttypes.h>

/* The table as the calculator asks for it, and whether it was asked for a line that is not there.
 */
struct table_scope {
    const struct printed_table *table;
    uint32_t missing; /* threads; 0: none */
};

static uint64_t table_bytes(void *context, uint32_t block_threads)
{
    struct table_scope *scope = context;
    uint64_t bytes = 0;

    if (!printed_table_find(scope->table, block_threads, &bytes) && scope->missing == 0) {
        scope->missing = block_threads;
    }
    return bytes;
}

/* The edge whose square is the largest power of four that is not above; 0 for no threads. */
static uint32_t edge_of(uint32_t threads)
{
    uint32_t edge = threads > 0 ? 1 : 0;

    while (edge > 0 && (uint64_t)edge * edge * 4 <= threads) {
        edge *= 2;
    }
    return edge;
}

/* What the rule gives. */
struct choice {
    uint32_t threads;
    uint32_t edge;
};

/* Asks the calculator; false with the verdict settled if it has no answer. */
static bool choose(const struct criteria_input *input, struct arena *arena,
                   const struct printed_table *table, struct verdict *verdict,
                   struct choice *out_choice)
{
    const struct rubric_launch *launch = &input->rubric->launches[verdict->criterion->launch];
    const struct kernel_resources *resources = &input->launch_resources[verdict->criterion->launch];
    struct table_scope scope = {.table = table};
    struct kernel_usage usage = {
        .registers = resources->registers,
        .static_shared_bytes = resources->static_shared_bytes,
        .max_threads_per_block = resources->max_threads,
    };
    struct diagnostic diagnostic = {0};
    uint32_t blocks = 0;

    if (resources->registers == 0) {
        outcome_error(verdict,
                      arena_printf(arena, "the registers of `%s` are not known", launch->kernel),
                      "does the program have a kernel of that name; if so, report this with the "
                      "seed");
        return false;
    }
    enum error error =
        occupancy_best_block_size(input->model, &usage, table != NULL ? table_bytes : NULL, &scope,
                                  &out_choice->threads, &blocks, &diagnostic);
    if (scope.missing > 0) {
        struct cause cause = cause_make(
            CODE_PRINTOUT_MISSING,
            arena_printf(arena, "no line `%s(%" PRIu32 ") = <bytes>` is printed", table->label,
                         scope.missing),
            "the harness prints one line for each number of warps: does the program end early");
        outcome_fail(verdict, &cause, NULL);
        return false;
    }
    if (error != ERROR_NONE) {
        outcome_error(verdict, arena_strdup(arena, diagnostic.message), "");
        return false;
    }
    out_choice->edge = edge_of(out_choice->threads);
    return true;
}

/* Why the printed number is wrong. */
static struct cause wrong_cause(const struct criteria_input *input, struct arena *arena,
                                size_t launch, const struct printed_number *number,
                                const struct choice *choice)
{
    bool is_square =
        number->value == choice->threads || number->value == (double)choice->edge * choice->edge;

    if (choice->edge == 0) {
        return cause_make(
            CODE_PRINTOUT_WRONG,
            arena_printf(arena, "no block of `%s` fits on %s with the bytes that are asked for",
                         input->rubric->launches[launch].kernel, input->model->name),
            "let requiredSM ask for the bytes of both tiles, not more");
    }
    return cause_make(
        CODE_PRINTOUT_WRONG,
        arena_printf(arena,
                     "printed %s, expected %" PRIu32 ": the highest occupancy on %s is at %" PRIu32
                     " threads a block",
                     number->text, choice->edge, input->model->name, choice->threads),
        is_square
            ? "print the edge, the square root of the number of threads"
            : "pass the kernel and requiredSM to cudaOccupancyMaxPotentialBlockSizeVariableSMem, "
              "take the largest power of four that is not above, and of that the square root");
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
    struct choice choice = {0};

    if (!read_prints(input, arena, verdict, &number, &table)) {
        return;
    }
    verdict_add_text(verdict, "printed", number.text);
    if (seen != NULL) {
        verdict_add_integer(verdict, "launched_block", seen->block);
    }
    if (!choose(input, arena, criterion->has_bytes_printout ? &table : NULL, verdict, &choice)) {
        return;
    }
    verdict_add_integer(verdict, "expected", choice.edge);
    verdict_add_integer(verdict, "best_threads", choice.threads);
    verdict_add_integer(verdict, "registers", input->launch_resources[criterion->launch].registers);
    if (number.value == choice.edge && choice.edge > 0) {
        outcome_pass(verdict, arena_printf(arena, "%" PRIu32 ", of %" PRIu32 " threads",
                                           choice.edge, choice.threads));
        return;
    }
    struct cause cause = wrong_cause(input, arena, criterion->launch, &number, &choice);
    outcome_fail(verdict, &cause, NULL);
}

/* True if another driver could have chosen the printed edge: one that the launch may have. */
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

/* Lets the real GPU's own run of the program decide. */
static void judge_on_gpu(const struct gpu_input *gpu, struct arena *arena, struct verdict *verdict)
{
    struct verdict real = {
        .criterion = verdict->criterion, .summary = "", .cause = cause_make(CODE_NONE, "", "")};

    judge(&gpu->input, arena, &real);
    bool differs = verdict->status == STATUS_PASSED && real.status == STATUS_FAILED &&
                   driver_may_differ(&gpu->input, arena, verdict->criterion);
    gpu_verdict_take(gpu, arena, &real, verdict);
    if (differs) {
        outcome_error(verdict,
                      "the program finds another block size through the GPU's driver than through "
                      "the occupancy calculator",
                      "tell your instructor: the driver and the toolkit disagree");
    }
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
