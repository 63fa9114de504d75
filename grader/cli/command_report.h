/* command_report.h: `gpugrade report`: what a batch has stored, as one of the formats on a class.
 */
#ifndef GPUGRADE_CLI_COMMAND_REPORT_H
#define GPUGRADE_CLI_COMMAND_REPORT_H

#include "cli/options.h"

/* Runs the command; returns the exit status. */
int command_report(const struct options *options);

#endif
