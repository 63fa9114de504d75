/* dynamic_criterion.c: the criterion `dynamic`: shared memory is asked for at the launch.
 *
 * The kernel has no static shared memory that could hold a tile; the launch passes the bytes that
 * the program itself prints for that number of threads (requiredSM), at least the rubric's minimum;
 * the printed table is right for all other blocks too; the constant holds the block width of the
 * blocks.
 */
#include "criteria/outcome.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/launch_parameters.h"
#include "criteria/preconditions/launch_preconditions.h"
#include "criteria/preconditions/missing_launch.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/preconditions/whole_program.h"
#include "criteria/printouts/bytes_table.h"
#include "criteria/printouts/printouts.h"
#include "criteria/program_source.h"
#include "model/case.h"

#include <inttypes.h>
#include <math.h>

/* Static shared memory is no tile while it is less than this share of what the smallest block
 * needs: a half of either tile of a product. A counter, a halo or a barrier has far less. */
static const double TILE_SHARE = 0.25;

/* What is being judged. */
struct judged {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_criterion *criterion;
    const struct rubric_launch *launch;
    const struct launch_run *run;
};

/* Lowers *least to the minimum of one block. */
static void take_least(const struct judged *judged, struct case_scope scope, double *least)
{
    double bytes = 0.0;

    if (expression_evaluate(judged->criterion->minimum_bytes, case_lookup, &scope, &bytes, NULL)) {
        *least = fmin(*least, bytes);
    }
}

/* The fewest bytes that could be a tile, of any block that is allowed or was launched; 0 if the
 * rubric does not say what a block needs. */
static double least_tile_bytes(const struct judged *judged)
{
    const struct rubric_launch *launch = judged->launch;
    const bool is_of_vectors = launch_is_of_vectors(launch);
    double least = INFINITY;

    if (judged->criterion->minimum_bytes == NULL) {
        return 0.0;
    }
    for (size_t i = 0; i < launch->block_count; i++) {
        const int64_t block_width = launch->blocks[i];
        const int64_t threads = is_of_vectors ? block_width : block_width * block_width;
        take_least(judged, (struct case_scope){.block = block_width, .threads = threads}, &least);
    }
    for (size_t i = 0; i < judged->run->observation_count; i++) {
        if (judged->run->observations[i].launched) {
            take_least(judged,
                       observation_scope(judged->input->rubric, &judged->run->observations[i]),
                       &least);
        }
    }
    return isfinite(least) ? least * TILE_SHARE : 0.0;
}

/* The type that the first input's elements have. */
static const char *input_type_text(const struct rubric_launch *launch)
{
    size_t i = 0;

    while (i + 1 < launch->operand_count && launch->operands[i].role != OPERAND_INPUT) {
        i++;
    }
    return i < launch->operand_count ? element_facts(launch->operands[i].type)->c_name : "char";
}

static bool has_static_tile(const struct judged *judged, struct cause *out_cause)
{
    const uint32_t bytes =
        judged->input->launch_resources[judged->criterion->launch].static_shared_bytes;
    const bool is_product = launch_is_product(judged->launch);
    const char *type = input_type_text(judged->launch);
    const double tile = least_tile_bytes(judged);

    if (bytes == 0 || (double)bytes < tile) {
        return false;
    }
    const char *expected = tile > 0.0
                               ? arena_printf(judged->arena, "less than %.0f, too few for %s", tile,
                                              is_product ? "a tile" : "an array")
                               : "none";
    *out_cause = cause_advised(
        CODE_STATIC_TILE,
        arena_printf(judged->arena,
                     "`%s` has %" PRIu32 " bytes of static shared memory, expected %s",
                     kernel_name(judged->input, judged->launch), bytes, expected),
        advise_on(is_product ? ADVICE_DYNAMIC_TILES : ADVICE_DYNAMIC_ARRAY, type));
    return true;
}

/* The bytes of one launch against the printed table. */
static bool has_other_bytes(const struct judged *judged, const struct printed_table *table,
                            const struct observation *observation, struct cause *out_cause)
{
    uint64_t bytes = observation->geometry.dynamic_shared_bytes;
    uint64_t threads = geometry_threads(&observation->geometry);
    uint64_t block_width = (uint64_t)observation->block;
    uint64_t by_threads = 0;
    uint64_t by_block_width = 0;
    bool knows_threads = printed_table_find(table, threads, &by_threads);
    bool knows_block_width = printed_table_find(table, block_width * block_width, &by_block_width);

    if (!knows_threads && !knows_block_width) {
        *out_cause = cause_advised(CODE_PRINTOUT_MISSING,
                                   arena_printf(judged->arena,
                                                "no line `%s(%" PRIu64 ") = <bytes>` is printed",
                                                table->label, threads),
                                   advise_on(ADVICE_BYTES_FOR_ANY_THREADS, table->label));
        return true;
    }
    if (bytes > 0 && ((knows_threads && bytes == by_threads) ||
                      (knows_block_width && bytes == by_block_width))) {
        return false;
    }
    uint64_t asked = knows_threads ? threads : block_width * block_width;
    uint64_t expected = knows_threads ? by_threads : by_block_width;
    *out_cause = cause_advised(
        CODE_WRONG_BYTE_COUNT,
        arena_printf(judged->arena,
                     "the launch passes %" PRIu64 " bytes of dynamic shared memory, but %s(%" PRIu64
                     ") gives %" PRIu64,
                     bytes, table->label, asked, expected),
        advise_on(expected == 0 ? ADVICE_WRITE_BYTES_FUNCTION : ADVICE_PASS_BYTES, table->label));
    return true;
}

