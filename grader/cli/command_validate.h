/* command_validate.h: `gpugrade validate FILE...`: does a file follow the schema that it claims? */
#ifndef GPUGRADE_CLI_COMMAND_VALIDATE_H
#define GPUGRADE_CLI_COMMAND_VALIDATE_H

#include "cli/options.h"

/* Holds each file to a shipped schema, the one that it names or that --schema names; "-" is
 * standard input. Prints a line for each file, with its mistakes, and a line of totals. Nothing is
 * run. Returns the exit status: 0 every file follows its schema, 1 some file does not, 2 usage, a
 * file that cannot be read, or one that does not say what it is, 3 the grader or the machine
 * failed. */
int command_validate(const struct options *options);

#endif
