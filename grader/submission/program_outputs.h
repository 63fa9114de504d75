/* program_outputs.h: what the programs of a submission wrote, for whoever asks for it. */
#ifndef GPUGRADE_SUBMISSION_PROGRAM_OUTPUTS_H
#define GPUGRADE_SUBMISSION_PROGRAM_OUTPUTS_H

#include "base/arena.h"
#include "model/report.h"

enum { PROGRAM_OUTPUT_BYTES_MAX = 4096 };

/* Collects, for each program that ran, the beginnings of its standard output and standard error:
 * of the run that a printout wants, else of the first run whose launches are judged. Streams to
 * which nothing was written are left out. Copies live in the arena. */
void program_outputs_collect(struct arena *arena, const struct rubric *rubric,
                             const struct submission_evidence *evidence,
                             const struct program_output **out_outputs, size_t *out_count);

#endif
