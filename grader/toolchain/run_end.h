/* run_end.h: how a compiler or a program ended in the sandbox, in the words of the model. */
#ifndef GPUGRADE_TOOLCHAIN_RUN_END_H
#define GPUGRADE_TOOLCHAIN_RUN_END_H

#include "base/text.h"
#include "model/observation.h"
#include "sandbox/sandbox.h"

#include <stdbool.h>

/* Which limit a tool says it ran into; ENDING_EXITED: it says nothing of the kind. That is how it
 * shows what a limit refused to one of its processes, which nobody counts. */
enum ending run_refusal(const struct text *printed);

/* True if a tool failed because one of its processes was killed from outside, by no limit of its
 * own: that is what happens when a container's memory is full, and is nothing that the source did.
 */
bool run_was_killed(const struct sandbox_end *end, const struct sandbox_limits *limits,
                    const struct text *printed);

/* Translates. One that failed, and was refused something, ended by that limit. */
struct program_end run_end(const struct sandbox_end *end, const struct sandbox_limits *limits,
                           enum ending refusal);

#endif
