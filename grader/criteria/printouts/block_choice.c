/* block_choice.c: see block_choice.h. */
#include "criteria/printouts/block_choice.h"

#include "model/case.h"

/* The bytes as the calculator asks for them, and whether it asked for a line that is not there. */
struct bytes_scope {
    const struct rubric_criterion *criterion;
    const struct block_bytes *bytes;
    uint32_t largest; /* threads of the largest block */
    uint32_t missing; /* threads; 0: none */
};

/* A program that prints no table: the rubric says what a block of so many threads needs. */
static uint64_t expected_bytes(const struct rubric_criterion *criterion, uint32_t block_threads)
{
    struct case_scope scope = {.threads = block_threads};
    double bytes = 0.0;

    if (criterion->minimum_bytes == NULL ||
        !expression_evaluate(criterion->minimum_bytes, case_lookup, &scope, &bytes, NULL) ||
        !(bytes >= 0.0 && bytes <= (double)UINT32_MAX)) {
        return 0;
    }
    return (uint64_t)bytes;
}

static uint64_t bytes_needed(struct bytes_scope *scope, uint32_t block_threads)
{
    uint64_t bytes = 0;

    if (scope->bytes->table == NULL) {
        return expected_bytes(scope->criterion, block_threads);
    }
    if (!printed_table_find(scope->bytes->table, block_threads, &bytes) && scope->missing == 0) {
        scope->missing = block_threads;
    }
    return bytes;
}

static uint64_t bytes_of_block(void *context, uint32_t block_threads)
{
    struct bytes_scope *scope = context;

    switch (scope->bytes->view) {
    case BLOCK_BYTES_NONE:
        return 0;
    case BLOCK_BYTES_OF_LARGEST:
        return bytes_needed(scope, scope->largest);
    case BLOCK_BYTES_QUARTER_MORE:
        return bytes_needed(scope, block_threads) / 4 * 5;
    default:
        return bytes_needed(scope, block_threads);
    }
}

/* The block width whose square is the largest power of four that is not above; 0 for no threads. */
static uint32_t block_width_of(uint32_t threads)
{
    uint32_t block_width = threads > 0 ? 1 : 0;

    while (block_width > 0 && (uint64_t)block_width * block_width * 4 <= threads) {
        block_width *= 2;
    }
    return block_width;
}

enum error block_choice_make(const struct criteria_input *input,
                             const struct rubric_criterion *criterion, uint32_t registers,
                             const struct block_bytes *bytes, struct block_choice *out_choice,
                             uint32_t *out_missing, struct diagnostic *diagnostic)
{
    const struct kernel_resources *resources = &input->launch_resources[criterion->launch];
    const struct kernel_usage usage = {
        .registers = registers,
        .static_shared_bytes = resources->static_shared_bytes,
        .max_threads_per_block = resources->max_threads,
    };
    struct bytes_scope scope = {
        .criterion = criterion, .bytes = bytes, .largest = input->model->max_threads_per_block};
    uint32_t threads = 0;
    uint32_t blocks = 0;

    enum error error = occupancy_best_block_size(input->model, &usage, bytes_of_block, &scope,
                                                 &threads, &blocks, diagnostic);
    *out_missing = scope.missing;
    if (error == ERROR_NONE) {
        *out_choice =
            (struct block_choice){.threads = threads, .block_width = block_width_of(threads)};
    }
    return error;
}
