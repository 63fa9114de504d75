/* command_batch.h: `gpugrade batch`: grades a class into a folder of results. */
#ifndef GPUGRADE_CLI_COMMAND_BATCH_H
#define GPUGRADE_CLI_COMMAND_BATCH_H

#include "cli/options.h"

/* Returns the exit status: 0 if every submission was graded or contains nothing that can be graded;
 * 2 for wrong usage; 3 if the grader or the machine failed for some submissions or for the batch
 * itself; 128 + n after signal n. */
int command_batch(const struct options *options);

#endif
