/* occupancy_criterion.c: the criterion `occupancy`: the printed number equals one of the rubric's
 * formulas for this kernel, its block and the GPU model.
 *
 * It equals a formula if it is within half a unit of its last printed digit, and within 5 % so that
 * 0.0 is not 0.03.
 * What the block's resources really allow, and how far the next cliff is, stands in the evidence.
 */
#include "criteria/outcome.h"

#include "base/text.h"
#include "criteria/preconditions/launch_preconditions.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/printouts/constant_detection.h"
#include "criteria/printouts/gpu_printouts.h"
#include "criteria/printouts/occupancy_evidence.h"
#include "criteria/printouts/occupancy_scope.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The other facts of this criterion need the rest of the evidence. */
enum { EVIDENCE_FORMULAS = EVIDENCE_MAX / 2 };

enum { NUMBER_BYTES = 32 };

static const double RELATIVE_BOUND = 0.05;

static bool within_percent(const struct printed_number *number, double value)
{
    return fabs(number->value - value) <= RELATIVE_BOUND * fabs(value);
}

/* The first formula that the number equals; NULL if there is none. A formula that gives 0 (no block
 * fits at all) is none: a kernel that cannot run has no occupancy to print. */
static const struct rubric_formula *matching_formula(const struct rubric_criterion *criterion,
                                                     struct occupancy_scope *scope,
                                                     const struct printed_number *number)
{
    for (size_t i = 0; i < criterion->formula_count; i++) {
        double value = 0.0;
        if (occupancy_formula_value(&criterion->formulas[i], scope, &value) && value > 0.0 &&
            printed_within_digits(number, value) && within_percent(number, value)) {
            return &criterion->formulas[i];
        }
    }
    return NULL;
}

static void add_evidence(struct arena *arena, const struct rubric_criterion *criterion,
                         struct occupancy_scope *scope, const struct printed_number *number,
                         struct verdict *verdict)
{
    verdict_add_text(verdict, "printed", number->text);
    verdict_add_integer(verdict, "threads", (int64_t)scope->threads);
    for (size_t i = 0; i < criterion->formula_count && i < EVIDENCE_FORMULAS; i++) {
        const struct rubric_formula *formula = &criterion->formulas[i];
        double value = 0.0;
        if (occupancy_formula_value(formula, scope, &value)) {
            verdict_add_number(verdict, arena_printf(arena, "expected.%s", formula->id), value);
        }
    }
    if (scope->knows_active) {
        verdict_add_integer(verdict, "active_blocks", scope->active.active_blocks);
        verdict_add_text(verdict, "limiter", occupancy_limiter_name(scope->active.limiter));
        verdict_add_number(verdict, "resource_limited",
                           (double)scope->active.active_blocks * (double)scope->threads /
                               scope->model->max_threads_per_multiprocessor);
    }
}

/* True if an earlier formula gives the same value, to the digits that are shown. */
static bool is_shown_before(const struct rubric_criterion *criterion, struct occupancy_scope *scope,
                            size_t index, double value)
{
    char shown[NUMBER_BYTES];
    char other[NUMBER_BYTES];

    snprintf(shown, sizeof shown, "%.4g", value);
    for (size_t i = 0; i < index; i++) {
        double earlier = 0.0;
        if (!occupancy_formula_value(&criterion->formulas[i], scope, &earlier)) {
            continue;
        }
        snprintf(other, sizeof other, "%.4g", earlier);
        if (strcmp(shown, other) == 0) {
            return true;
        }
    }
    return false;
}

/* "0.0303 (title) or 1 (title)": each value once, with its first title. */
static const char *expected_text(struct arena *arena, const struct rubric_criterion *criterion,
                                 struct occupancy_scope *scope)
{
    struct text list;

    text_init(&list);
    for (size_t i = 0; i < criterion->formula_count; i++) {
        double value = 0.0;
        if (occupancy_formula_value(&criterion->formulas[i], scope, &value) &&
            !is_shown_before(criterion, scope, i, value)) {
            text_printf(&list, "%s%.4g (%s)", list.length > 0 ? " or " : "", value,
                        criterion->formulas[i].title);
        }
    }
    const char *copy = arena_strndup(arena, list.bytes, list.length);
    text_release(&list);
    return copy;
}

/* True if a formula gives this value. */
static bool is_given_by_formula(const struct rubric_criterion *criterion,
                                struct occupancy_scope *scope, double wanted)
{
    for (size_t i = 0; i < criterion->formula_count; i++) {
        double value = 0.0;
        if (occupancy_formula_value(&criterion->formulas[i], scope, &value) &&
            occupancy_same_value(value, wanted)) {
            return true;
        }
    }
    return false;
}

