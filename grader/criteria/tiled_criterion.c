/* tiled_criterion.c: the criterion `tiled`: the kernel shares what it loads from its inputs.
 *
 * Judged by traffic, not by reading source: in every probe of every case the bytes that active
 * lanes load from the allocations of the input operands are at most what the rubric's expression
 * gives (for matmul the naive kernel's bytes over the edge). Vector loads, register blocking and
 * wider tiles need fewer, which passes as long as the kernel reads shared memory and loads each of
 * its inputs. Loads from any other memory are held to the same bound, all together: what was copied
 * there first saves nothing. An atomic operation reads what it changes and counts as a load. A
 * scalar of the program's own (an edge that is __device__) is too small for a copy, however often
 * it is loaded. Results are not looked at: a kernel may be tiled and wrong.
 */
#include "criteria/outcome.h"

#include "criteria/blocked.h"
#include "criteria/case_text.h"
#include "criteria/compare.h"
#include "criteria/launch_blocked.h"
#include "model/case.h"

#include <inttypes.h>

/* One probe, as far as this criterion looks at it. */
struct traffic {
    const struct observation *observation;
    const struct launch_counts *counts;
    uint64_t bytes, sectors; /* loaded from the input operands */
    uint64_t other_bytes;    /* loaded from elsewhere in global memory */
    double maximum, naive;   /* the expression; and for an edge of 1, without any tiles */
};

/* What is being judged. */
struct judged {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_criterion *criterion;
    const struct rubric_launch *launch;
    const struct launch_run *run;
};

static bool evaluate(const struct judged *judged, const struct observation *observation,
                     int64_t block, double *out_value)
{
    struct case_scope scope = {
        .rubric = judged->input->rubric,
        .parameters = observation->parameters,
        .block = block,
        .threads = (int64_t)geometry_threads(&observation->geometry),
    };

    return expression_evaluate(judged->criterion->maximum_bytes, case_lookup, &scope, out_value,
                               NULL);
}

/* An atomic operation gives what it found, also when it adds 0. */
static bool is_loading(enum count_access access)
{
    return access == COUNT_READ || access == COUNT_ATOMIC;
}

static uint64_t loaded_bytes(const struct access_sum sums[COUNT_ACCESSES])
{
    return sums[COUNT_READ].bytes + sums[COUNT_ATOMIC].bytes;
}

/* Loaded from scalars of the program's own. */
static uint64_t scalar_bytes(const struct launch_counts *counts)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < counts->other_count; i++) {
        bytes += counts->others[i].is_scalar ? counts->others[i].bytes : 0;
    }
    return bytes;
}

/* False if the expression has no value for this case. */
static bool measure(const struct judged *judged, const struct observation *observation,
                    const struct sample *sample, struct traffic *out_traffic)
{
    const struct launch_counts *counts = &sample->counts;
    struct traffic traffic = {.observation = observation, .counts = counts};

    for (size_t i = 0; i < judged->launch->operand_count; i++) {
        if (judged->launch->operands[i].role == OPERAND_INPUT) {
            traffic.bytes += loaded_bytes(counts->operands[i]);
            traffic.sectors += counts->operands[i][COUNT_READ].sectors;
        }
    }
    uint64_t all = loaded_bytes(counts->totals[COUNT_GLOBAL]);
    uint64_t known = traffic.bytes + scalar_bytes(counts);
    traffic.other_bytes = all > known ? all - known : 0;
    *out_traffic = traffic;
    return evaluate(judged, observation, observation->block, &out_traffic->maximum) &&
           evaluate(judged, observation, 1, &out_traffic->naive) && out_traffic->maximum > 0.0;
}

/* How much of the maximum a probe loads, from its inputs or from elsewhere. */
static double share_of(const struct traffic *traffic)
{
    uint64_t bytes = traffic->bytes > traffic->other_bytes ? traffic->bytes : traffic->other_bytes;

    return (double)bytes / traffic->maximum;
}

