/* lint_pool.h: the jobs of `gpugrade lint`, several at once, each in processes of its own.
 *
 *     gpugrade (lint)            starts jobs, waits, prints what they say in the jobs' order
 *       gpugrade (supervisor)    one for each job: supervise.h
 *         gpugrade (grader)      the job; it may load foreign code, an oracle, and crash
 */
#ifndef GPUGRADE_CLI_LINT_POOL_H
#define GPUGRADE_CLI_LINT_POOL_H

#include "cli/lint_job.h"

#include <stdbool.h>
#include <stddef.h>

struct lint_totals {
    size_t passed, failed;
    bool has_error; /* something failed because of the grader or the machine */
};

/* Runs all jobs, `at_once` of them at a time, and prints their lines to standard output. The caller
 * must have no other threads. False if lines could not be printed. */
bool lint_pool_run(const struct lint_setting *setting, const struct lint_job *jobs, size_t count,
                   size_t at_once, struct lint_totals *totals);

/* Prints lines and counts those that say ok, FAIL or ERROR. */
bool lint_print(const struct text *lines, struct lint_totals *totals);

#endif
