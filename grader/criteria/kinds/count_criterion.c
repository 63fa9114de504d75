/* count_criterion.c: the criterion `count`: what the rubric counts stays within its bounds.
 *
 * In every probe of every case that fulfils `from`, the value of `measure` is at most `at_most` and
 * at least `at_least`. All three are expressions over the case and what was counted (measure.h), of
 * the submission and of the reference solution for the same inputs. The verdict shows the probe
 * that is worst by the share of its bound, and the line that makes most of what is too much.
 * Results are not looked at. What has no value, as it divides by something that the submission did
 * not do, is not within bounds.
 */
#include "criteria/outcome.h"

#include "base/text.h"
#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/preconditions/known_arrays.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/traffic/access_pattern.h"
#include "criteria/traffic/same_probe.h"
#include "model/case.h"
#include "model/measure.h"

#include <math.h>
#include <string.h>

/* What the names of the expressions mean in one probe. */
struct count_scope {
    struct case_scope of_case;
    struct measured runs[MEASURED_RUNS]; /* without a sample: it is not needed */
};

/* One probe against one bound. */
struct bounded {
    struct count_scope scope;
    const struct expression *bound;
    bool is_most;
    bool has_values;     /* both have one */
    double value, limit; /* the bound's value */
    double share;        /* more than 1: it does not hold */
};

static bool look_up(void *context, const char *name, double *out_value)
{
    struct count_scope *scope = context;
    struct measure measure;

    if (!measure_find(scope->runs[OF_SUBMISSION].launch, name, &measure)) {
        return case_lookup(&scope->of_case, name, out_value);
    }
    *out_value = measure_value(&measure, &scope->runs[measure.run]);
    return true;
}

static bool is_judged(const struct criteria_input *input, const struct rubric_criterion *criterion,
                      const struct observation *observation)
{
    struct case_scope scope = observation_scope(input->rubric, observation);
    double holds = 0.0;

    return criterion->from == NULL ||
           (expression_evaluate(criterion->from, case_lookup, &scope, &holds, NULL) &&
            holds != 0.0);
}

static double share_of(double value, double limit)
{
    return value <= 0.0 ? 0.0 : limit > 0.0 ? value / limit : INFINITY;
}

static void judge_bound(const struct rubric_criterion *criterion, const struct count_scope *scope,
                        const struct expression *bound, bool is_most, struct bounded *worst)
{
    struct bounded bounded = {.scope = *scope, .bound = bound, .is_most = is_most};

    if (bound == NULL) {
        return;
    }
    bounded.has_values =
        measure_has_kernel(&scope->runs[OF_SUBMISSION]) &&
        expression_evaluate(criterion->measure, look_up, &bounded.scope, &bounded.value, NULL) &&
        expression_evaluate(bound, look_up, &bounded.scope, &bounded.limit, NULL);
    bounded.share = !bounded.has_values ? INFINITY
                    : is_most           ? share_of(bounded.value, bounded.limit)
                                        : share_of(bounded.limit, bounded.value);
    if (worst->bound == NULL || bounded.share > worst->share) {
        *worst = bounded;
    }
}

/* The first probe of the case that names after `base.` mean. */
static bool find_base(const struct criteria_input *input, const struct rubric_criterion *criterion,
                      struct measured *base)
{
    const struct launch_run *run = &input->evidence->launch_runs[criterion->launch];

    for (size_t i = 0; i < run->observation_count && base->sample == NULL; i++) {
        const struct observation *observation = &run->observations[i];
        if (observation->case_index == criterion->base_case && observation->sample_count > 0) {
            base->observation = observation;
            base->sample = &observation->samples[0];
        }
    }
    return base->sample != NULL;
}

