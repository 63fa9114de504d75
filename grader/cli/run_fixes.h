/* run_fixes.h: short changes that take a finding out of a user's own program (`run --fix`).
 *
 * Nothing says what such a program should compute. So only the changes that belong to the finding's
 * code are tried (diagnosis/fixes/fix_candidates.h), each in a copy that `gpugrade run` builds and
 * runs with the same arguments. One is shown only if the program then ends with status 0, has fewer
 * findings of that code and no more of any other, and prints the same, but perhaps for numbers.
 */
#ifndef GPUGRADE_CLI_RUN_FIXES_H
#define GPUGRADE_CLI_RUN_FIXES_H

#include "cli/run_request.h"
#include "model/report.h"

enum { RUN_FIX_TRIALS_MAX = 16 };

/* Adds a fix to each diagnostic of the report that has one. The copies are in `work_folder`;
 * `signal_fd` is readable if the user wants an end. A program that needs input gets none. */
void run_fixes_try(const struct run_request *request, struct arena *arena, const char *work_folder,
                   int signal_fd, struct report *report);

#endif