/* What else of the launch has the printed value, and what makes an occupancy of it; ADVICE_NONE if
 * nothing does. */
static struct advice quantity_advice(struct arena *arena, const struct rubric_criterion *criterion,
                                     struct occupancy_scope *scope,
                                     const struct printed_number *number)
{
    const double threads = (double)scope->threads;
    const double active = scope->knows_active ? scope->active.active_blocks : 0.0;
    const double most = scope->model->max_blocks_per_multiprocessor;
    const double held = scope->model->max_threads_per_multiprocessor;
    const double blockfuls = active * threads / scope->model->max_threads_per_block;
    const double by_blocks = active * threads / most;
    const struct {
        double value, blocks;
        enum advice_id step, only;
    } quantities[] = {
        {active, active, ADVICE_PRINTED_ACTIVE_BLOCKS, ADVICE_ONLY_ACTIVE_BLOCKS},
        {active * threads, active, ADVICE_PRINTED_ACTIVE_THREADS, ADVICE_ONLY_ACTIVE_THREADS},
        {threads, active, ADVICE_PRINTED_BLOCK_THREADS, ADVICE_ONLY_BLOCK_THREADS},
        {most, most, ADVICE_PRINTED_MOST_BLOCKS, ADVICE_ONLY_MOST_BLOCKS},
        {held, active, ADVICE_PRINTED_MOST_THREADS, ADVICE_ONLY_MOST_THREADS},
        {blockfuls > 1.0 ? blockfuls : 0.0, active, ADVICE_PRINTED_BLOCKFULS,
         ADVICE_ONLY_BLOCKFULS},
        {by_blocks > 1.0 ? by_blocks : 0.0, active, ADVICE_PRINTED_THREADS_BY_BLOCKS,
         ADVICE_ONLY_THREADS_BY_BLOCKS},
    };

    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++) {
        double value = quantities[i].value;
        if (number->is_percentage || value <= 0.0 || !occupancy_same_value(number->value, value)) {
            continue;
        }
        bool is_step = quantities[i].blocks > 0.0 &&
                       is_given_by_formula(criterion, scope, quantities[i].blocks * threads / held);
        struct advice advice = advise_on(is_step ? quantities[i].step : quantities[i].only,
                                         arena_printf(arena, "%.10g", value));
        advice.names[1] = arena_printf(arena, "%.10g", most);
        return advice;
    }
    return advise(ADVICE_NONE);
}

/* True if a formula's value, rounded to the digits that are printed, is the number. */
static bool rounds_from_formula(const struct rubric_criterion *criterion,
                                struct occupancy_scope *scope, const struct printed_number *number)
{
    for (size_t i = 0; i < criterion->formula_count; i++) {
        double value = 0.0;
        if (occupancy_formula_value(&criterion->formulas[i], scope, &value) && value > 0.0 &&
            printed_within_digits(number, value)) {
            return true;
        }
    }
    return false;
}

/* True if 0 is printed, not for want of decimals, and what is expected lies between 0 and 1. */
static bool lost_its_fraction(const struct rubric_criterion *criterion,
                              struct occupancy_scope *scope, const struct printed_number *number)
{
    const bool is_whole = !number->is_percentage && number->half_unit >= 0.5;

    if (number->value != 0.0 || (!is_whole && rounds_from_formula(criterion, scope, number))) {
        return false;
    }
    for (size_t i = 0; i < criterion->formula_count; i++) {
        double value = 0.0;
        if (occupancy_formula_value(&criterion->formulas[i], scope, &value) && value > 0.0 &&
            value < 1.0) {
            return true;
        }
    }
    return false;
}

/* What kind of near miss a wrong number is. */
static struct advice wrong_advice(struct arena *arena, const struct rubric_criterion *criterion,
                                  struct occupancy_scope *scope,
                                  const struct printed_number *number)
{
    const struct advice quantity = quantity_advice(arena, criterion, scope, number);
    struct printed_number hundredth = *number;

    hundredth.value /= 100.0;
    hundredth.half_unit /= 100.0;
    if (!number->is_percentage && matching_formula(criterion, scope, &hundredth) != NULL) {
        return advise(ADVICE_PERCENT_SIGN);
    }
    if (lost_its_fraction(criterion, scope, number)) {
        return advise(ADVICE_INTEGER_DIVISION);
    }
    if (rounds_from_formula(criterion, scope, number)) {
        return advise(ADVICE_MORE_DIGITS);
    }
    return quantity.id != ADVICE_NONE ? quantity : advise(ADVICE_LIMITS_FROM_PROPERTIES);
}

