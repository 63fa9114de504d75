/* batch_worker.h: the process that grades one submission, as the batch sees it. Private to
 * batch_run.
 *
 *     start --> question? --answer--> outcome, end of file --> end
 *
 * A worker has a process group of its own, so that Ctrl-C reaches only the batch; it gets SIGTERM
 * when the batch dies. Of the batch's descriptors it keeps 0, 1, 2 and its own.
 */
#ifndef GPUGRADE_BATCH_BATCH_WORKER_H
#define GPUGRADE_BATCH_BATCH_WORKER_H

#include "batch/batch_queue.h"
#include "batch/batch_run.h"

#include <signal.h>
#include <sys/types.h>

struct batch_worker {
    struct queue_item *item; /* NULL: this slot is free */
    pid_t pid;
    int fd; /* -1: end of file was read */
    struct text received;
    bool has_asked;
    bool is_known; /* its files were graded before, so it ends without grading */
    uint64_t started_ns;
    int64_t started;           /* seconds since 1970 */
    uint64_t term_ns, kill_ns; /* when it gets SIGTERM, when SIGKILL; UINT64_MAX: never */
    bool is_late;              /* it got SIGTERM because it took too long */
};

/* Starts a worker; `mask` is its signal mask. Errors: ERROR_ENVIRONMENT. */
enum error batch_worker_start(struct batch_worker *worker, const struct batch_config *config,
                              struct queue_item *item, const sigset_t *mask,
                              struct diagnostic *diagnostic);

/* Reads what is available. Closes the descriptor at end of file. */
void batch_worker_read(struct batch_worker *worker);

/* True, once, if the worker asks whether its content is known. */
bool batch_worker_question(struct batch_worker *worker, char out_content[65]);
void batch_worker_answer(struct batch_worker *worker, bool is_known);

/* batch_worker_end sends SIGTERM. batch_worker_watch, called regularly, does so after the time
 * limit, and sends SIGKILL if the worker takes too long to end. */
void batch_worker_end(struct batch_worker *worker);
void batch_worker_watch(struct batch_worker *worker);

/* After end of file: waits for the process and returns its outcome, with the content that it asked
 * about. The outcome is allocated in the arena. */
void batch_worker_outcome(struct batch_worker *worker, struct arena *arena,
                          struct outcome *out_outcome);

/* Seconds since it was started. */
double batch_worker_seconds(const struct batch_worker *worker);

/* Frees the slot. */
void batch_worker_release(struct batch_worker *worker);

#endif
