/* batch_request.h: what `gpugrade batch` was asked for, with everything resolved that can be known
 * before anything is opened. */
#ifndef GPUGRADE_CLI_BATCH_REQUEST_H
#define GPUGRADE_CLI_BATCH_REQUEST_H

#include "cli/check_request.h"
#include "cli/slurm_site.h"

struct batch_request {
    struct check_request shared; /* its check_request_shared part, and locations */
    const char *results;         /* the folder, as typed */
    const char *submissions;     /* absolute; NULL: those that RESULTS is about */
    const char *roster;          /* absolute; NULL: none */
    size_t jobs;                 /* 0: as many as the machine bears */
    bool has_seed;               /* shared.seed was asked for; else it is random */
    bool resume, only_failed;
    bool is_chunk;           /* RESULTS is a part of a class: batch/slurm_chunks.h */
    struct slurm_site slurm; /* what is asked of a cluster */
    const char *scratch;     /* TMPDIR as it was; NULL: none */
    const char *kept;        /* the options that may not change later, one "--name=value" a line */
    const char *again;       /* those that RESULTS do not keep, as given: " --roster class.csv" */
    const char *slurm_again; /* likewise, of a cluster */
};

/* Resolves the options; everything lives in the arena. Errors, all of them usage: ERROR_SYNTAX,
 * ERROR_RANGE, ERROR_NOT_FOUND, ERROR_IO. */
enum error batch_request_make(struct arena *arena, const struct options *options,
                              struct batch_request *out_request, struct diagnostic *diagnostic);

/* Takes over the options with which RESULTS was begun, `kept` of then. Errors: ERROR_RANGE (one was
 * given and is another now), ERROR_SYNTAX (a damaged store). */
enum error batch_request_resume(struct arena *arena, const struct options *options,
                                const char *kept, struct batch_request *request,
                                struct diagnostic *diagnostic);

/* The command that goes on with these results, to be shown: `way` is "--resume" or another one. */
const char *batch_request_command(struct arena *arena, const struct batch_request *request,
                                  const char *way);

#endif
