/* review_rubric.c: a rubric that loads, looked at by one who knows what goes wrong; see review.h.
 */
#include "coursework/review.h"

#include "coursework/launch_shape.h"
#include "model/case.h"

#include <inttypes.h>
#include <string.h>

/* Cases are drawn with that many seeds; of a launch at most so many block widths are tried. */
enum { SEEDS = 8, BLOCKS_MAX = 32 };

static bool names_launch(const struct rubric_criterion *criterion, size_t launch)
{
    bool has_baseline =
        criterion->kind == CRITERION_SPEEDUP || criterion->kind == CRITERION_SAVED_LOADS;

    return (criterion->has_launch && criterion->launch == launch) ||
           (has_baseline && criterion->baseline == launch);
}

static bool names_printout(const struct rubric_criterion *criterion, size_t printout)
{
    return (criterion->has_printout && criterion->printout == printout) ||
           (criterion->has_bytes_printout && criterion->bytes_printout == printout);
}

/* What the criteria make of one launch. */
static void review_launch(struct review *review, const struct rubric *rubric, size_t index)
{
    const struct rubric_launch *launch = &rubric->launches[index];
    size_t uses = 0, of_results = 0, own = 0;

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        bool is_own = criterion->has_launch && criterion->launch == index;
        uses += names_launch(criterion, index) ? 1 : 0;
        own += is_own ? 1 : 0;
        of_results += is_own && criterion->kind == CRITERION_CORRECT ? 1 : 0;
    }
    if (uses == 0) {
        review_note(review, "rubric: no criterion checks the launch '%s'", launch->id);
    } else if (own > 0 && of_results == 0) {
        review_note(review, "rubric: no criterion checks what the launch '%s' computes",
                    launch->id);
    }
}

static void review_uses(struct review *review, const struct rubric *rubric)
{
    for (size_t i = 0; i < rubric->launch_count; i++) {
        review_launch(review, rubric, i);
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        bool is_used = false;
        for (size_t j = 0; j < rubric->criterion_count; j++) {
            is_used = is_used || names_printout(&rubric->criteria[j], i);
        }
        if (!is_used) {
            review_note(review, "rubric: no criterion checks the printout '%s'",
                        rubric->printouts[i].id);
        }
    }
}

/* What a linked program copies to a symbol is written over before each launch. Whole programs,
 * whose arrays are symbols, are told apart: they copy on their own. */
static void review_symbols(struct review *review, const struct rubric *rubric)
{
    for (size_t i = 0; i < rubric->launch_count; i++) {
        const struct rubric_launch *launch = &rubric->launches[i];
        for (size_t j = 0; j < launch->operand_count && launch->input_count > 0; j++) {
            const struct rubric_operand *operand = &launch->operands[j];
            if (operand->role == OPERAND_INPUT && operand->bind.is_symbol) {
                review_note(review,
                            "rubric: what a program copies to '%s' is not tested: the grader fills "
                            "'%s' of '%s' before each launch; to test the copy, let the harness "
                            "compute the values from a parameter",
                            operand->bind.symbol, operand->name, launch->id);
            }
        }
    }
}

/* What the parameters of 16 launches and 64 bytes of copies hold. */
enum { HOST_BYTES = 16 * 64 + 64 };

/* True if some case has a result for certain that is too large to come from the host. */
static bool has_large_result(const struct rubric *rubric, const struct rubric_launch *launch)
{
    for (size_t i = 0; i < rubric->case_count; i++) {
        struct drawn_case least = {.case_index = i};
        int64_t parameters[RUBRIC_PARAMETERS_MAX] = {0};
        const struct case_scope scope = {.rubric = rubric, .parameters = parameters};
        for (size_t k = 0; k < rubric->parameter_count; k++) {
            least.units[k] = rubric->cases[i].values[k].minimum;
        }
        if (!case_parameters(rubric, &least, 0, parameters)) {
            continue;
        }
        for (size_t k = 0; k < launch->operand_count; k++) {
            const struct rubric_operand *operand = &launch->operands[k];
            uint64_t extents[3];
            if (operand_is_result(operand) &&
                case_elements(&scope, operand, extents) * element_bytes(operand->type) >
                    HOST_BYTES) {
                return true;
            }
        }
    }
    return false;
}

/* The host of a whole program knows its inputs, and could bring a small result. */
static void review_programs(struct review *review, const struct rubric *rubric)
{
    for (size_t i = 0; i < rubric->launch_count; i++) {
        const struct rubric_launch *launch = &rubric->launches[i];
        bool is_counted = false;
        for (size_t j = 0; j < rubric->criterion_count; j++) {
            const struct rubric_criterion *criterion = &rubric->criteria[j];
            is_counted = is_counted || (criterion->has_launch && criterion->launch == i &&
                                        criterion->at_least != NULL);
        }
        if (launch_is_program(launch) && !is_counted && !has_large_result(rubric, launch)) {
            review_note(review,
                        "rubric: the host could compute the result of '%s', as each case may have "
                        "one of %d bytes or less: let a case have a larger one, or count with "
                        "'at_least' what kernels load",
                        launch->id, (int)HOST_BYTES);
        }
    }
}

