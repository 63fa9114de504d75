/* batch_queue.c: see batch_queue.h. A class has hundreds of submissions, each of which takes
 * seconds: looking at all of them for each one is nothing. */
#include "batch/batch_queue.h"

#include <string.h>

void batch_queue_init(struct batch_queue *queue, struct arena *arena,
                      const struct store_task *tasks, size_t count, uint32_t tries,
                      bool counts_tries)
{
    *queue = (struct batch_queue){
        .items = arena_array(arena, count, sizeof *queue->items),
        .count = count,
        .tries = tries < 1 ? 1 : tries,
    };
    for (size_t i = 0; i < count; i++) {
        uint32_t before = counts_tries ? tasks[i].tries : 0;
        queue->items[i].task = &tasks[i];
        queue->items[i].tries = before < queue->tries ? before : queue->tries - 1;
    }
}

/* The waiting item with the fewest tries. */
static struct queue_item *first_waiting(struct batch_queue *queue)
{
    struct queue_item *best = NULL;

    for (size_t i = 0; i < queue->count; i++) {
        struct queue_item *item = &queue->items[i];
        if (item->state == QUEUE_WAITING && (best == NULL || item->tries < best->tries)) {
            best = item;
        }
    }
    return best;
}

/* True if an item runs that must end before one with `tries` behind it starts: what was in trouble
 * waits for all first tries, and the last try is alone on the machine. */
static bool must_wait(const struct batch_queue *queue, uint32_t tries)
{
    for (size_t i = 0; i < queue->count; i++) {
        const struct queue_item *item = &queue->items[i];
        if (item->state != QUEUE_RUNNING) {
            continue;
        }
        bool is_last_try = item->tries > 1 && item->tries == queue->tries;
        if (is_last_try || item->tries <= tries || (tries > 0 && tries + 1 == queue->tries)) {
            return true;
        }
    }
    return false;
}

struct queue_item *batch_queue_take(struct batch_queue *queue)
{
    struct queue_item *item = first_waiting(queue);

    if (item == NULL || must_wait(queue, item->tries)) {
        return NULL;
    }
    item->state = QUEUE_RUNNING;
    item->tries++;
    return item;
}

bool batch_queue_is_duplicate(struct batch_queue *queue, struct queue_item *item,
                              const char *content)
{
    memcpy(item->content, content, sizeof item->content);
    for (size_t i = 0; i < queue->count; i++) {
        const struct queue_item *other = &queue->items[i];
        if (other != item && other->state == QUEUE_RUNNING &&
            strcmp(other->content, content) == 0) {
            item->state = QUEUE_DUPLICATE;
            item->tries--;
            return true;
        }
    }
    return false;
}

bool batch_queue_retry(struct batch_queue *queue, struct queue_item *item)
{
    bool again = item->tries < queue->tries;

    item->state = again ? QUEUE_WAITING : QUEUE_DONE;
    return again;
}

struct queue_item *batch_queue_duplicate_of(struct batch_queue *queue, const char *content)
{
    for (size_t i = 0; i < queue->count; i++) {
        struct queue_item *item = &queue->items[i];
        if (item->state == QUEUE_DUPLICATE && strcmp(item->content, content) == 0) {
            return item;
        }
    }
    return NULL;
}
