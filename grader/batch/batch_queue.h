/* batch_queue.h: which submission is graded next. Private to batch_run.
 *
 *     waiting --take--> running --done--> done
 *        ^                 | retry: at the end, alone the last time
 *        '-----------------'
 *        '--- duplicate: the same files are being graded for somebody else, wait for them
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
    uint32_t tries;   /* that were made, the running one included */
    char content[65]; /* of its files; "" until it is known */
};

struct batch_queue {
    struct queue_item *items; /* [count] in the order of grading */
    size_t count;
    uint32_t tries; /* at most */
};

/* With `counts_tries` those that a batch before this one has made count. */
void batch_queue_init(struct batch_queue *queue, struct arena *arena,
                      const struct store_task *tasks, size_t count, uint32_t tries,
                      bool counts_tries);

/* Takes the next item and makes it run; NULL if none may start now: none waits, or what does has to
 * wait until others have ended. */
struct queue_item *batch_queue_take(struct batch_queue *queue);

/* The running item tells its content. True if another one with that content runs already: then the
 * item waits for it and is not running any more. */
bool batch_queue_is_duplicate(struct batch_queue *queue, struct queue_item *item,
                              const char *content);

/* The running item has failed by nobody's fault: true if it will be tried again. */
bool batch_queue_retry(struct batch_queue *queue, struct queue_item *item);

/* An item that waits for the content of another one, which has ended; NULL if there is none. The
 * caller either ends it or lets it wait for a try of its own. */
struct queue_item *batch_queue_duplicate_of(struct batch_queue *queue, const char *content);

#endif
