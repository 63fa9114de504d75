/* command_report.h: `gpugrade report`: writes what a batch has stored, in one of several formats.
 */
#ifndef GPUGRADE_CLI_COMMAND_REPORT_H
#define GPUGRADE_CLI_COMMAND_REPORT_H

#include "cli/options.h"

/* Runs the command; returns the exit status. */
int command_report(const struct options *options);

#endif