/* The line that loads most from global memory; NULL if no line is known. */
static const struct line_count *heaviest_line(const struct launch_counts *counts)
{
    const struct line_count *heaviest = NULL;

    for (size_t i = 0; i < counts->line_count; i++) {
        const struct line_count *line = &counts->lines[i];
        if (line->space == COUNT_GLOBAL && is_loading(line->access) && line->line > 0 &&
            (heaviest == NULL || line->sum.bytes > heaviest->sum.bytes)) {
            heaviest = line;
        }
    }
    return heaviest;
}

static const char *shape_of(const struct judged *judged, const struct traffic *traffic)
{
    return shape_text(judged->input, judged->arena, judged->launch, traffic->observation);
}

static const char *inputs_text(const struct judged *judged)
{
    const char *list = "";

    for (size_t i = 0; i < judged->launch->operand_count; i++) {
        const struct rubric_operand *operand = &judged->launch->operands[i];
        if (operand->role == OPERAND_INPUT) {
            list = arena_printf(judged->arena, "%s%s%s", list, list[0] == '\0' ? "" : " and ",
                                operand->name);
        }
    }
    return list;
}

static struct cause too_many_cause(const struct judged *judged, const struct traffic *traffic)
{
    const struct line_count *line = heaviest_line(traffic->counts);
    bool from_inputs = (double)traffic->bytes > traffic->maximum;
    bool is_hidden = observation_is_hidden(judged->input, traffic->observation);
    uint64_t bytes = from_inputs ? traffic->bytes : traffic->other_bytes;
    const char *from =
        from_inputs ? inputs_text(judged)
                    : "other global memory than the inputs, as if they had been copied there";
    const char *figures =
        is_hidden ? "more than tiles need"
                  : arena_printf(judged->arena,
                                 "%" PRIu64 " bytes, expected at most %.0f (without tiles: %.0f)",
                                 bytes, traffic->maximum, traffic->naive);
    struct cause cause = cause_make(
        CODE_TOO_MANY_LOADS,
        arena_printf(judged->arena, "`%s` loads %s from %s for %s: %.4g times as much as allowed",
                     judged->launch->kernel, figures, from, shape_of(judged, traffic),
                     (double)bytes / traffic->maximum),
        "let each thread load one element of each tile into shared memory, and multiply from "
        "there");

    if (line != NULL) {
        cause.file = line->file;
        cause.line = line->line;
        cause.column = line->column;
    }
    return cause;
}

static struct cause no_shared_cause(const struct judged *judged)
{
    return cause_make(
        CODE_NO_SHARED_READS,
        arena_printf(judged->arena, "`%s` never reads shared memory", judged->launch->kernel),
        "declare the tiles __shared__, load them, and multiply from them");
}

static struct cause not_loaded_cause(const struct judged *judged, size_t operand)
{
    return cause_make(CODE_OPERAND_NOT_LOADED,
                      arena_printf(judged->arena, "`%s` never loads anything from %s",
                                   judged->launch->kernel, judged->launch->operands[operand].name),
                      "each phase loads one tile of every input");
}

/* What all probes showed together. */
struct review {
    struct traffic worst;            /* of the highest share; no observation: none was probed */
    bool loads[RUBRIC_OPERANDS_MAX]; /* by operand: in some probe */
    bool reads_shared;               /* in some probe */
};

/* True if a rule is broken. A round that is missing may leave the smallest case without any load;
 * that is wrong, and still tiled: each input must be loaded in some case. */
static bool breaks_rule(const struct judged *judged, const struct review *review,
                        struct cause *out_cause)
{
    if (share_of(&review->worst) > 1.0) {
        *out_cause = too_many_cause(judged, &review->worst);
        return true;
    }
    for (size_t i = 0; i < judged->launch->operand_count; i++) {
        if (judged->launch->operands[i].role == OPERAND_INPUT && !review->loads[i]) {
            *out_cause = not_loaded_cause(judged, i);
            return true;
        }
    }
    if (!review->reads_shared) {
        *out_cause = no_shared_cause(judged);
        return true;
    }
    return false;
}

