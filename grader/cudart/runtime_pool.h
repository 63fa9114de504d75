/* runtime_pool.h: pools of memory, for runtime_pool.c and calls_pool.c. */
#ifndef GPUGRADE_CUDART_RUNTIME_POOL_H
#define GPUGRADE_CUDART_RUNTIME_POOL_H

#include "cudart/runtime.h"

struct pool {
    uint64_t release_threshold; /* kept for the program to read */
    int reuses[3];              /* the three switches of reuse, likewise */
    uint64_t used, used_high;
};

/* That of allocations in graphs; no handle leads to it. */
extern struct pool runtime_graph_pool;

/* Notes an allocation that counts for a pool; false without memory. */
bool pool_note(uint64_t address, size_t bytes, struct pool *pool);

/* From here on what counts for one pool counts for another. */
void pool_move(struct pool *from, struct pool *to);

/* The device was reset: there is no memory any more, and no addresses of graphs. */
void pool_forget_all(void);

/* Memory that a stream gets or gives back is not for others before or after: as if all of it were
 * written. */
void pool_tell_whole(uint64_t address, uint64_t bytes, uint32_t stream);

#endif
