/* load_limits.c: see load_limits.h. */
#include "criteria/traffic/load_limits.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/launch_parameters.h"
#include "criteria/outcome.h"
#include "criteria/preconditions/launch_findings.h"
#include "criteria/preconditions/launch_preconditions.h"
#include "criteria/preconditions/preconditions.h"

#include <inttypes.h>
#include <string.h>

struct load_rule load_rule_of(const struct criteria_input *input, struct arena *arena,
                              const struct rubric_criterion *criterion, load_bounds *bounds)
{
    return (struct load_rule){
        .input = input,
        .arena = arena,
        .criterion = criterion,
        .launch = &input->rubric->launches[criterion->launch],
        .run = &input->evidence->launch_runs[criterion->launch],
        .bounds = bounds,
    };
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

bool load_is_judged(const struct rubric_criterion *criterion, const struct rubric_launch *launch,
                    size_t operand)
{
    return operand_has_values(&launch->operands[operand]) &&
           (!criterion->has_operands || criterion->operand_counts[operand]);
}

static bool is_judged(const struct load_rule *rule, size_t operand)
{
    return load_is_judged(rule->criterion, rule->launch, operand);
}

uint64_t input_bytes_loaded(const struct rubric_criterion *criterion,
                            const struct rubric_launch *launch, const struct launch_counts *counts)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        bytes += load_is_judged(criterion, launch, i) ? loaded_bytes(counts->operands[i]) : 0;
    }
    return bytes;
}

/* Loaded from inputs that are not judged. */
static uint64_t unjudged_bytes(const struct load_rule *rule, const struct launch_counts *counts)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < rule->launch->operand_count; i++) {
        bool is_input = operand_has_values(&rule->launch->operands[i]);
        bytes += is_input && !is_judged(rule, i) ? loaded_bytes(counts->operands[i]) : 0;
    }
    return bytes;
}

/* Loaded from scalars of the program's own; 0 if they are together too large to be some. */
static uint64_t scalar_bytes(const struct launch_counts *counts)
{
    uint64_t bytes = 0;
    uint64_t size = 0;

    for (size_t i = 0; i < counts->other_count; i++) {
        const struct other_count *other = &counts->others[i];
        if (other->bytes > 0 && other->variable_bytes > 0 &&
            other->variable_bytes <= SCALAR_BYTES_MAX) {
            bytes += other->bytes;
            size += other->variable_bytes;
        }
    }
    return size <= SCALARS_BYTES_MAX ? bytes : 0;
}

static struct load_traffic measure(const struct load_rule *rule,
                                   const struct observation *observation,
                                   const struct sample *sample)
{
    const struct launch_counts *counts = &sample->counts;
    struct load_traffic traffic = {
        .observation = observation,
        .sample = sample,
        .counts = counts,
        .bytes = input_bytes_loaded(rule->criterion, rule->launch, counts),
    };
    uint64_t all = loaded_bytes(counts->totals[COUNT_GLOBAL]);
    uint64_t known = traffic.bytes + unjudged_bytes(rule, counts) + scalar_bytes(counts);

    for (size_t i = 0; i < rule->launch->operand_count; i++) {
        if (is_judged(rule, i)) {
            traffic.sectors += counts->operands[i][COUNT_READ].sectors;
        }
    }
    traffic.other_bytes = all > known ? all - known : 0;
    return traffic;
}

/* How much of the maximum a probe loads, from its inputs or from elsewhere. */
static double share_of(const struct load_traffic *traffic)
{
    uint64_t bytes = traffic->bytes > traffic->other_bytes ? traffic->bytes : traffic->other_bytes;

    return (double)bytes / traffic->maximum;
}

