/* command_step.h: `gpugrade step`. */
#ifndef GPUGRADE_CLI_COMMAND_STEP_H
#define GPUGRADE_CLI_COMMAND_STEP_H

#include "cli/options.h"

/* Runs the command; returns the exit status. */
int command_step(const struct options *options);

#endif