/* Fills the scope of a probe. Returns NULL, or why the probe cannot be judged. */
static const char *scope_of(const struct criteria_input *input,
                            const struct rubric_criterion *criterion,
                            const struct observation *observation, const struct sample *sample,
                            struct count_scope *out_scope)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];
    struct count_scope scope = {
        .of_case = observation_scope(input->rubric, observation),
    };
    struct measured *reference = &scope.runs[OF_REFERENCE];

    for (size_t i = 0; i < MEASURED_RUNS; i++) {
        scope.runs[i] = (struct measured){launch, NULL, NULL, criterion->counted_kernel};
    }
    scope.runs[OF_SUBMISSION].observation = observation;
    scope.runs[OF_SUBMISSION].sample = sample;
    if (criterion->needs_reference) {
        reference->sample =
            same_probe(input->rubric, &input->evidence->reference_runs[criterion->launch],
                       observation, sample, &reference->observation);
        if (reference->sample == NULL) {
            return "the reference solution was not run for the same sizes";
        }
    }
    if (criterion->needs_base && !find_base(input, criterion, &scope.runs[OF_BASE_CASE])) {
        return "the case to compare with was not run";
    }
    for (size_t i = 0; i < MEASURED_RUNS; i++) {
        if (scope.runs[i].sample != NULL && !scope.runs[i].sample->counts.is_counted) {
            return "the device did not count the accesses";
        }
    }
    *out_scope = scope;
    return NULL;
}

/* Reviews all probes; *out_worst has no bound if none is judged, and has no values if no kernel of
 * the name that is asked for was launched in it. Returns NULL, or why they cannot be judged. */
static const char *review(const struct criteria_input *input,
                          const struct rubric_criterion *criterion, struct bounded *out_worst)
{
    const struct launch_run *run = &input->evidence->launch_runs[criterion->launch];
    struct bounded worst = {.bound = NULL};

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            struct count_scope scope;
            if (!is_judged(input, criterion, observation)) {
                continue;
            }
            const char *trouble =
                scope_of(input, criterion, observation, &observation->samples[j], &scope);
            if (trouble != NULL) {
                return trouble;
            }
            judge_bound(criterion, &scope, criterion->at_most, true, &worst);
            judge_bound(criterion, &scope, criterion->at_least, false, &worst);
        }
    }
    *out_worst = worst;
    return NULL;
}

static const char *measured_text(struct arena *arena, double number)
{
    const bool is_whole = number == trunc(number) || fabs(number) >= 10000.0;

    return is_whole && fabs(number) < 1e15 ? arena_printf(arena, "%.0f", number)
                                           : arena_printf(arena, "%.4g", number);
}

/* What the names of the expressions are in words, for one probe. */
struct naming {
    const struct criteria_input *input;
    struct arena *arena;
    const struct count_scope *scope;
};

/* "bytes loaded from d_in", "the reference solution's kernel launches" */
static const char *words_of(void *context, const char *name)
{
    const struct naming *naming = context;
    const struct measured *runs = naming->scope->runs;
    const struct measured *base = &runs[OF_BASE_CASE];
    const struct rubric_launch *launch = runs[OF_SUBMISSION].launch;
    struct measure measure;

    if (!measure_find(launch, name, &measure)) {
        return NULL;
    }
    const char *words = measure_words(naming->arena, launch, &measure);
    switch (measure.run) {
    case OF_REFERENCE:
        return arena_printf(naming->arena, "the reference solution's %s", words);
    case OF_BASE_CASE:
        return base->observation == NULL || observation_is_hidden(naming->input, base->observation)
                   ? arena_printf(naming->arena, "the %s in another case", words)
                   : arena_printf(
                         naming->arena, "the %s for %s", words,
                         shape_text(naming->input, naming->arena, launch, base->observation));
    default:
        return words;
    }
}