static bool has_too_few_bytes(const struct judged *judged, const struct observation *observation,
                              struct cause *out_cause)
{
    const struct expression *minimum = judged->criterion->minimum_bytes;
    struct case_scope scope = observation_scope(judged->input->rubric, observation);
    double least = 0.0;

    if (minimum == NULL || !expression_evaluate(minimum, case_lookup, &scope, &least, NULL) ||
        (double)observation->geometry.dynamic_shared_bytes >= least) {
        return false;
    }
    uint32_t bytes = observation->geometry.dynamic_shared_bytes;
    *out_cause = cause_advised(
        CODE_WRONG_BYTE_COUNT,
        arena_printf(judged->arena,
                     "the launch passes %" PRIu32 " bytes of dynamic shared memory, %s", bytes,
                     bytes_needed_text(judged->arena, judged->launch, minimum, &scope, least)),
        bytes_advice(judged->arena, judged->launch, bytes, least));
    if (judged->criterion->has_bytes_printout) {
        size_t printout = judged->criterion->bytes_printout;
        out_cause->subject =
            (struct subject){.kind = SUBJECT_FUNCTION,
                             .program = judged->launch->program,
                             .name = judged->input->rubric->printouts[printout].label};
    }
    return true;
}

/* A constant that could not be read: there is none, or one of another size than an int's. */
static struct cause unknown_constant_cause(const struct judged *judged,
                                           const struct rubric_scalar *scalar, const char *name)
{
    const char *type = element_facts(scalar->type)->c_name;
    struct program_source source;
    struct file_token file_token;

    program_source_read(judged->input, judged->arena, judged->launch->program, &source);
    if (!scalar->bind.is_symbol || find_declarations(&source, name, &file_token) == 0) {
        return cause_advised(
            CODE_WRONG_CONSTANT,
            arena_printf(judged->arena, "there is no constant %s in the program", name),
            (struct advice){ADVICE_DECLARE_CONSTANT, {type, name}});
    }
    return cause_advised(CODE_WRONG_CONSTANT,
                         arena_printf(judged->arena,
                                      "%s is declared, but not as a single %s of %zu bytes", name,
                                      type, element_bytes(scalar->type)),
                         (struct advice){ADVICE_DECLARE_CONSTANT_AND_COPY, {type, name}});
}

/* Why the constant is wrong; false if it is right. *out_is_copied: it holds another value. */
static bool judge_constant(const struct judged *judged, const struct observation *observation,
                           bool *out_is_copied, struct cause *out_cause)
{
    size_t index = judged->criterion->scalar;
    const struct rubric_scalar *scalar = &judged->launch->scalars[index];
    struct case_scope scope = observation_scope(judged->input->rubric, observation);
    double expected = 0.0;

    if (!judged->criterion->has_scalar ||
        !expression_evaluate(scalar->value, case_lookup, &scope, &expected, NULL)) {
        return false;
    }
    const char *name = scalar->bind.is_symbol ? scalar->bind.symbol : scalar->name;
    if (!observation->scalar_known[index]) {
        *out_cause = unknown_constant_cause(judged, scalar, name);
        return true;
    }
    if (scalar->bind.is_symbol && !observation->scalar_constant[index]) {
        *out_cause = cause_advised(
            CODE_WRONG_CONSTANT, arena_printf(judged->arena, "%s is not in constant memory", name),
            (struct advice){ADVICE_DECLARE_CONSTANT, {"int", name}});
        return true;
    }
    if ((double)observation->scalars[index] == expected) {
        return false;
    }
    *out_is_copied = scalar->bind.is_symbol;
    *out_cause = cause_make(
        CODE_WRONG_CONSTANT,
        arena_printf(judged->arena, "the constant %s holds %" PRId64 ", expected %.0f, the %s",
                     name, observation->scalars[index], expected,
                     launch_is_of_vectors(judged->launch) ? "threads of a block" : "block width"));
    return true;
}

