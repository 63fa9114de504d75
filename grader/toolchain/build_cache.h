/* build_cache.h: keeps what the tools made before, so that they need not make it again.
 *
 *   cache_folder/programs/KEY    bytes; at the end their SHA-256 in 64 hexadecimal digits
 *
 * KEY is the hash of everything that decides the bytes. A damaged entry counts as missing. Files
 * are written whole or not at all, so graders share a cache without locks. If there are too many
 * files, those that have not been used for longest are removed.
 */
#ifndef GPUGRADE_TOOLCHAIN_BUILD_CACHE_H
#define GPUGRADE_TOOLCHAIN_BUILD_CACHE_H

#include "base/text.h"
#include "toolchain/toolchain.h"

/* Reads an entry into the arena; false if there is none. */
bool build_cache_take(const struct toolchain *toolchain, const char *key, struct arena *arena,
                      const char **out_bytes, size_t *out_length);

/* Keeps an entry, unless it is too large. If the cache cannot be written, that only costs time
 * later.
 */
void build_cache_keep(const struct toolchain *toolchain, const char *key, const char *bytes,
                      size_t length);

/* Reads an entry in the order in which it was written: numbers with a blank after each, and as many
 * bytes as a number says. */
struct build_entry_reader {
    const char *rest; /* [length] */
    size_t length;
    bool is_good;
};

/* Returns 0 and clears is_good if there is no number. */
uint64_t build_entry_number(struct build_entry_reader *reader);

/* Returns a copy in the arena, with a NUL; returns "" and clears is_good if there are fewer bytes.
 */
const char *build_entry_bytes(struct build_entry_reader *reader, struct arena *arena,
                              size_t *out_length);

void build_entry_append(struct text *text, const char *bytes, size_t length);

#endif
