/* command_explain.h: `gpugrade explain`. */
#ifndef GPUGRADE_CLI_COMMAND_EXPLAIN_H
#define GPUGRADE_CLI_COMMAND_EXPLAIN_H

#include "cli/options.h"

/* Shows the page of a code, only its example, or the list of codes; returns the exit status. */
int command_explain(const struct options *options);

#endif
