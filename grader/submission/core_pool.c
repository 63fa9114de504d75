/* core_pool.c: see core_pool.h. */
#include "submission/core_pool.h"

#include "base/machine_cores.h"

void core_pool_init(struct core_pool *pool, size_t cores)
{
    pool->cores = cores != 0 ? cores : machine_cores();
    pool->free = pool->cores;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->given_back, NULL);
}

void core_pool_release(struct core_pool *pool)
{
    pthread_cond_destroy(&pool->given_back);
    pthread_mutex_destroy(&pool->mutex);
}

void core_pool_take(struct core_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->free == 0) {
        pthread_cond_wait(&pool->given_back, &pool->mutex);
    }
    pool->free--;
    pthread_mutex_unlock(&pool->mutex);
}

void core_pool_give(struct core_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->free++;
    pthread_cond_signal(&pool->given_back);
    pthread_mutex_unlock(&pool->mutex);
}
