/* batch_run.h: grades the submissions that a store lists as not graded.
 *
 *     tasks --fork, at most `jobs` at once--> worker process --outcome--> store
 *                                              '-- supervisor --- grader --- compilers, programs
 *
 * This process neither compiles nor runs anything itself: a crash, a hang or a leak affects only
 * one submission. Only this process writes the store. What fails because of the grader or the
 * machine is tried again at the end, when the machine may be less busy; what still fails is listed
 * separately.
 *
 * What is the same for all submissions (sandbox, tools, devices) is determined once, before the
 * first of them. A worker first sends the hash of its files, so that equal files are graded once.
 */
#ifndef GPUGRADE_BATCH_BATCH_RUN_H
#define GPUGRADE_BATCH_BATCH_RUN_H

#include "batch/store.h"

/* The state of a batch, for display. */
struct batch_progress {
    size_t total, done; /* submissions of this call */
    size_t graded, known, nothing, trouble;
    size_t failed; /* graded, and some criterion failed */
    size_t errors; /* graded, and some criterion is an error: it could not be judged */
    size_t running;
    bool is_ending; /* a signal has come: running work is finished, nothing more is started */
    double elapsed_s;
    double remaining_s; /* estimate; negative: not known yet */
};

/* A submission is done. */
struct batch_event {
    const char *submission;
    enum outcome_kind kind;
    bool is_known;         /* its files were graded before */
    double score, maximum; /* of the criteria that could be judged */
    size_t errors;         /* criteria that could not be judged */
    bool wants_review;     /* a person should look at it (status_review) */
    double seconds;
    const char *message; /* of NOTHING and TROUBLE */
    bool is_retried;     /* it will be tried again */
};

struct batch_config {
    const struct rubric *rubric;
    const char *evidence; /* hash of what decides the results: rubric, reference, tools, device */
    size_t jobs;          /* at least 1 */
    enum store_choice choice;
    uint32_t tries;   /* of each submission, at most: STORE_TRIES */
    uint64_t limit_s; /* for one try, in case the grader hangs; 0: none */
    /* Runs in a process of its own, which has only the descriptors 0, 1, 2 and `fd`: grades the
     * task and communicates over `fd` as batch_outcome.h describes. */
    int (*grade)(void *context, const struct store_task *task, int fd);
    void *grade_context;
    void (*progress)(void *context, const struct batch_progress *progress,
                     const struct batch_event *event); /* event NULL: time has passed */
    void *progress_context;
};

/* Returns when everything is done, or after a signal (SIGINT, SIGTERM, SIGHUP): after the first
 * signal, running work is finished and nothing more is started; the second ends running work.
 * *out_signal: 0, or that signal. The store is consistent in either case. Errors: those of the
 * store, ERROR_ENVIRONMENT. */
enum error batch_run(struct store *store, const struct batch_config *config,
                     struct batch_progress *out_progress, int *out_signal,
                     struct diagnostic *diagnostic);

#endif