/* A size that is the same in every case may as well be written into the kernel. */
static void review_parameters(struct review *review, const struct rubric *rubric)
{
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        const struct range *first = &rubric->cases[0].values[i];
        bool changes = false;
        for (size_t j = 0; j < rubric->case_count; j++) {
            const struct range *range = &rubric->cases[j].values[i];
            changes =
                changes || range->minimum != range->maximum || range->minimum != first->minimum;
        }
        if (!changes) {
            review_note(review,
                        "rubric: '%s' is %" PRId64
                        " in every case, so a kernel with that value hard-coded passes",
                        rubric->parameters[i].name, first->minimum);
        }
    }
}

/* Whether the operands of a launch fit into the device in one case, for all its blocks. */
static void review_case(struct review *review, const struct rubric *rubric,
                        const struct rubric_launch *launch, const struct drawn_case *drawn)
{
    const char *case_id = rubric->cases[drawn->case_index].id;
    int64_t blocks[BLOCKS_MAX];
    size_t count = launch_blocks(rubric, launch, drawn, blocks, BLOCKS_MAX);
    struct launch_shape shape;

    if (count == 0) {
        review_fail(review, "rubric: the block of the launch '%s' has no value in the case '%s'",
                    launch->id, case_id);
    }
    for (size_t i = 0; i < count; i++) {
        if (!launch_shape_find(rubric, launch, drawn, blocks[i], &shape)) {
            review_fail(review,
                        "rubric: a size of the launch '%s' is not a whole number of at least 1 in "
                        "the case '%s' with a block width of %" PRId64,
                        launch->id, case_id, blocks[i]);
            return;
        }
        if (shape.bytes > rubric->limits.device_memory_bytes) {
            review_fail(review,
                        "rubric: the operands of the launch '%s' need %" PRIu64
                        " bytes in the case '%s' with a block width of %" PRId64
                        ", but device_memory_mb allows only %" PRIu64,
                        launch->id, shape.bytes, case_id, blocks[i],
                        rubric->limits.device_memory_bytes);
            return;
        }
    }
}

static void review_cases(struct review *review, const struct rubric *rubric)
{
    for (uint64_t i = 0; i < SEEDS; i++) {
        const struct drawn_case *cases = NULL;
        size_t count = 0;
        cases_draw(review->arena, rubric, review->seed + i, &cases, &count);
        for (size_t j = 0; j < count; j++) {
            for (size_t k = 0; k < rubric->launch_count; k++) {
                size_t failed = review->failed;
                review_case(review, rubric, &rubric->launches[k], &cases[j]);
                if (review->failed > failed) {
                    return; /* one is enough: the others are alike */
                }
            }
        }
    }
}

/* On small GPUs and on large ones. */
static void review_timing(struct review *review, const struct rubric *rubric,
                          const struct rubric_criterion *criterion)
{
    static const uint32_t multiprocessors[] = {1, 20, 40, 108, 132, 200};
    int64_t parameters[RUBRIC_PARAMETERS_MAX];

    for (size_t i = 0; i < sizeof multiprocessors / sizeof multiprocessors[0]; i++) {
        if (!case_timing_parameters(rubric, criterion, multiprocessors[i], parameters)) {
            review_fail(review,
                        "rubric: the shape of '%s' is not a whole number of at least 1 for a GPU "
                        "with %u multiprocessors",
                        criterion->id, multiprocessors[i]);
            return;
        }
    }
}

static double total_points(const struct rubric *rubric)
{
    double sum = 0;

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        sum += rubric->criteria[i].bonus ? 0 : rubric->criteria[i].points;
    }
    return sum;
}

void review_rubric(struct review *review, const struct rubric *rubric)
{
    const struct drawn_case *cases = NULL;
    size_t failed = review->failed;
    size_t count = 0;

    review_cases(review, rubric);
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        if (rubric->criteria[i].kind == CRITERION_SPEEDUP) {
            review_timing(review, rubric, &rubric->criteria[i]);
        }
    }
    review_uses(review, rubric);
    review_symbols(review, rubric);
    review_programs(review, rubric);
    review_parameters(review, rubric);
    cases_draw(review->arena, rubric, review->seed, &cases, &count);
    if (review->failed == failed) {
        review_ok(review, "rubric: %g points for %zu criteria, %zu cases", total_points(rubric),
                  rubric->criterion_count, count);
    }
}
