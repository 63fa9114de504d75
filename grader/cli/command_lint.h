/* command_lint.h: `gpugrade lint RUBRIC...`: is a coursework sound? */
#ifndef GPUGRADE_CLI_COMMAND_LINT_H
#define GPUGRADE_CLI_COMMAND_LINT_H

#include "cli/options.h"

/* Loads each rubric, reviews its coursework, grades its reference solution, its template and its
 * fixtures; prints a line for each and a line of totals. Returns the exit status: 0 nothing failed,
 * 1 something failed, 2 wrong usage, 3 the grader or the machine failed. */
int command_lint(const struct options *options);

#endif
