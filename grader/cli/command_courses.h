/* command_courses.h: `gpugrade courses`. */
#ifndef GPUGRADE_CLI_COMMAND_COURSES_H
#define GPUGRADE_CLI_COMMAND_COURSES_H

#include "cli/options.h"

/* Lists all courseworks: what each asks for, and its files. Returns the exit status. */
int command_courses(const struct options *options);

#endif