/* Reviews all probes. Returns NULL, or why they cannot be judged although they were made. */
static const char *review_probes(const struct load_rule *rule, struct load_limits *out_review)
{
    struct load_limits review = {.reads_shared = false};

    for (size_t i = 0; i < rule->run->observation_count; i++) {
        const struct observation *observation = &rule->run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct launch_counts *counts = &observation->samples[j].counts;
            struct load_traffic traffic = measure(rule, observation, &observation->samples[j]);
            const char *trouble = counts->is_counted
                                      ? rule->bounds(rule, &observation->samples[j], &traffic)
                                      : "the device did not count the accesses";
            if (trouble != NULL) {
                return trouble;
            }
            if (review.worst.observation == NULL || share_of(&traffic) > share_of(&review.worst)) {
                review.worst = traffic;
            }
            for (size_t k = 0; k < rule->launch->operand_count; k++) {
                review.loads[k] = review.loads[k] || loaded_bytes(counts->operands[k]) > 0 ||
                                  observation->samples[j].call.copied_from[k] > 0;
            }
            review.reads_shared =
                review.reads_shared || counts->totals[COUNT_SHARED][COUNT_READ].requests > 0;
        }
    }
    *out_review = review;
    return review.worst.observation == NULL ? "a case was launched but not probed" : NULL;
}

const char *load_shape_text(const struct load_rule *rule, const struct load_traffic *traffic)
{
    return shape_text(rule->input, rule->arena, rule->launch, traffic->observation);
}

const char *load_inputs_text(const struct load_rule *rule)
{
    const char *list = "";

    for (size_t i = 0; i < rule->launch->operand_count; i++) {
        const struct rubric_operand *operand = &rule->launch->operands[i];
        if (is_judged(rule, i)) {
            list = arena_printf(rule->arena, "%s%s%s", list, list[0] == '\0' ? "" : " and ",
                                operand->name);
        }
    }
    return list;
}

double loads_per_element(const struct load_rule *rule, const struct load_traffic *traffic)
{
    double bytes = 0.0;

    for (size_t i = 0; i < rule->launch->operand_count; i++) {
        const struct rubric_operand *operand = &rule->launch->operands[i];
        if (is_judged(rule, i)) {
            bytes += (double)traffic->observation->element_counts[i] *
                     (double)element_bytes(operand->type);
        }
    }
    return bytes > 0.0 ? (double)traffic->bytes / bytes : 0.0;
}

static bool is_same_line(const struct line_count *left, const struct line_count *right)
{
    return left->line == right->line && strcmp(left->file, right->file) == 0;
}

/* Bytes that all instructions of a line load from global memory. */
static uint64_t bytes_of_line(const struct launch_counts *counts, const struct line_count *line)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < counts->line_count; i++) {
        const struct line_count *other = &counts->lines[i];
        bool is_load = other->space == COUNT_GLOBAL && is_loading(other->access);
        bytes += is_load && is_same_line(line, other) ? other->sum.bytes : 0;
    }
    return bytes;
}

static bool stores_shared(const struct launch_counts *counts, const struct line_count *line)
{
    for (size_t i = 0; i < counts->line_count; i++) {
        const struct line_count *other = &counts->lines[i];
        if (other->space == COUNT_SHARED && other->access == COUNT_WRITE &&
            is_same_line(line, other)) {
            return true;
        }
    }
    return false;
}

static bool loads_global(const struct line_count *line)
{
    return line->space == COUNT_GLOBAL && is_loading(line->access) && line->line > 0;
}

/* The line that loads most from global memory; NULL if no line is known. */
static const struct line_count *heaviest_line(const struct launch_counts *counts)
{
    const struct line_count *heaviest = NULL;
    uint64_t most = 0;

    for (size_t i = 0; i < counts->line_count; i++) {
        const struct line_count *line = &counts->lines[i];
        uint64_t bytes = loads_global(line) ? bytes_of_line(counts, line) : 0;
        if (loads_global(line) && (heaviest == NULL || bytes > most ||
                                   (bytes == most && line->sum.bytes > heaviest->sum.bytes))) {
            heaviest = line;
            most = bytes;
        }
    }
    return heaviest;
}

/* The only line that loads at least `excess`, besides `first` or, without one, besides those that
 * put it into shared memory; NULL if there is none, or are several. */
