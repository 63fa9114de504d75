/* command_forget.h: `gpugrade forget`: removes what RESULTS hold of one student. */
#ifndef GPUGRADE_CLI_COMMAND_FORGET_H
#define GPUGRADE_CLI_COMMAND_FORGET_H

#include "cli/options.h"

/* Runs the command; returns the exit status. */
int command_forget(const struct options *options);

#endif
