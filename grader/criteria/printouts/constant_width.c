/* constant_width.c: see constant_width.h.
 *
 * Candidates are GPUs with fewer or more registers than the model, and with all of its shared
 * memory or less. Each question takes the first candidate that asks it. Where the registers of the
 * kernel are an interval, all of them must give a candidate the same block width.
 */
#include "criteria/printouts/constant_width.h"

#include "criteria/kernel_registers.h"
#include "criteria/outcome.h"
#include "criteria/printouts/block_choice.h"
#include "criteria/printouts/constant_detection.h"

#include <inttypes.h>

/* The registers in 32nds of the model's: halves first, more last. */
static const uint32_t shares[] = {16, 8, 4, 2, 1, 28, 24, 20, 14, 12, 10, 7, 6, 5, 3, 32, 64, 128};
enum { SHARES = sizeof shares / sizeof shares[0], WHOLE = 32 };

/* Shared memory of a multiprocessor in KiB, as it can be split from L1; 0: it is the model's. */
static const uint32_t splits[] = {0, 8, 16, 32, 64, 100};
enum { SPLITS = sizeof splits / sizeof splits[0], CANDIDATES_MAX = SHARES * SPLITS, KIB = 1024 };

/* A GPU, and what the rule gives there. */
struct candidate {
    struct gpu_model model;
    uint32_t split;
    struct block_choice choices[BLOCK_BYTES_VIEWS]; /* by how the calculator is asked */
    bool largest_fits;                              /* a block of the most threads can run */
};

struct search {
    const struct criteria_input *input;
    const struct rubric_criterion *criterion;
    const struct printed_table *table;
    struct printed_table printed;
    uint32_t widths_here; /* a bit each, as they are powers of two: what the rule gives on the
                             model */
    struct candidate *found[OTHER_GPUS_MAX]; /* [found_count], one for each question */
    size_t found_count;
};

static uint32_t least_of(const struct candidate *candidate)
{
    const struct block_choice *choice = &candidate->choices[BLOCK_BYTES_NEEDED];

    return choice->block_width * choice->block_width;
}

static bool is_another(const struct search *search, const struct candidate *candidate)
{
    return candidate->split == 0 &&
           (candidate->choices[BLOCK_BYTES_NEEDED].block_width & search->widths_here) == 0;
}

/* The calculator's choice lies between two powers of four, so that neither its root nor that of the
 * next power of two nor a division by a warp gives the block width. It is neither the most threads
 * that a block can have: who takes those is wrong. */
static bool lies_between(const struct search *search, const struct candidate *candidate)
{
    const struct block_choice *choice = &candidate->choices[BLOCK_BYTES_NEEDED];

    return is_another(search, candidate) && candidate->largest_fits &&
           choice->threads < candidate->model.max_threads_per_block &&
           choice->threads > 2 * least_of(candidate);
}

/* The same for a kernel of which no block is larger than the choice. */
static bool lies_above(const struct search *search, const struct candidate *candidate)
{
    return is_another(search, candidate) &&
           candidate->choices[BLOCK_BYTES_NEEDED].threads >= 2 * least_of(candidate);
}

/* The choice is a power of four: the least that has its block width. */
static bool is_least(const struct search *search, const struct candidate *candidate)
{
    return is_another(search, candidate) &&
           candidate->choices[BLOCK_BYTES_NEEDED].threads == least_of(candidate);
}

/* A block width that was not asked for yet: who knows two is wrong. */
static bool is_third(const struct search *search, const struct candidate *candidate)
{
    for (size_t i = 0; i < search->found_count; i++) {
        if (least_of(search->found[i]) == least_of(candidate)) {
            return false;
        }
    }
    return is_another(search, candidate);
}

/* The same with a choice just below the next power of four. */
static bool is_third_and_most(const struct search *search, const struct candidate *candidate)
{
    return is_third(search, candidate) &&
           candidate->choices[BLOCK_BYTES_NEEDED].threads >= 3 * least_of(candidate);
}

/* Shared memory binds: another block width than without it. What the rubric says of the bytes holds
 * for tiles without padding, so those with some must have the same block width; and so must those
 * have who ask with the bytes of one block, the largest. */
static bool shared_memory_binds(const struct search *search, const struct candidate *candidate)
{
    const uint32_t block_width = candidate->choices[BLOCK_BYTES_NEEDED].block_width;

    return candidate->split > 0 &&
           candidate->choices[BLOCK_BYTES_NONE].block_width != block_width &&
           candidate->choices[BLOCK_BYTES_OF_LARGEST].block_width == block_width &&
           (search->table != NULL ||
            candidate->choices[BLOCK_BYTES_QUARTER_MORE].block_width == block_width);
}

/* Each question asks for a candidate in one way, or, where there is none, in the next ones. */
enum { WAYS_MAX = 3 };
static bool (*const questions[OTHER_GPUS_MAX][WAYS_MAX])(const struct search *,
                                                         const struct candidate *) = {
    {lies_between, lies_above, is_another},
    {is_least},
    {is_third_and_most, is_third},
    {shared_memory_binds},
};