static bool is_in_name(char c)
{
    return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

/* "1.05 * 65536": an expression with numbers in place of its names. */
static const char *filled_text(struct arena *arena, struct count_scope *scope,
                               const struct expression *expression)
{
    struct text filled;

    text_init(&filled);
    for (const char *at = expression_text(expression); *at != '\0';) {
        size_t length = 1;
        while (is_in_name(at[0]) && is_in_name(at[length])) {
            length++;
        }
        const char *word = arena_strndup(arena, at, length);
        double value = 0.0;
        text_append(&filled, look_up(scope, word, &value) ? measured_text(arena, value) : word);
        at += length;
    }
    const char *copy = arena_strdup(arena, filled.bytes);
    text_release(&filled);
    return copy;
}

/* "491520 (245760 + 245760)": the measure; a single count needs no more words. */
static const char *counted_text(struct arena *arena, const struct rubric_criterion *criterion,
                                struct bounded *bounded)
{
    const char *value = measured_text(arena, bounded->value);
    const char *filled = filled_text(arena, &bounded->scope, criterion->measure);

    return strcmp(filled, value) == 0 ? value : arena_printf(arena, "%s (%s)", value, filled);
}

/* "68813 (1.05 * n = 1.05 * 65536)": the bound; a number needs no more words. */
static const char *limit_text(struct naming *naming, struct bounded *bounded)
{
    const char *limit = measured_text(naming->arena, bounded->limit);
    const char *words = expression_words(naming->arena, bounded->bound, words_of, naming);
    const char *filled = filled_text(naming->arena, &bounded->scope, bounded->bound);

    return strcmp(filled, expression_text(bounded->bound)) == 0
               ? limit
               : arena_printf(naming->arena, "%s (%s = %s)", limit, words, filled);
}

/* Looks for the line that makes most of the first measure which has one; of too little, the line of
 * host code. */
struct line_search {
    struct arena *arena;
    const struct count_scope *scope;
    bool is_most;           /* there is too much of it, not too little */
    struct cause_mark line; /* file NULL: none was found */
};

static void find_line(void *context, const char *name)
{
    struct line_search *search = context;
    const struct measured *own = &search->scope->runs[OF_SUBMISSION];
    struct measure measure;

    if (search->line.file != NULL || !measure_find(own->launch, name, &measure) ||
        measure.run != OF_SUBMISSION) {
        return;
    }
    const bool is_share = measure.kind == MEASURE_ACTIVE_SHARE;
    if (!measure_host_line(&measure, own, &search->line) &&
        (search->is_most == is_share || !measure_heaviest_line(&measure, own, &search->line))) {
        return;
    }
    const char *words = measure_words(search->arena, own->launch, &measure);
    search->line.label = search->line.label != NULL             ? search->line.label
                         : is_share                             ? "most idle threads"
                         : measure_is_of_instructions(&measure) ? "run most often"
                         : search->is_most ? arena_printf(search->arena, "most %s", words)
                                           : arena_printf(search->arena, "too few %s", words);
}

static const char *fault_text(const struct criteria_input *input, struct arena *arena,
                              const struct rubric_criterion *criterion, struct bounded *worst)
{
    const struct rubric_launch *launch = worst->scope.runs[OF_SUBMISSION].launch;
    const struct observation *observation = worst->scope.runs[OF_SUBMISSION].observation;
    struct naming naming = {input, arena, &worst->scope};
    const char *what = expression_words(arena, criterion->measure, words_of, &naming);
    const char *shape = shape_text(input, arena, launch, observation);
    const char *than = worst->is_most ? "at most" : "at least";

    if (!measure_has_kernel(&worst->scope.runs[OF_SUBMISSION])) {
        return arena_printf(arena, "no kernel with a name like `%s` is launched for %s",
                            criterion->counted_kernel, shape);
    }
    if (!worst->has_values) {
        return arena_printf(arena, "%s: there is nothing to count for %s, expected %s %s", what,
                            shape, than, expression_words(arena, worst->bound, words_of, &naming));
    }
    if (observation_is_hidden(input, observation)) {
        return arena_printf(arena, "%s: %s than expected for %s", what,
                            worst->is_most ? "more" : "less", shape);
    }
    return arena_printf(arena, "%s: %s, expected %s %s for %s", what,
                        counted_text(arena, criterion, worst), than, limit_text(&naming, worst),
                        shape);
}

static void fail(const struct criteria_input *input, struct arena *arena, struct bounded *worst,
                 struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct rubric_fault *fault = &criterion->fails_with;
    const struct rubric_launch *launch = worst->scope.runs[OF_SUBMISSION].launch;
    struct line_search search = {.arena = arena, .scope = &worst->scope, .is_most = worst->is_most};
    struct cause cause =
        cause_advised(fault->code,
                      arena_printf(arena, "`%s`: %s",
                                   launch->call != NULL ? launch->call : kernel_name(input, launch),
                                   fault_text(input, arena, criterion, worst)),
                      advise_on(ADVICE_OF_RUBRIC, fault->hint));

    if (worst->has_values) {
        expression_names(criterion->measure, find_line, &search);
    }
    if (search.line.file != NULL) {
        cause.file = search.line.file;
        cause.line = search.line.line;
        cause.column = search.line.column;
        cause.label = search.line.label;
    }
    outcome_fail(verdict, &cause, fault->title);
}

static void add_evidence(const struct criteria_input *input, struct arena *arena,
                         const struct bounded *worst, struct verdict *verdict)
{
    const struct observation *observation = worst->scope.runs[OF_SUBMISSION].observation;

    struct naming naming = {input, arena, &worst->scope};

    verdict_add_text(verdict, "measure",
                     expression_words(arena, verdict->criterion->measure, words_of, &naming));
    if (observation_is_hidden(input, observation)) {
        return;
    }
    verdict_add_text(
        verdict, "shape",
        shape_text(input, arena, worst->scope.runs[OF_SUBMISSION].launch, observation));
    if (worst->has_values) {
        verdict_add_number(verdict, "value", worst->value);
        verdict_add_number(verdict, worst->is_most ? "at_most" : "at_least", worst->limit);
    }
}

/* Which operands the expressions of a criterion name. */
struct named_operands {
    const struct rubric_launch *launch;
    bool is_named[RUBRIC_OPERANDS_MAX];
};

static void note_operand(void *context, const char *name)
{
    struct named_operands *named = context;
    struct measure measure;

    if (measure_find(named->launch, name, &measure) && measure.place >= PLACE_OPERAND &&
        measure.kind != MEASURE_ELEMENTS) {
        named->is_named[measure.place - PLACE_OPERAND] = true;
    }
}

/* True if what is counted cannot be told from what is not. */
static bool is_unknown(const struct criteria_input *input, struct arena *arena,
                       const struct rubric_criterion *criterion, struct cause *out_cause)
{
    const struct expression *const all[] = {criterion->measure, criterion->at_most,
                                            criterion->at_least};
    struct named_operands named = {.launch = &input->rubric->launches[criterion->launch]};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] != NULL) {
            expression_names(all[i], note_operand, &named);
        }
    }
    return precondition_unknown_array(input, arena, criterion->launch, named.is_named, out_cause);
}

void count_criterion_judge(const struct criteria_input *input, struct arena *arena,
                           struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    struct bounded worst;
    struct cause cause;

    if (settled_without_accesses(input, arena, verdict)) {
        return;
    }
    if (criterion->needs_reference && input->evidence->reference_runs == NULL) {
        outcome_skip(verdict, "needs the solution",
                     "what is counted is compared with the reference solution, which is not here");
        return;
    }
    if (is_unknown(input, arena, criterion, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    const char *trouble = review(input, criterion, &worst);
    if (trouble != NULL) {
        outcome_error(verdict, trouble, ADVICE_GRADER_OR_RUBRIC_MISTAKE);
        return;
    }
    if (worst.bound == NULL) {
        outcome_pass(verdict, "no shape to judge");
        return;
    }
    add_evidence(input, arena, &worst, verdict);
    if (worst.share > 1.0) {
        fail(input, arena, &worst, verdict);
        return;
    }
    outcome_pass(verdict, observation_is_hidden(input, worst.scope.runs[OF_SUBMISSION].observation)
                              ? "within its bounds"
                              : arena_printf(arena, "%s, %s %s", measured_text(arena, worst.value),
                                             worst.is_most ? "at most" : "at least",
                                             measured_text(arena, worst.limit)));
}
