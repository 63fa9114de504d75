/* chunk_copy.h: a copy of a block of memory that is made piece by piece, before each is
 * overwritten.
 *
 * A program may own much more device memory than one launch writes. So taking a snapshot copies
 * nothing: writers announce each write, and the chunks that are about to change are copied then,
 * once. Going back copies only these chunks. Several threads may write at the same time: a chunk's
 * flag is set when its copy is complete, and a thread that finds it unset waits for that.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_CHUNK_COPY_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_CHUNK_COPY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHUNK_SHIFT = 14, CHUNK_BYTES = 1 << CHUNK_SHIFT };

struct chunk_copy {
    uint8_t *live;  /* [bytes] what is copied */
    uint8_t *saved; /* [bytes] untouched pages take no memory */
    size_t bytes;
    uint8_t *flags; /* [chunks] atomic; 1: saved */
    pthread_mutex_t lock;
};

/* Begins a copy of live [bytes], bytes > 0; NULL without memory. */
struct chunk_copy *chunk_copy_new(uint8_t *live, size_t bytes);
void chunk_copy_free(struct chunk_copy *copy); /* NULL is accepted */

/* True if everything that was copied is still as it was. No thread may write meanwhile. */
bool chunk_copy_is_same(const struct chunk_copy *copy);

/* Restores everything that was copied; the copy starts again. No thread may write meanwhile. */
void chunk_copy_restore(struct chunk_copy *copy);

/* Copies the chunks of [offset, offset + bytes) that are not copied yet; bytes > 0. */
void chunk_copy_keep(struct chunk_copy *copy, size_t offset, size_t bytes);

/* To be called before [offset, offset + bytes), all within the block, is written; bytes > 0. */
static inline void chunk_copy_before_write(struct chunk_copy *copy, size_t offset, size_t bytes)
{
    size_t first = offset >> CHUNK_SHIFT;
    size_t last = (offset + bytes - 1) >> CHUNK_SHIFT;
    bool is_kept = last - first <= 1 && __atomic_load_n(&copy->flags[first], __ATOMIC_ACQUIRE) &&
                   __atomic_load_n(&copy->flags[last], __ATOMIC_ACQUIRE);
    if (__builtin_expect(!is_kept, 0)) {
        chunk_copy_keep(copy, offset, bytes);
    }
}

#endif
