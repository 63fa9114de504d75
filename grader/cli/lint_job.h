/* lint_job.h: one thing that `gpugrade lint` checks about a coursework. */
#ifndef GPUGRADE_CLI_LINT_JOB_H
#define GPUGRADE_CLI_LINT_JOB_H

#include "base/text.h"
#include "cli/locations.h"
#include "model/rubric.h"
#include "submission/submission.h"
#include "toolchain/toolchain.h"

#include <stdint.h>

enum lint_job_kind {
    LINT_ORACLE,   /* coursework/review.h */
    LINT_SOLUTION, /* the reference solution gets all points that can be measured here */
    LINT_TEMPLATE, /* the template compiles, and does not get all points */
    LINT_CHEAT,    /* a usual cheat is not found correct: coursework/cheats.h */
    LINT_FIXTURE   /* a fixture gets what its file expect says: coursework/fixture.h */
};

struct lint_job {
    enum lint_job_kind kind;
    const struct rubric *rubric;
    const char *name; /* for the screen: "oracle", "solution", "template", "right/padding" */
    size_t cheat;     /* from 1, of a cheat; one more than there are: one that cannot be made */
};

/* The same for all jobs. */
struct lint_setting {
    const struct locations *locations;
    const struct toolchain *toolchain;
    enum device_mode device; /* for the reference solution; the rest runs on the emulated one */
    uint64_t seed;
    uint32_t threads; /* of the emulated device */
};

/* Does one job and appends its lines. Each starts with "ok", "FAIL" or "note", or with "ERROR" if
 * the grader or the machine failed. Everything that a job loads stays until the process ends, so
 * each job needs a process of its own. */
void lint_job_run(const struct lint_setting *setting, const struct lint_job *job,
                  struct text *out_lines);

#endif
