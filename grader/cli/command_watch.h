/* command_watch.h: `gpugrade watch`: checks again whenever a file is saved. */
#ifndef GPUGRADE_CLI_COMMAND_WATCH_H
#define GPUGRADE_CLI_COMMAND_WATCH_H

#include "cli/options.h"

/* Checks, waits until a file of the submission was saved, says what changed since the last check,
 * and so on until a signal ends it: 128 + n. Returns before only if the command line is wrong. */
int command_watch(const struct options *options);

#endif
