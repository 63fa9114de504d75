/* missing_launch.c: see missing_launch.h. */
#include "criteria/preconditions/missing_launch.h"

#include "criteria/kernel_name.h"
#include "criteria/kernel_registers.h"
#include "criteria/outcome.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/preconditions/program_run.h"
#include "criteria/preconditions/whole_program.h"

#include <inttypes.h>

/* A kernel without a body needs only a handful of registers; one that computes needs more, or
 * shared memory. Where registers are estimated, only the source tells. */
enum { EMPTY_KERNEL_REGISTERS_MAX = 8, TOKENS_OF_NOTHING = 2 };

/* True if the sources define the kernel once, as {}. */
static bool has_empty_body(const struct criteria_input *input, struct arena *arena,
                           const struct rubric_launch *of)
{
    struct program_source source;
    struct file_token name;

    program_source_read(input, arena, of->program, &source);
    if (find_definitions(&source, kernel_name(input, of), &name) != 1) {
        return false;
    }
    const struct source_function *function =
        source_function_named(&name.file->functions, name.token);
    return function != NULL && function->close - function->open == TOKENS_OF_NOTHING;
}

static struct cause cause_of_absence(const struct criteria_input *input, struct arena *arena,
                                     size_t launch, const char *shape)
{
    const struct rubric_launch *of = &input->rubric->launches[launch];
    const struct program_run run = run_of_launch(input, launch);
    const struct program_activity *activity = run.activity;
    const struct kernel_resources *resources = &input->launch_resources[launch];
    const struct register_range registers = register_range_of(resources);
    bool is_small = registers.most > 0 && registers.most <= EMPTY_KERNEL_REGISTERS_MAX &&
                    resources->static_shared_bytes == 0;
    struct cause cause;

    bool is_blocked = precondition_run(arena, &run, &cause);
    if (is_blocked && cause.code == CODE_UNKNOWN_CALL &&
        !precondition_unknown_call(arena, &run, launch)) {
        is_blocked = precondition_end(arena, activity, &cause); /* the call excuses nothing */
    }
    if (is_blocked &&
        !(cause.code == CODE_EXIT_STATUS && has_given_kernels_only(input, arena, launch))) {
        return cause;
    }
    if (precondition_early_end(arena, &run, &cause) ||
        precondition_no_attempt(input, arena, launch, &cause)) {
        return cause;
    }
    if (shape != NULL) {
        return cause_make(CODE_NEVER_LAUNCHED, arena_printf(arena, "`%s` is not launched for %s",
                                                            kernel_name(input, of), shape));
    }
    if (activity->launch_total > 0) {
        return cause_make(
            CODE_NEVER_LAUNCHED,
            arena_printf(arena, "other kernels are launched %" PRIu64 " time%s, but `%s` never is",
                         activity->launch_total, activity->launch_total == 1 ? "" : "s",
                         kernel_name(input, of)));
    }
    if (is_small || has_empty_body(input, arena, of)) {
        return cause_make(
            CODE_NO_LAUNCH_YET,
            arena_printf(arena, "`%s` is empty and nothing is launched", kernel_name(input, of)));
    }
    return cause_make(CODE_NEVER_LAUNCHED,
                      arena_printf(arena, "`%s` is never launched", kernel_name(input, of)));
}

struct cause cause_of_missing_launch(const struct criteria_input *input, struct arena *arena,
                                     size_t launch, const char *shape)
{
    const struct program_activity *activity = &input->evidence->launch_runs[launch].activity;
    struct cause cause = cause_of_absence(input, arena, launch, shape);

    for (size_t i = 0; i < activity->call_error_count && cause.code != CODE_UNKNOWN_CALL; i++) {
        if (activity->call_errors[i].is_unknown) {
            cause.more_advice = advise_on(ADVICE_UNKNOWN_CALL_TOO, activity->call_errors[i].call);
            return cause;
        }
    }
    return cause;
}
