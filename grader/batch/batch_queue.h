/* batch_queue.h: which submission is graded next. Private to batch_run.
 *
 *     waiting --take--> running --done--> done
 *        ^                 | retry: at the end, alone the last time
 *        '-----------------'
 *        '--- duplicate: the same files are being graded for another student: wait
 *
 * Nothing here knows of processes or stores.
 */
#ifndef GPUGRADE_BATCH_BATCH_QUEUE_H
#define GPUGRADE_BATCH_BATCH_QUEUE_H

#include "base/arena.h"
#include "batch/store.h"

enum queue_state { QUEUE_WAITING, QUEUE_RUNNING, QUEUE_DUPLICATE, QUEUE_DONE };

struct queue_item {
    const struct store_task *task;
    enum queue_state state;
    uint32_t tries;   /* so far, including the running one */
    char content[65]; /* hash of its files; "" until it is known */
};

struct batch_queue {
    struct queue_item *items; /* [count] in the order of grading */
    size_t count;
    uint32_t tries; /* at most */
};

/* With `counts_tries`, tries of earlier batches count too. */
void batch_queue_init(struct batch_queue *queue, struct arena *arena,
                      const struct store_task *tasks, size_t count, uint32_t tries,
                      bool counts_tries);

/* Takes the next item and marks it as running. NULL if none may start now: no item waits, or those
 * that wait must wait until others have ended. */
struct queue_item *batch_queue_take(struct batch_queue *queue);

/* Sets the content of the running item. True if another item with that content is running already:
 * then this one waits for it and no longer runs. */
bool batch_queue_is_duplicate(struct batch_queue *queue, struct queue_item *item,
                              const char *content);

/* The running item has failed because of the grader or the machine: true if it will be tried
 * again. */
bool batch_queue_retry(struct batch_queue *queue, struct queue_item *item);

/* An item that was waiting for another one with this content, which has ended; NULL if there is
 * none. The caller either marks it as done or as waiting for a try of its own. */
struct queue_item *batch_queue_duplicate_of(struct batch_queue *queue, const char *content);

#endif
