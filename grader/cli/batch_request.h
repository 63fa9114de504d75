/* batch_request.h: what `gpugrade batch` was asked for. Everything that can be known before RESULTS
 * is opened is resolved. */
#ifndef GPUGRADE_CLI_BATCH_REQUEST_H
#define GPUGRADE_CLI_BATCH_REQUEST_H

#include "batch/class_list.h"
#include "cli/check_request.h"
#include "cli/slurm_site.h"

struct batch_request {
    struct check_request shared; /* its check_request_shared part, and locations */
    const char *results;         /* the folder, as typed */
    const char *submissions;     /* absolute; NULL: those that RESULTS names */
    struct roster_source roster; /* path absolute; NULL: none */
    size_t jobs;                 /* 0: as many as the machine can run */
    bool has_seed;               /* shared.seed was asked for; else it is random */
    bool resume, only_failed;
    bool is_chunk;           /* RESULTS is a part of a class: batch/slurm_chunks.h */
    struct slurm_site slurm; /* the settings for a cluster */
    const char *scratch;     /* TMPDIR as it was; NULL: none */
    const char *kept;        /* options that must not change later, one "--name=value" a line */
    const char *again;       /* options that RESULTS does not keep, as given: " --roster x" */
    const char *slurm_again; /* likewise, for a cluster */
};

/* Resolves the options; everything lives in the arena. Errors, all of them usage: ERROR_SYNTAX,
 * ERROR_RANGE, ERROR_NOT_FOUND, ERROR_IO. */
enum error batch_request_make(struct arena *arena, const struct options *options,
                              struct batch_request *out_request, struct diagnostic *diagnostic);

/* Takes over the options with which RESULTS was started; `kept` is what RESULTS stores of them.
 * Errors: ERROR_RANGE (an option has a different value now), ERROR_SYNTAX (a damaged store). */
enum error batch_request_resume(struct arena *arena, const struct options *options,
                                const char *kept, struct batch_request *request,
                                struct diagnostic *diagnostic);

/* The command with which a user can continue these results; `way` is "--resume" or the like. */
const char *batch_request_command(struct arena *arena, const struct batch_request *request,
                                  const char *way);

#endif
