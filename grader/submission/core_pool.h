/* core_pool.h: limits how many builds and runs of one submission go on at once to its number of
 * cores. Threads take a core for a piece of work and give it back; they wait while none is free. */
#ifndef GPUGRADE_SUBMISSION_CORE_POOL_H
#define GPUGRADE_SUBMISSION_CORE_POOL_H

#include <pthread.h>
#include <stddef.h>

struct core_pool {
    pthread_mutex_t mutex;
    pthread_cond_t given_back;
    size_t cores; /* at least 1 */
    size_t free;
};

/* `cores` 0: all cores that this process may use. */
void core_pool_init(struct core_pool *pool, size_t cores);
void core_pool_release(struct core_pool *pool);

void core_pool_take(struct core_pool *pool);
void core_pool_give(struct core_pool *pool);

#endif
