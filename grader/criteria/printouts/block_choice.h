/* block_choice.h: the block width that the occupancy calculator and the power-of-four rule give for
 * the kernel of a criterion of the kind block-size.
 *
 *   threads = the block size with the highest occupancy, shared memory as the program's own table
 *             (requiredSM) says, or, where none is printed, as the rubric's expression does
 *   block width    = sqrt(4 ^ floor(log4(threads)))
 */
#ifndef GPUGRADE_CRITERIA_PRINTOUTS_BLOCK_CHOICE_H
#define GPUGRADE_CRITERIA_PRINTOUTS_BLOCK_CHOICE_H

#include "criteria/printouts/printouts.h"

/* What the rule gives; 0 where no block fits. */
struct block_choice {
    uint32_t threads;
    uint32_t block_width;
};

/* The bytes of shared memory that the calculator is asked with: those that a block of so many
 * threads needs, and what those give who ask in other ways. */
enum block_bytes_view {
    BLOCK_BYTES_NEEDED,
    BLOCK_BYTES_NONE,         /* shared memory is ignored */
    BLOCK_BYTES_OF_LARGEST,   /* every block has those of the model's largest */
    BLOCK_BYTES_QUARTER_MORE, /* tiles are padded */
    BLOCK_BYTES_VIEWS
};

/* Where they are from. */
struct block_bytes {
    const struct printed_table *table; /* what the program printed; NULL: the rubric says */
    enum block_bytes_view view;
};

/* Asks the calculator for the input's model. *out_missing is the number of threads whose line the
 * table lacks, 0 if none; a choice without that line is worth nothing. `registers` are those of a
 * thread, not 0. Errors: those of occupancy_best_block_size. */
enum error block_choice_make(const struct criteria_input *input,
                             const struct rubric_criterion *criterion, uint32_t registers,
                             const struct block_bytes *bytes, struct block_choice *out_choice,
                             uint32_t *out_missing, struct diagnostic *diagnostic);

#endif
