/* batch_grading.h: what the worker of a batch does: grades one submission and reports the result.
 *
 *     gpugrade (worker)         batch_run's child: a supervisor with a work folder of its own
 *       gpugrade (grader)       reads the files, asks whether their result is known, grades
 *         compilers, device processes, sandboxes
 *
 * The batch finds out before what is the same for the whole class: sandbox, tools, rubric, devices.
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

/* Grades the task; a callback for struct batch_config. The context is a struct batch_grading. It
 * communicates over `fd` with the protocol of batch/batch_outcome.h. A report names no student,
 * because students with equal files share it. */
int batch_grading_run(void *context, const struct store_task *task, int fd);

#endif
