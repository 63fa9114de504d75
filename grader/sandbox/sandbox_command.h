/* sandbox_command.h: the command lines that start a program in its tier. Has no side effects; it
 * only looks at this machine's folders and processes. */
#ifndef GPUGRADE_SANDBOX_SANDBOX_COMMAND_H
#define GPUGRADE_SANDBOX_SANDBOX_COMMAND_H

#include "sandbox/sandbox.h"

#include <stddef.h>

/* A list of arguments under construction. */
struct argument_list {
    struct arena *arena;
    const char **items; /* [count + 1], the last one NULL */
    size_t count, capacity;
};

/* Builds the arguments of gpugrade-jail for a program; uid 0: no user of its own. The list lives in
 * the arena and ends with NULL. */
const char *const *sandbox_command(struct arena *arena, const struct sandbox *sandbox,
                                   const struct sandbox_spec *spec, uint32_t uid);

/* The helper's environment: the program's, each variable with JAIL_VARIABLE_MARK in front: the
 * spec's, and TMPDIR where the tier needs it. */
const char *const *sandbox_environment(struct arena *arena, const struct sandbox *sandbox,
                                       const struct sandbox_spec *spec);

#endif
