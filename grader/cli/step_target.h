/* step_target.h: what `gpugrade step` was asked for beyond a check or a run: which block, and where
 * its page goes. */
#ifndef GPUGRADE_CLI_STEP_TARGET_H
#define GPUGRADE_CLI_STEP_TARGET_H

#include "base/arena.h"
#include "cli/options.h"
#include "model/block_steps.h"
#include "model/report.h"

struct step_target {
    struct step_request request;
    const char *path; /* of the page */
    const char *link; /* to it, from an HTML report in the same folder; NULL: there is no report */
};

/* Reads the options. Errors, all of them usage: ERROR_SYNTAX (no -o, or a block that is none, or a
 * report in another folder), those of result_file_check. */
enum error step_target_read(struct arena *arena, const struct options *options,
                            struct step_target *out_target, struct diagnostic *diagnostic);

/* True if the user named a kernel or a block. */
bool step_target_is_chosen(const struct step_target *target);

/* Writes the page on the report's steps and says on `fd` what is in it; without steps it says why
 * there is no page. False if there is none, or it cannot be written. */
bool step_target_write(const struct step_target *target, const struct report *report, int fd);

#endif
