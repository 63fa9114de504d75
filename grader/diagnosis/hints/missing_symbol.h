/* missing_symbol.h: the next step where the linker misses a function or a variable.
 *
 * Only the sources that the rubric names are compiled, with the files that they include, and only
 * the CUDA runtime is linked. So the missing symbol is defined in another source of the submission
 * or in a library, or it is declared but defined nowhere.
 */
#ifndef GPUGRADE_DIAGNOSIS_HINTS_MISSING_SYMBOL_H
#define GPUGRADE_DIAGNOSIS_HINTS_MISSING_SYMBOL_H

#include "criteria/criteria_input.h"

/* The hint for a linker message about a program, in the arena; "" if the message is not about a
 * missing symbol, or if there is nothing to add. */
const char *missing_symbol_hint(const struct criteria_input *input, struct arena *arena,
                                size_t program, const struct tool_message *message);

#endif