static const struct line_count *only_line_besides(const struct launch_counts *counts,
                                                  const struct line_count *first, double excess)
{
    const struct line_count *found = NULL;

    for (size_t i = 0; i < counts->line_count; i++) {
        const struct line_count *line = &counts->lines[i];
        bool is_left_out = first != NULL ? is_same_line(line, first) : stores_shared(counts, line);
        if (!loads_global(line) || is_left_out || (double)bytes_of_line(counts, line) < excess) {
            continue;
        }
        if (found != NULL && !is_same_line(found, line)) {
            return NULL;
        }
        found = found != NULL ? found : line;
    }
    return found;
}

/* The line that is to blame for too many loads: one that alone loads more than an input's part of
 * what is allowed. Where none does, each is right by itself, and the one too many is that which
 * does without shared memory; or, of a single input, that beside the line which loads it whole.
 * NULL if that is not certain. */
static const struct line_count *guilty_line(const struct load_rule *rule,
                                            const struct load_traffic *traffic)
{
    const struct line_count *heaviest = heaviest_line(traffic->counts);
    const double excess = (double)traffic->bytes - traffic->maximum;
    const double unjudged = (double)unjudged_bytes(rule, traffic->counts); /* by whichever line */
    double inputs = 0.0;
    double judged = 0.0;

    for (size_t i = 0; i < rule->launch->operand_count; i++) {
        inputs += operand_has_values(&rule->launch->operands[i]) ? 1.0 : 0.0;
        judged += is_judged(rule, i) ? 1.0 : 0.0;
    }
    if (heaviest == NULL || excess <= 0.0 ||
        ((double)bytes_of_line(traffic->counts, heaviest) - unjudged) * judged > traffic->maximum) {
        return heaviest;
    }
    const struct line_count *beside = only_line_besides(traffic->counts, NULL, excess + unjudged);
    return beside == NULL && inputs == 1.0 ? only_line_besides(traffic->counts, heaviest, excess)
                                           : beside;
}

static struct cause too_many_cause(const struct load_rule *rule, const struct load_traffic *traffic)
{
    const struct line_count *line = guilty_line(rule, traffic);
    bool is_product = launch_is_product(rule->launch);
    bool from_inputs = (double)traffic->bytes > traffic->maximum;
    bool is_hidden = observation_is_hidden(rule->input, traffic->observation);
    uint64_t bytes = from_inputs ? traffic->bytes : traffic->other_bytes;
    const char *from = from_inputs ? load_inputs_text(rule)
                                   : "other global memory than the inputs, as if they had been "
                                     "copied there";
    const char *without =
        traffic->unshared > traffic->maximum
            ? arena_printf(rule->arena, " (without %s: %.0f)",
                           is_product ? "tiles" : "shared memory", traffic->unshared)
            : "";
    const char *figures =
        is_hidden ? (is_product ? "more than tiles need" : "more than is needed")
                  : arena_printf(rule->arena, "%" PRIu64 " bytes, expected at most %.0f%s", bytes,
                                 traffic->maximum, without);
    struct cause cause = cause_advised(
        CODE_TOO_MANY_LOADS,
        arena_printf(rule->arena, "`%s` loads %s from %s for %s: %.4g times as much as allowed",
                     kernel_name(rule->input, rule->launch), figures, from,
                     load_shape_text(rule, traffic), (double)bytes / traffic->maximum),
        advise(is_product ? ADVICE_LOAD_TILES : ADVICE_LOAD_ONCE));

    if (line != NULL) {
        cause.file = line->file;
        cause.line = line->line;
        cause.column = line->column;
    }
    return cause;
}

/* True if a line reads outside of every allocation in a probe. */
static bool reads_outside(const struct sample *sample, const struct line_count *line)
{
    for (size_t i = 0; i < sample->finding_count; i++) {
        const struct finding *finding = &sample->findings[i];
        const struct place *place = &finding->places[finding->main_place];
        if (finding->code == CODE_GLOBAL_OUT_OF_BOUNDS && finding->place_count > 0 &&
            place->line > 0 && place->line == line->line && strcmp(place->file, line->file) == 0) {
            return true;
        }
    }
    return false;
}

