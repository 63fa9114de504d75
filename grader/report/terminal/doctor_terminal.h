/* doctor_terminal.h: what the doctor found, for a terminal.
 *
 *     gpugrade doctor — gpugrade 0.1.0, CUDA 13.0, sandbox A
 *     grading here is sound
 *
 *     tools
 *        PASS  nvcc          13.0.88, /usr/local/cuda-13.0/bin/nvcc
 *        NOTE  bubblewrap    /usr/bin/bwrap is missing
 *              fix: as root: apt-get install -y bubblewrap
 *     ...
 *     what a program must not be able to do, tried inside and outside the sandbox
 *        PASS  private files refused: Permission denied
 *
 * If grading is not sound, the reasons come first.
 */
#ifndef GPUGRADE_REPORT_TERMINAL_DOCTOR_TERMINAL_H
#define GPUGRADE_REPORT_TERMINAL_DOCTOR_TERMINAL_H

#include "base/text.h"
#include "model/doctor_report.h"

#include <stdbool.h>

/* Appends the report; paths and messages are escaped. */
void doctor_terminal(const struct doctor_report *report, bool color, struct text *out);

#endif
