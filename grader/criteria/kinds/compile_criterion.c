/* compile_criterion.c: the criterion `compile`: every program compiles and links. Each carries an
 * equal share of the points; the cause is that of the first one that does not. An optional program
 * that is not handed in is none. Warnings cost nothing. */
#include "criteria/kernel_registers.h"
#include "criteria/outcome.h"

#include "base/text.h"
#include "criteria/preconditions/preconditions.h"

#include <inttypes.h>

/* What the observed kernels need together. */
struct resource_totals {
    struct register_range registers; /* the most that one of them uses */
    uint64_t spill_bytes;            /* only ptxas says them */
};

static struct resource_totals total_resources(const struct criteria_input *input)
{
    struct resource_totals totals = {0};

    for (size_t i = 0; i < input->rubric->launch_count; i++) {
        const struct kernel_resources *resources = &input->launch_resources[i];
        const struct register_range range = register_range_of(resources);
        if (range.most > totals.registers.most) {
            totals.registers.most = range.most;
        }
        if (range.least > totals.registers.least) {
            totals.registers.least = range.least;
        }
        totals.spill_bytes += (uint64_t)resources->spill_store_bytes + resources->spill_load_bytes;
    }
    return totals;
}

static const char *summary_text(struct arena *arena, size_t programs,
                                const struct resource_totals *totals)
{
    const char *plural = programs == 1 ? "" : "s";

    if (totals->registers.most == 0) {
        return arena_printf(arena, "%zu program%s", programs, plural);
    }
    const char *registers = register_range_text(&totals->registers, arena);
    if (totals->registers.least != totals->registers.most) {
        return arena_printf(arena, "%zu program%s, %s", programs, plural, registers);
    }
    const char *spills = totals->spill_bytes == 0 ? "no spills"
                                                  : arena_printf(arena, "%" PRIu64 " bytes spilled",
                                                                 totals->spill_bytes);
    return arena_printf(arena, "%zu program%s, %s, %s", programs, plural, registers, spills);
}

static size_t count_warnings(const struct criteria_input *input)
{
    size_t count = 0;

    for (size_t i = 0; i < input->rubric->program_count; i++) {
        const struct program_build *build = &input->evidence->builds[i];
        for (size_t j = 0; j < build->message_count; j++) {
            count += build->messages[j].is_error ? 0 : 1;
        }
    }
    return count;
}

/* An optional program that was not handed in. */
static bool is_left_out(const struct criteria_input *input, size_t program)
{
    return input->rubric->programs[program].is_optional &&
           input->evidence->builds[program].failure == CODE_SOURCE_MISSING;
}

void compile_criterion_judge(const struct criteria_input *input, struct arena *arena,
                             struct verdict *verdict)
{
    size_t programs = 0;
    struct resource_totals totals = total_resources(input);
    struct cause first = {.code = CODE_NONE};
    size_t built = 0;

    for (size_t i = input->rubric->program_count; i > 0; i--) {
        struct cause cause;
        if (is_left_out(input, i - 1)) {
            continue;
        }
        programs++;
        if (precondition_build(input, arena, i - 1, &cause)) {
            first = cause;
        } else {
            built++;
        }
    }
    verdict_add_integer(verdict, "programs", (int64_t)programs);
    verdict_add_integer(verdict, "programs_built", (int64_t)built);
    verdict_add_integer(verdict, "warnings", (int64_t)count_warnings(input));
    if (totals.registers.most > 0) {
        register_range_add(&totals.registers, arena, "", verdict);
    }
    if (totals.registers.most > 0 && totals.registers.least == totals.registers.most) {
        verdict_add_integer(verdict, "spill_bytes", (int64_t)totals.spill_bytes);
    }
    if (built == programs) {
        outcome_pass(verdict, summary_text(arena, programs, &totals));
        return;
    }
    outcome_fail(verdict, &first, arena_printf(arena, "%zu of %zu programs", built, programs));
    if (built > 0) {
        verdict->status = STATUS_PARTIAL;
        verdict->points = verdict->criterion->points * (double)built / (double)programs;
    }
}
