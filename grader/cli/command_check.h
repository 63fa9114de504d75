/* command_check.h: `gpugrade check`: one folder in, a screen and a score out. */
#ifndef GPUGRADE_CLI_COMMAND_CHECK_H
#define GPUGRADE_CLI_COMMAND_CHECK_H

#include "cli/check_request.h"
#include "cli/options.h"

/* Runs the command and returns the exit status. */
int command_check(const struct options *options);

/* Runs one whole check: grades, writes the results, shows the report; returns its exit status. */
int command_check_request(const struct check_request *request);

#endif
