/* written_map.h: which bytes of an allocation have ever been written.
 *
 * A bit for each byte. Blocks that run in parallel may mark bytes that share a byte of the map. A
 * launch that is undone (order_watch.h) undoes its marks as well.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_WRITTEN_MAP_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_WRITTEN_MAP_H

#include "device/emulated/memory/chunk_copy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct written_map {
    uint8_t *bits;             /* [bytes / 8 + 1]; atomic while blocks run */
    uint64_t prefix;           /* all before it is written */
    struct chunk_copy *before; /* of the bits, before the launch; NULL: they need not be undone */
};

/* For an allocation of which nothing is written; NULL without memory. */
struct written_map *written_map_new(uint64_t bytes);
void written_map_free(struct written_map *map); /* NULL is accepted */

/* Begins to keep what the bits are, goes back to it, and forgets it. The first aborts without
 * memory. */
void written_map_keep(struct written_map *map, uint64_t bytes);
void written_map_undo(struct written_map *map);
void written_map_forget(struct written_map *map);

/* Marks [offset, offset + bytes); bytes > 0. The second form is for when no block runs: it lets a
 * prefix grow, as copies piece by piece do. */
void written_map_mark(struct written_map *map, uint64_t offset, uint64_t bytes);
void written_map_extend(struct written_map *map, uint64_t offset, uint64_t bytes);

/* True if all of [offset, offset + bytes) is written; if any of it is. */
bool written_map_has_all(const struct written_map *map, uint64_t offset, uint64_t bytes);
bool written_map_has_any(const struct written_map *map, uint64_t offset, uint64_t bytes);

/* What has been written of [offset, offset + bytes) becomes what has been of as much of another
 * map, or of the same, from `from` on. No block runs meanwhile. */
void written_map_copy(struct written_map *map, uint64_t offset, const struct written_map *other,
                      uint64_t from, uint64_t bytes);

#endif
