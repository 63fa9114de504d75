/* command_regrade.h: `gpugrade regrade`: shows what another rubric would do to the marks of a
 * class; with --apply, does it. */
#ifndef GPUGRADE_CLI_COMMAND_REGRADE_H
#define GPUGRADE_CLI_COMMAND_REGRADE_H

#include "cli/options.h"

/* Runs the command; returns the exit status. */
int command_regrade(const struct options *options);

#endif
