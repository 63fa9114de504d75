/* command_doctor.h: `gpugrade doctor`. */
#ifndef GPUGRADE_CLI_COMMAND_DOCTOR_H
#define GPUGRADE_CLI_COMMAND_DOCTOR_H

#include "cli/options.h"

/* Examines this machine and prints what it found; returns the exit status: EXIT_PASSED if grading
 * here is sound, EXIT_GRADER if it is not. */
int command_doctor(const struct options *options);

#endif
