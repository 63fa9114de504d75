/* command_batch.h: `gpugrade batch`: grades a class into a folder of results. */
#ifndef GPUGRADE_CLI_COMMAND_BATCH_H
#define GPUGRADE_CLI_COMMAND_BATCH_H

#include "cli/options.h"

/* Returns the exit status: 0 everything was graded, or had nothing to grade by its own fault; 3
 * some is in trouble, or the batch itself failed; 2 usage; 128 + n on a signal. */
int command_batch(const struct options *options);

#endif
