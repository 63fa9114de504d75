/* batch_run.h: grades what a store says is to be graded.
 *
 *     tasks --fork, at most `jobs` at once--> worker process --outcome--> store
 *                                              '-- supervisor --- grader --- compilers, programs
 *
 * This process neither compiles nor runs anything itself: a crash, a hang or a leak of one grading
 * is that grading's. It alone writes the store. Trouble is tried again, at the end, when the
 * machine may have calmed down; what stays trouble is listed apart.
 *
 * What holds for all submissions (sandbox, tools, devices) is found out once, before the first of
 * them. A worker says the hash of its files first, so that equal files are graded once.
 */
#ifndef GPUGRADE_BATCH_BATCH_RUN_H
#define GPUGRADE_BATCH_BATCH_RUN_H

#include "batch/store.h"

/* The state of a batch, for whoever shows it. */
struct batch_progress {
    size_t total, done; /* submissions of this call */
    size_t graded, known, nothing, trouble;
    size_t failed; /* graded, and some criterion failed */
    size_t errors; /* graded, and some criterion is an error: nobody could judge it */
    size_t running;
    bool is_ending; /* a signal has come: what runs is finished, nothing more is started */
    double elapsed_s;
    double remaining_s; /* estimate; negative: not known yet */
};

/* A submission is done. */
struct batch_event {
    const char *submission;
    enum outcome_kind kind;
    bool is_known;         /* its files were graded before */
    double score, maximum; /* of what could be judged */
    size_t errors;         /* criteria that nobody could judge */
    bool wants_review;     /* a person should look at it (status_review) */
    double seconds;
    const char *message; /* of NOTHING and TROUBLE */
    bool is_retried;     /* it will be tried again */
};

struct batch_config {
    const struct rubric *rubric;
    const char *evidence; /* key of what is seen: rubric, reference, tools, device */
    size_t jobs;          /* at least 1 */
    enum store_choice choice;
    uint32_t tries;   /* of each submission, at most: STORE_TRIES */
    uint64_t limit_s; /* for one try, a guard against a grader that hangs; 0: none */
    /* Runs in a process of its own, which has no other descriptors of this one but 0, 1 and 2:
     * grades the task and talks over `fd` as batch_outcome.h says. */
    int (*grade)(void *context, const struct store_task *task, int fd);
    void *grade_context;
    void (*progress)(void *context, const struct batch_progress *progress,
                     const struct batch_event *event); /* event NULL: time has passed */
    void *progress_context;
};

/* Returns when all is done, or a signal asked to end (SIGINT, SIGTERM, SIGHUP): the first lets what
 * runs finish and starts nothing more, the second ends it. *out_signal: 0, or that signal. The
 * store is whole in either case. Errors: those of the store, ERROR_ENVIRONMENT. */
enum error batch_run(struct store *store, const struct batch_config *config,
                     struct batch_progress *out_progress, int *out_signal,
                     struct diagnostic *diagnostic);

#endif
