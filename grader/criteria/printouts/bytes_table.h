/* bytes_table.h: whether enough bytes of shared memory are asked for, for the launched block and
 * for every other one.
 *
 * A function that gives the bytes is printed as a table, "requiredSM(64) = 512". It has to be right
 * at the square of each block width that the launch allows, not for the launched block alone: at
 * least the rubric's minimum for that block, and growing where the minimum grows. More is always
 * right, so padding and rounding up are.
 */
#ifndef GPUGRADE_CRITERIA_PRINTOUTS_BYTES_TABLE_H
#define GPUGRADE_CRITERIA_PRINTOUTS_BYTES_TABLE_H

#include "criteria/printouts/printouts.h"
#include "model/case.h"

/* "at least 512 are needed for a block of 8 columns (8 * 8 * 8)": the minimum in words, with the
 * numbers of the block put in. A block for vectors has threads, not columns. */
const char *bytes_needed_text(struct arena *arena, const struct rubric_launch *launch,
                              const struct expression *minimum, const struct case_scope *scope,
                              double least);

/* The next step where `bytes` are too few. */
struct advice bytes_advice(struct arena *arena, const struct rubric_launch *launch, uint64_t bytes,
                           double least);

/* Judges the printed table of a criterion of the kind dynamic; true with the cause if it is wrong.
 * Rows that are not printed are not judged. */
bool bytes_table_is_wrong(const struct criteria_input *input, struct arena *arena,
                          const struct rubric_criterion *criterion,
                          const struct printed_table *table, struct cause *out_cause);

#endif
