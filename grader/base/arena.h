/* arena.h: memory that is freed all at once.
 *
 * One arena lives as long as one submission (or one rubric, one module): everything allocated while
 * it is graded comes from there and is freed with it. Allocations are zeroed and aligned for any
 * type. The functions never return NULL: when the machine has no memory left the process aborts, so
 * the caller must bound every size that foreign input decides before asking.
 */
#ifndef GPUGRADE_BASE_ARENA_H
#define GPUGRADE_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena); /* NULL is accepted */

/* Returns `bytes` zeroed bytes, aligned to 16; a valid pointer also for 0. */
void *arena_alloc(struct arena *arena, size_t bytes);

/* Returns a zeroed array of `count` elements; aborts if the product overflows. */
void *arena_array(struct arena *arena, size_t count, size_t element_bytes);

/* Makes room for at least `needed` elements in the array *items of capacity *capacity: when it is
 * too small, a larger one (at least doubled) is made and the old elements are copied. */
void arena_grow(struct arena *arena, void *items, size_t *capacity, size_t needed,
                size_t element_bytes);

/* Copies a string, or `length` bytes of one and a NUL. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* Formats into a string of its own. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Moves everything that `child` holds into `arena` and frees `child` itself: for work that was done
 * in an arena of its own by another thread. NULL is accepted. */
void arena_adopt(struct arena *arena, struct arena *child);

/* Bytes asked for so far, for statistics and tests. */
size_t arena_bytes(const struct arena *arena);

#endif
