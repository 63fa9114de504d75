/* missing_symbol.h: the next step where the linker misses a function or a variable.
 *
 * Only the sources that the rubric names are compiled, with what they include, and only the CUDA
 * runtime is linked. So what is missing lies in another source of the submission, or in a library,
 * or it is declared and defined nowhere.
 */
#ifndef GPUGRADE_DIAGNOSIS_HINTS_MISSING_SYMBOL_H
#define GPUGRADE_DIAGNOSIS_HINTS_MISSING_SYMBOL_H

#include "criteria/criteria_input.h"

/* The hint for a message of the linker about a program, in the arena; "" if it is about nothing
 * that is missing, or nothing is known but that. */
const char *missing_symbol_hint(const struct criteria_input *input, struct arena *arena,
                                size_t program, const struct tool_message *message);

#endif
