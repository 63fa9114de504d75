/* command_new.h: `gpugrade new NAME [DIR]`: a coursework of one's own to start from. */
#ifndef GPUGRADE_CLI_COMMAND_NEW_H
#define GPUGRADE_CLI_COMMAND_NEW_H

#include "cli/options.h"

/* Writes a working skeleton below the folder, over nothing that is there, and says what comes next;
 * returns the exit status. */
int command_new(const struct options *options);

#endif