static bool nothing_known(const struct rubric_criterion *criterion, struct occupancy_scope *scope)
{
    for (size_t i = 0; i < criterion->formula_count; i++) {
        double value;
        if (occupancy_formula_value(&criterion->formulas[i], scope, &value)) {
            return false;
        }
    }
    return true;
}

static void judge(const struct criteria_input *input, struct arena *arena, struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct rubric_formula *formula = NULL;
    struct printed_number number;
    struct cause cause;
    size_t used = 0;

    if (!read_printout(input, arena, criterion->printout, &number, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    struct occupancy_scopes scopes = occupancy_scopes_of(input, arena, criterion->launch);
    for (size_t i = 0; i < scopes.count && formula == NULL; i++) {
        formula = matching_formula(criterion, &scopes.items[i], &number);
        used = formula != NULL ? i : 0;
    }
    if (scopes.count == 0 || (formula == NULL && nothing_known(criterion, &scopes.items[0]))) {
        if (precondition_unseen_kernel(input, arena, criterion->launch, &cause)) {
            outcome_fail(verdict, &cause, NULL);
            return;
        }
        outcome_error(verdict, "no formula has a value for this kernel",
                      ADVICE_GRADER_OR_RUBRIC_MISTAKE);
        return;
    }
    if (formula != NULL) {
        verdict_add_text(verdict, "formula", formula->id);
        verdict_add_text(verdict, "formula_title", formula->title);
    }
    add_evidence(arena, criterion, &scopes.items[used], &number, verdict);
    if (formula != NULL &&
        constant_detection_shows_mistake(input, arena, criterion, formula, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (formula != NULL) {
        outcome_pass(verdict, arena_printf(arena, "%s (%s)", number.text, formula->id));
        return;
    }
    if (number.value == 0.0 &&
        printout_rests_on_failure(input, arena, criterion->printout, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    cause = cause_advised(
        CODE_PRINTOUT_WRONG,
        arena_printf(arena, "printed %s, expected %s for blocks of %" PRIu64 " threads on %s",
                     number.text, expected_text(arena, criterion, &scopes.items[0]),
                     scopes.items[0].threads, input->model->name),
        wrong_advice(arena, criterion, &scopes.items[0], &number));
    outcome_fail(verdict, &cause, NULL);
}

/* Blocks that would explain a number which the calculator's do not; 0 if none would. */
static uint32_t blocks_of_driver(const struct criteria_input *input, struct arena *arena,
                                 const struct rubric_criterion *criterion)
{
    struct occupancy_scopes scopes = occupancy_scopes_of(input, arena, criterion->launch);
    struct printed_number number;
    struct cause cause;

    if (first_launched(input, criterion->launch) == NULL || scopes.count == 0 ||
        !scopes.items[0].knows_active ||
        !read_printout(input, arena, criterion->printout, &number, &cause)) {
        return 0;
    }
    struct occupancy_scope scope = scopes.items[0];
    for (uint32_t i = 1; i <= scope.model->max_blocks_per_multiprocessor; i++) {
        scope.active.active_blocks = i;
        if (matching_formula(criterion, &scope, &number) != NULL) {
            return i;
        }
    }
    return 0;
}

/* Lets the real GPU's own run of the program decide. A number that is right on the emulated one and
 * is right here for another number of blocks is the driver's: it passes. */
static void judge_on_gpu(const struct gpu_input *gpu, struct arena *arena, struct verdict *verdict)
{
    struct verdict real = {
        .criterion = verdict->criterion, .summary = "", .cause = cause_make(CODE_NONE, "")};
    uint32_t blocks = 0;

    judge(&gpu->input, arena, &real);
    if (verdict->status == STATUS_PASSED && real.status == STATUS_FAILED) {
        blocks = blocks_of_driver(&gpu->input, arena, verdict->criterion);
    }
    if (blocks > 0) {
        verdict_add_measured_text(verdict, "note",
                                  arena_printf(arena,
                                               "the GPU's driver fits %" PRIu32
                                               " blocks on a multiprocessor, the occupancy "
                                               "calculator does not",
                                               blocks));
        return;
    }
    gpu_verdict_take(gpu, arena, &real, verdict);
}

void occupancy_criterion_judge(const struct criteria_input *input, struct arena *arena,
                               struct verdict *verdict)
{
    struct gpu_input gpu;

    judge(input, arena, verdict);
    if (gpu_input_init(input, verdict->criterion, &gpu)) {
        judge_on_gpu(&gpu, arena, verdict);
    }
    add_occupancy_card(input, arena, verdict->criterion->launch, verdict);
}
