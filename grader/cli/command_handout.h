/* command_handout.h: `gpugrade handout COURSEWORK DIR`: what students receive. */
#ifndef GPUGRADE_CLI_COMMAND_HANDOUT_H
#define GPUGRADE_CLI_COMMAND_HANDOUT_H

#include "cli/options.h"

/* Writes the template, the given files of the harness, and the rubric without its hidden parts into
 * a folder that is empty or does not exist yet; returns the exit status. */
int command_handout(const struct options *options);

#endif
