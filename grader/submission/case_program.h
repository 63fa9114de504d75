/* case_program.h: provides the program to run one case of a launch again, after the criteria have
 * judged: to trace it, or to time it. */
#ifndef GPUGRADE_SUBMISSION_CASE_PROGRAM_H
#define GPUGRADE_SUBMISSION_CASE_PROGRAM_H

#include "submission/program_job.h"

/* The case. */
struct case_wanted {
    size_t launch;
    const int64_t *parameters; /* in elements */
    int64_t block;             /* the block width; 0: unknown */
    const char *kernel;        /* that was chosen, or NULL */
};

/* The block width that the first shape of a launch had; 0: the run did not get that far. */
int64_t case_program_learnt_block_width(const struct launch_run *run);

/* Sets the program, its resources, the kernel and the block width of a session. The program is that
 * of `work`; a whole program is built for the case, which may fail to link
 * (session->program->build). What the session points to lives in the arena. Errors: those of
 * program_build_case. */
enum error case_program_provide(struct program_job *work, const struct case_wanted *wanted,
                                struct arena *arena, struct session_config *session,
                                struct diagnostic *diagnostic);

#endif
