/* program_outputs.h: collects what the programs of a submission printed. */
#ifndef GPUGRADE_SUBMISSION_PROGRAM_OUTPUTS_H
#define GPUGRADE_SUBMISSION_PROGRAM_OUTPUTS_H

#include "base/arena.h"
#include "model/report.h"

enum { PROGRAM_OUTPUT_BYTES_MAX = 4096 };

/* Collects, for each program that ran, the beginnings of its standard output and standard error:
 * from the run for a printout, or else from the first run whose launches are judged. Empty streams
 * are left out. Copies live in the arena. */
void program_outputs_collect(struct arena *arena, const struct rubric *rubric,
                             const struct submission_evidence *evidence,
                             const struct program_output **out_outputs, size_t *out_count);

#endif
