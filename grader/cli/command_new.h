/* command_new.h: `gpugrade new NAME [DIR]`: writes a small coursework to start from. */
#ifndef GPUGRADE_CLI_COMMAND_NEW_H
#define GPUGRADE_CLI_COMMAND_NEW_H

#include "cli/options.h"

/* Writes a working skeleton below the folder, without overwriting anything, and says what to do
 * next; returns the exit status. */
int command_new(const struct options *options);

#endif
