/* command_mark.h: `gpugrade mark`: what a person decides about students of a graded class, and why
 * a student has a mark. */
#ifndef GPUGRADE_CLI_COMMAND_MARK_H
#define GPUGRADE_CLI_COMMAND_MARK_H

#include "cli/options.h"

/* Runs the command; returns the exit status. */
int command_mark(const struct options *options);

#endif
