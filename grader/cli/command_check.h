/* command_check.h: `gpugrade check`: one folder in, a screen and a score out. */
#ifndef GPUGRADE_CLI_COMMAND_CHECK_H
#define GPUGRADE_CLI_COMMAND_CHECK_H

#include "cli/options.h"

/* Runs the command and returns the exit status. */
int command_check(const struct options *options);

#endif
