/* command_handout.h: `gpugrade handout COURSEWORK DIR`: what students receive. */
#ifndef GPUGRADE_CLI_COMMAND_HANDOUT_H
#define GPUGRADE_CLI_COMMAND_HANDOUT_H

#include "cli/options.h"

/* Writes the template, the given files of the harness and the rubric as students may see it into a
 * folder that is empty or not there yet; returns the exit status. */
int command_handout(const struct options *options);

#endif
