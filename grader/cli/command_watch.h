/* command_watch.h: `gpugrade watch`: checks again whenever a file is saved. */
#ifndef GPUGRADE_CLI_COMMAND_WATCH_H
#define GPUGRADE_CLI_COMMAND_WATCH_H

#include "cli/options.h"

/* Checks, waits until a file of the submission is saved, checks again, and reports what changed
 * since the last check. It repeats this until signal n ends it, and returns 128 + n; it returns
 * earlier only if the command line is wrong. */
int command_watch(const struct options *options);

#endif