/* True if no more than allowed is loaded but for lines that fill shared memory and go on past the
 * end of an input: what they load there from within one, of its next row, is too much as well. */
static bool is_past_the_end(const struct load_traffic *traffic)
{
    double bytes = (double)traffic->bytes;

    for (size_t i = 0; i < traffic->counts->line_count; i++) {
        const struct line_count *line = &traffic->counts->lines[i];
        if (loads_global(line) && stores_shared(traffic->counts, line) &&
            reads_outside(traffic->sample, line)) {
            bytes -= (double)line->sum.bytes;
        }
    }
    return (double)traffic->bytes > traffic->maximum && bytes <= traffic->maximum;
}

/* Lets an access out of bounds be the reason of too many loads. */
static void explain(const struct load_rule *rule, const struct load_traffic *traffic,
                    struct cause *cause)
{
    const struct finding *finding =
        worst_launch_finding(rule->input, rule->criterion->launch, false);

    if (finding == NULL || finding->code != CODE_GLOBAL_OUT_OF_BOUNDS ||
        !is_past_the_end(traffic)) {
        return;
    }
    cause->reason = finding;
}

static struct cause no_shared_cause(const struct load_rule *rule)
{
    return cause_advised(
        CODE_NO_SHARED_READS,
        arena_printf(rule->arena, "`%s` never reads shared memory",
                     kernel_name(rule->input, rule->launch)),
        advise(launch_is_product(rule->launch) ? ADVICE_SHARED_TILES : ADVICE_SHARED_ARRAY));
}

static struct cause not_loaded_cause(const struct load_rule *rule, size_t operand)
{
    return cause_advised(
        CODE_OPERAND_NOT_LOADED,
        arena_printf(rule->arena, "`%s` never loads anything from %s",
                     kernel_name(rule->input, rule->launch), rule->launch->operands[operand].name),
        advise(launch_is_product(rule->launch) ? ADVICE_LOAD_EACH_INPUT : ADVICE_USE_THE_INPUT));
}

/* A round that is missing may leave the smallest case without any load; that is wrong, and still
 * tiled: each input must be loaded in some case. */
static bool is_broken(const struct load_rule *rule, const struct load_limits *review,
                      struct cause *out_cause)
{
    if (share_of(&review->worst) > 1.0) {
        *out_cause = too_many_cause(rule, &review->worst);
        explain(rule, &review->worst, out_cause);
        return true;
    }
    for (size_t i = 0; i < rule->launch->operand_count; i++) {
        if (is_judged(rule, i) && !review->loads[i]) {
            const size_t launch = (size_t)(rule->launch - rule->input->rubric->launches);
            if (!precondition_idle_kernel(rule->input, rule->arena, launch, out_cause)) {
                *out_cause = not_loaded_cause(rule, i);
            }
            return true;
        }
    }
    if (!review->reads_shared) {
        *out_cause = no_shared_cause(rule);
        return true;
    }
    return false;
}

bool load_limits_holds(const struct load_rule *rule, load_evidence *add_evidence,
                       struct verdict *verdict, struct load_limits *out_review)
{
    struct cause cause;

    if (!rule->input->is_emulated) {
        outcome_skip_unwatched(verdict);
        return false;
    }
    const char *trouble = review_probes(rule, out_review);
    if (trouble != NULL) {
        outcome_error(verdict, trouble, ADVICE_GRADER_OR_RUBRIC_MISTAKE);
        return false;
    }
    add_evidence(rule, &out_review->worst, verdict);
    if (is_broken(rule, out_review, &cause)) {
        outcome_fail(verdict, &cause,
                     cause.reason == NULL
                         ? NULL
                         : arena_printf(rule->arena, "%.3g times as much as allowed",
                                        share_of(&out_review->worst)));
        return false;
    }
    return true;
}
