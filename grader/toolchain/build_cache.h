/* build_cache.h: what the tools made of a text before, so that they need not do it again.
 *
 *   cache_folder/programs/KEY    bytes; at the end their SHA-256 in 64 hexadecimal digits
 *
 * KEY is the hash of everything that decides the bytes. A damaged entry counts as none. Files are
 * written whole or not at all, so graders share a cache without locks; when they get too many,
 * those that were not used longest go.
 */
#ifndef GPUGRADE_TOOLCHAIN_BUILD_CACHE_H
#define GPUGRADE_TOOLCHAIN_BUILD_CACHE_H

#include "base/text.h"
#include "toolchain/toolchain.h"

/* Reads an entry into the arena; false if there is none. */
bool build_cache_take(const struct toolchain *toolchain, const char *key, struct arena *arena,
                      const char **out_bytes, size_t *out_length);

/* Keeps an entry, unless it is too large. A cache that cannot be written only costs time later. */
void build_cache_keep(const struct toolchain *toolchain, const char *key, const char *bytes,
                      size_t length);

/* An entry is read as it is written: numbers, a blank after each, and as many bytes as a number
 * says. */
struct build_entry_reader {
    const char *rest; /* [length] */
    size_t length;
    bool is_good;
};

/* 0 if there is no number, which is_good then says. */
uint64_t build_entry_number(struct build_entry_reader *reader);

/* A copy in the arena, with a NUL; "" if there are not as many, which is_good then says. */
const char *build_entry_bytes(struct build_entry_reader *reader, struct arena *arena,
                              size_t *out_length);

void build_entry_append(struct text *text, const char *bytes, size_t length);

#endif
