/* unreached_store.h: an operand that a call never writes, although a kernel that it launches has a
 * store to it: no thread gets there.
 */
#ifndef GPUGRADE_CRITERIA_RESULTS_UNREACHED_STORE_H
#define GPUGRADE_CRITERIA_RESULTS_UNREACHED_STORE_H

#include "criteria/criteria_input.h"
#include "model/verdict.h"

/* Looks at the source of a call for the one store to an operand that no kernel stores to, in any
 * sample. *out_cause then names its line and, where nothing else can be why, the condition around
 * it. False if there is no such store, or if it is not certain that it is one. */
bool find_unreached_store(const struct criteria_input *input, struct arena *arena,
                          const struct rubric_launch *launch, size_t operand,
                          struct cause *out_cause);

#endif
