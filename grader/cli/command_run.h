/* command_run.h: `gpugrade run`. */
#ifndef GPUGRADE_CLI_COMMAND_RUN_H
#define GPUGRADE_CLI_COMMAND_RUN_H

#include "cli/options.h"
#include "cli/run_request.h"

/* Runs the command; returns the exit status. */
int command_run(const struct options *options);

/* Does what a request asks for; returns the exit status. */
int command_run_request(const struct run_request *request);

#endif
