/* batch_grading.h: what the worker of a batch does: grades one submission and says what came of it.
 *
 *     gpugrade (worker)         batch_run's child: a supervisor with a work folder of its own
 *       gpugrade (grader)       reads the files, asks whether they are known, grades
 *         compilers, device processes, sandboxes
 *
 * What holds for the whole class, the batch found out before: sandbox, tools, rubric, devices.
 */
#ifndef GPUGRADE_CLI_BATCH_GRADING_H
#define GPUGRADE_CLI_BATCH_GRADING_H

#include "batch/store.h"
#include "cli/locations.h"
#include "submission/submission.h"

struct batch_grading {
    const struct locations *locations;
    const struct sandbox *sandbox;
    struct submission_config config; /* of every submission */
};

/* Grades the task, with a struct batch_grading as context, and talks over `fd` as
 * batch/batch_outcome.h says; for struct batch_config. A report names no student: equal files share
 * it. */
int batch_grading_run(void *context, const struct store_task *task, int fd);

#endif
