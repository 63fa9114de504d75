/* command_convert.h: `gpugrade convert SCORE --to FMT`: a score file in the format of a learning
 * platform, of CI, or for people. */
#ifndef GPUGRADE_CLI_COMMAND_CONVERT_H
#define GPUGRADE_CLI_COMMAND_CONVERT_H

#include "cli/options.h"

/* Runs the command; returns the exit status. */
int command_convert(const struct options *options);

#endif
