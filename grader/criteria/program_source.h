/* program_source.h: the sources of one program, of what criteria are given. */
#ifndef GPUGRADE_CRITERIA_PROGRAM_SOURCE_H
#define GPUGRADE_CRITERIA_PROGRAM_SOURCE_H

#include "criteria/criteria_input.h"
#include "source/source_search.h"

/* The input's index; a new one in the arena if it has none. */
struct source_index *program_source_index(const struct criteria_input *input, struct arena *arena);

/* Finds the sources of a program: what the rubric names, and the submission's own headers that they
 * include. */
void program_source_read(const struct criteria_input *input, struct arena *arena, size_t program,
                         struct program_source *out_source);

#endif