static bool has_wrong_constant(const struct judged *judged, const struct observation *observation,
                               struct cause *out_cause)
{
    size_t index = judged->criterion->scalar;
    const struct rubric_scalar *scalar = &judged->launch->scalars[index];
    bool is_copied = false;

    if (!judge_constant(judged, observation, &is_copied, out_cause)) {
        return false;
    }
    if (scalar->bind.is_symbol) {
        out_cause->subject = (struct subject){.kind = is_copied ? SUBJECT_COPY : SUBJECT_CONSTANT,
                                              .program = judged->launch->program,
                                              .name = scalar->bind.symbol,
                                              .value = observation->scalars[index],
                                              .block_width = observation->block};
    }
    return true;
}

/* Every launch that was seen. */
static bool has_wrong_launch(const struct judged *judged, const struct printed_table *table,
                             struct cause *out_cause)
{
    for (size_t i = 0; i < judged->run->observation_count; i++) {
        const struct observation *observation = &judged->run->observations[i];
        if (!observation->launched) {
            continue;
        }
        if ((table != NULL && has_other_bytes(judged, table, observation, out_cause)) ||
            has_too_few_bytes(judged, observation, out_cause) ||
            has_wrong_constant(judged, observation, out_cause)) {
            return true;
        }
    }
    return false;
}

static void add_evidence(const struct judged *judged, const struct observation *observation,
                         struct verdict *verdict)
{
    const struct kernel_resources *resources =
        &judged->input->launch_resources[judged->criterion->launch];
    size_t scalar = judged->criterion->scalar;

    verdict_add_integer(verdict, "block", observation->block);
    verdict_add_integer(verdict, "threads", (int64_t)geometry_threads(&observation->geometry));
    verdict_add_integer(verdict, "dynamic_shared_bytes",
                        observation->geometry.dynamic_shared_bytes);
    if (resources->registers > 0) {
        verdict_add_integer(verdict, "static_shared_bytes", resources->static_shared_bytes);
    } else {
        verdict_add_text(verdict, "static_shared_bytes", "unknown");
    }
    if (judged->criterion->has_scalar && observation->scalar_known[scalar]) {
        verdict_add_integer(verdict, "constant", observation->scalars[scalar]);
    }
}

static bool find_cause(const struct judged *judged, const struct observation **out_seen,
                       struct cause *out_cause)
{
    size_t index = judged->criterion->launch;
    size_t program = judged->launch->program;
    const struct program_activity *activity = &judged->run->activity;
    struct printed_table table;

    *out_seen = NULL;
    if (precondition_build(judged->input, judged->arena, program, out_cause) ||
        precondition_template(judged->input, judged->arena, program, CODE_TEMPLATE_UNCHANGED,
                              out_cause) ||
        precondition_fixed_size(judged->input, judged->arena, program, out_cause)) {
        return true;
    }
    if (activity->protocol_broken) {
        return precondition_activity(judged->arena, activity, out_cause);
    }
    *out_seen = first_launched(judged->input, index);
    if (*out_seen == NULL) {
        if (!blocked_in_launch(judged->input, judged->arena, index, out_cause)) {
            *out_cause = cause_of_missing_launch(judged->input, judged->arena, index, NULL);
        }
        return true;
    }
    if (has_static_tile(judged, out_cause)) {
        return true;
    }
    if (!judged->criterion->has_bytes_printout) {
        return has_wrong_launch(judged, NULL, out_cause);
    }
    if (!read_printed_table(judged->input, judged->arena, judged->criterion->bytes_printout, &table,
                            out_cause)) {
        return true;
    }
    return has_wrong_launch(judged, &table, out_cause) ||
           bytes_table_is_wrong(judged->input, judged->arena, judged->criterion, &table, out_cause);
}

void dynamic_criterion_judge(const struct criteria_input *input, struct arena *arena,
                             struct verdict *verdict)
{
    size_t index = verdict->criterion->launch;
    struct judged judged = {
        .input = input,
        .arena = arena,
        .criterion = verdict->criterion,
        .launch = &input->rubric->launches[index],
        .run = &input->evidence->launch_runs[index],
    };
    const struct observation *seen = NULL;
    struct cause cause;
    bool failed = find_cause(&judged, &seen, &cause);

    if (seen != NULL) {
        add_evidence(&judged, seen, verdict);
    }
    if (failed) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (input->launch_resources[index].registers == 0) {
        outcome_error(verdict,
                      "gpugrade could not find out whether the kernel has static shared memory",
                      ADVICE_GRADER_MISTAKE);
        return;
    }
    outcome_pass(verdict, arena_printf(arena, "%" PRIu32 " bytes for %" PRIu64 " threads",
                                       seen->geometry.dynamic_shared_bytes,
                                       geometry_threads(&seen->geometry)));
}