/* Source for the figures: operations per load as in tile-size reasoning, a multiply-add being two
 * operations; the naive bytes hold one element of every input for each multiply-add. */
static void add_evidence(const struct judged *judged, const struct traffic *worst,
                         struct verdict *verdict)
{
    double bytes = (double)worst->bytes;
    size_t inputs = 0;

    if (observation_is_hidden(judged->input, worst->observation)) {
        return;
    }
    for (size_t i = 0; i < judged->launch->operand_count; i++) {
        inputs += judged->launch->operands[i].role == OPERAND_INPUT ? 1 : 0;
    }
    verdict_add_text(verdict, "shape", shape_of(judged, worst));
    verdict_add_integer(verdict, "bytes", (int64_t)worst->bytes);
    verdict_add_number(verdict, "maximum_bytes", worst->maximum);
    verdict_add_number(verdict, "naive_bytes", worst->naive);
    verdict_add_number(verdict, "fraction_of_naive", bytes / worst->naive);
    verdict_add_integer(verdict, "sectors", (int64_t)worst->sectors);
    verdict_add_integer(verdict, "other_bytes", (int64_t)worst->other_bytes);
    verdict_add_number(verdict, "loads_per_multiply_add", (double)inputs * bytes / worst->naive);
    if (worst->bytes > 0) {
        verdict_add_number(verdict, "operations_per_load",
                           2.0 * worst->naive / ((double)inputs * bytes));
    }
    verdict_add_integer(verdict, "shared_read_bytes",
                        (int64_t)worst->counts->totals[COUNT_SHARED][COUNT_READ].bytes);
}

/* Why the probes cannot be judged although they were made; NULL if they can. */
static const char *review_probes(const struct judged *judged, struct review *out_review)
{
    struct review review = {.reads_shared = false};

    for (size_t i = 0; i < judged->run->observation_count; i++) {
        const struct observation *observation = &judged->run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct launch_counts *counts = &observation->samples[j].counts;
            struct traffic traffic;
            if (!counts->is_counted) {
                return "the device did not count the accesses";
            }
            if (!measure(judged, observation, &observation->samples[j], &traffic)) {
                return "maximum_bytes has no value for this case";
            }
            if (review.worst.observation == NULL || share_of(&traffic) > share_of(&review.worst)) {
                review.worst = traffic;
            }
            for (size_t k = 0; k < judged->launch->operand_count; k++) {
                review.loads[k] = review.loads[k] || loaded_bytes(counts->operands[k]) > 0;
            }
            review.reads_shared =
                review.reads_shared || counts->totals[COUNT_SHARED][COUNT_READ].requests > 0;
        }
    }
    *out_review = review;
    return review.worst.observation == NULL ? "a case was launched but not probed" : NULL;
}

void tiled_criterion_judge(const struct criteria_input *input, struct arena *arena,
                           struct verdict *verdict)
{
    size_t launch = verdict->criterion->launch;
    struct judged judged = {
        .input = input,
        .arena = arena,
        .criterion = verdict->criterion,
        .launch = &input->rubric->launches[launch],
        .run = &input->evidence->launch_runs[launch],
    };
    struct review review;
    struct cause cause;

    if (blocked_by_launch(input, arena, launch, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (!input->is_emulated) {
        outcome_skip_unwatched(verdict);
        return;
    }
    const char *trouble = review_probes(&judged, &review);
    if (trouble != NULL) {
        outcome_error(verdict, trouble,
                      "this is a mistake of the grader or of the rubric: report it with the seed");
        return;
    }
    add_evidence(&judged, &review.worst, verdict);
    if (breaks_rule(&judged, &review, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    outcome_pass(verdict, observation_is_hidden(input, review.worst.observation)
                              ? shapes_text(arena, probed_shapes(input, launch))
                              : arena_printf(arena, "1/%.3g of the naive bytes",
                                             review.worst.naive / (double)review.worst.bytes));
}