/* The choice on a GPU; false if there is none, or the table lacks a line. */
static bool choice_on(const struct search *search, const struct gpu_model *model,
                      enum block_bytes_view view, uint32_t registers,
                      struct block_choice *out_choice)
{
    const struct block_bytes bytes = {.table = search->table, .view = view};
    struct criteria_input there = *search->input;
    struct diagnostic diagnostic;
    uint32_t missing = 0;

    there.model = model;
    return block_choice_make(&there, search->criterion, registers, &bytes, out_choice, &missing,
                             &diagnostic) == ERROR_NONE &&
           missing == 0;
}

/* The block widths that the kernel's registers may give on a GPU; false as choice_on(). */
static bool widths_on(const struct search *search, const struct gpu_model *model,
                      uint32_t *out_widths)
{
    const struct register_range range =
        register_range_of(&search->input->launch_resources[search->criterion->launch]);

    *out_widths = 0;
    for (uint32_t n = range.least; n <= range.most; n = register_range_next(n)) {
        struct block_choice choice;
        if (!choice_on(search, model, BLOCK_BYTES_NEEDED, n, &choice)) {
            return false;
        }
        *out_widths |= choice.block_width;
    }
    return true;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool launch_may_have(const struct rubric_launch *launch, uint32_t block_width)
{
    for (size_t i = 0; i < launch->block_count; i++) {
        if (launch->blocks[i] == (int64_t)block_width) {
            return true;
        }
    }
    return false;
}

/* Leaves so much of the shared memory; false if that is more than there is. */
static bool limit_shared(struct gpu_model *model, uint32_t split)
{
    const uint64_t bytes = (uint64_t)split * KIB;

    if (bytes > model->shared_per_multiprocessor_bytes) {
        return false;
    }
    if (split > 0) {
        model->shared_per_multiprocessor_bytes = bytes;
        model->shared_per_block_bytes = smaller(model->shared_per_block_bytes, bytes);
        model->shared_per_block_optin_bytes = smaller(model->shared_per_block_optin_bytes, bytes);
    }
    return true;
}

/* Fills a candidate; false if it tells nothing. */
static bool make_candidate(const struct search *search, uint32_t share, uint32_t split,
                           struct candidate *out)
{
    const struct rubric_launch *launch =
        &search->input->rubric->launches[search->criterion->launch];
    const struct kernel_resources *resources =
        &search->input->launch_resources[search->criterion->launch];
    struct gpu_model *model = &out->model;
    uint32_t widths = 0;

    *out = (struct candidate){.model = *search->input->model, .split = split};
    model->registers_per_multiprocessor = model->registers_per_multiprocessor / WHOLE * share;
    model->registers_per_block = model->registers_per_block / WHOLE * share;
    if ((split == 0 && share == WHOLE) || !limit_shared(model, split)) {
        return false;
    }
    for (int view = 0; view < BLOCK_BYTES_VIEWS; view++) {
        if ((split > 0 || view == BLOCK_BYTES_NEEDED) &&
            !choice_on(search, model, (enum block_bytes_view)view, resources->registers,
                       &out->choices[view])) {
            return false;
        }
    }
    out->largest_fits =
        (uint64_t)register_range_of(resources).most * model->max_threads_per_block <=
            model->registers_per_block &&
        (resources->max_threads == 0 || resources->max_threads >= model->max_threads_per_block);
    return widths_on(search, model, &widths) &&
           widths == out->choices[BLOCK_BYTES_NEEDED].block_width &&
           launch_may_have(launch, widths);
}

/* The candidate that asks a question; NULL if there is none. */
static struct candidate *ask(const struct search *search, struct candidate *candidates,
                             size_t count, size_t question)
{
    for (size_t way = 0; way < WAYS_MAX && questions[question][way] != NULL; way++) {
        for (size_t i = 0; i < count; i++) {
            if (questions[question][way](search, &candidates[i])) {
                return &candidates[i];
            }
        }
    }
    return NULL;
}

/* A candidate answers several questions at once if it is asked only once. */
static bool is_found(const struct search *search, const struct candidate *candidate)
{
    for (size_t i = 0; i < search->found_count; i++) {
        if (search->found[i] == candidate) {
            return true;
        }
    }
    return false;
}

/* Finds the GPUs of all questions; false if there are none. */
static bool find(const struct criteria_input *input, struct arena *arena,
                 const struct rubric_criterion *criterion, struct search *out_search)
{
    struct search *search = out_search;
    struct cause cause;
    size_t count = 0;

    *search = (struct search){.input = input, .criterion = criterion};
    if (criterion->has_bytes_printout) {
        if (!read_printed_table(input, arena, criterion->bytes_printout, &search->printed,
                                &cause)) {
            return false;
        }
        search->table = &search->printed;
    }
    if (!widths_on(search, input->model, &search->widths_here)) {
        return false;
    }
    struct candidate *candidates = arena_array(arena, CANDIDATES_MAX, sizeof *candidates);
    for (size_t i = 0; i < CANDIDATES_MAX; i++) {
        count += make_candidate(search, shares[i % SHARES], splits[i / SHARES], &candidates[count])
                     ? 1
                     : 0;
    }
    for (size_t i = 0; i < OTHER_GPUS_MAX; i++) {
        struct candidate *candidate = ask(search, candidates, count, i);
        if (candidate != NULL && !is_found(search, candidate)) {
            search->found[search->found_count++] = candidate;
        }
    }
    return search->found_count > 0;
}

bool constant_width_find(const struct criteria_input *input, struct arena *arena,
                         const struct rubric_criterion *criterion, size_t turn,
                         struct gpu_model *out_model)
{
    struct search search;

    if (!find(input, arena, criterion, &search) || turn >= search.found_count) {
        return false;
    }
    *out_model = search.found[turn]->model;
    return true;
}

/* "16384 registers per multiprocessor", and the bytes where they bind */
static const char *limits_text(struct arena *arena, const struct candidate *candidate)
{
    const struct gpu_model *model = &candidate->model;

    if (candidate->split == 0) {
        return arena_printf(arena, "%" PRIu32 " registers per multiprocessor",
                            model->registers_per_multiprocessor);
    }
    return arena_printf(
        arena, "%" PRIu32 " registers and %" PRIu64 " bytes of shared memory per multiprocessor",
        model->registers_per_multiprocessor, model->shared_per_multiprocessor_bytes);
}

/* True if the calculator gives the same block however it is asked for shared memory. */
static bool is_choice_certain(const struct search *search, const struct candidate *candidate)
{
    const uint32_t registers = search->input->launch_resources[search->criterion->launch].registers;

    for (int view = 0; view < BLOCK_BYTES_VIEWS; view++) {
        struct block_choice choice;
        if (!choice_on(search, &candidate->model, (enum block_bytes_view)view, registers,
                       &choice) ||
            choice.threads != candidate->choices[BLOCK_BYTES_NEEDED].threads) {
            return false;
        }
    }
    return true;
}

/* Names what the calculator gives and the threads that are printed, where those are more. */
static struct cause constant_cause(const struct search *search, struct arena *arena,
                                   const struct candidate *candidate,
                                   const struct printed_number *here)
{
    const struct block_choice *choice = &candidate->choices[BLOCK_BYTES_NEEDED];
    struct advice advice = advise(ADVICE_BLOCK_WIDTH_OF_ONE_GPU);

    if (here->value * here->value > choice->threads && is_choice_certain(search, candidate)) {
        advice.names[0] = arena_printf(arena, "%" PRIu32, choice->threads);
        advice.names[1] = arena_printf(arena, "%s * %s = %.10g", here->text, here->text,
                                       here->value * here->value);
    }
    return cause_advised(
        CODE_PRINTOUT_WRONG,
        arena_printf(arena,
                     "printed %s on two GPUs: right on %s, but on one with %s it is %" PRIu32,
                     here->text, search->input->model->name, limits_text(arena, candidate),
                     choice->block_width),
        advice);
}

static struct cause rule_cause(const struct criteria_input *input, struct arena *arena,
                               const struct candidate *candidate, const struct printed_number *here,
                               const struct printed_number *there)
{
    const struct block_choice *choice = &candidate->choices[BLOCK_BYTES_NEEDED];
    const bool ignores_bytes =
        candidate->split > 0 && there->value == candidate->choices[BLOCK_BYTES_NONE].block_width;

    return cause_advised(CODE_PRINTOUT_WRONG,
                         arena_printf(arena,
                                      "printed %s, which is right on %s only by chance: on a GPU "
                                      "with %s the highest occupancy is "
                                      "at %" PRIu32
                                      " threads a block, and %s is printed, expected %" PRIu32,
                                      here->text, input->model->name, limits_text(arena, candidate),
                                      choice->threads, there->text, choice->block_width),
                         advise(ignores_bytes ? ADVICE_BYTES_IGNORED : ADVICE_POWER_OF_FOUR));
}

bool constant_width_shows_mistake(const struct criteria_input *input, struct arena *arena,
                                  const struct rubric_criterion *criterion, struct cause *out_cause)
{
    struct printed_number here, there;
    struct search search;

    if (input->evidence->other_prints == NULL || !find(input, arena, criterion, &search)) {
        return false;
    }
    for (size_t i = 0; i < search.found_count; i++) {
        const struct candidate *candidate = search.found[i];
        if (!constant_detection_read(input, arena, criterion, i, &here, &there) ||
            there.value == (double)candidate->choices[BLOCK_BYTES_NEEDED].block_width) {
            continue;
        }
        *out_cause = constant_detection_prints_same(&here, &there)
                         ? constant_cause(&search, arena, candidate, &here)
                         : rule_cause(input, arena, candidate, &here, &there);
        return true;
    }
    return false;
}
