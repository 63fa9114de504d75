/* archive_pack.h: archives as a store keeps them: one zstd frame with its size and a checksum. */
#ifndef GPUGRADE_BATCH_ARCHIVE_PACK_H
#define GPUGRADE_BATCH_ARCHIVE_PACK_H

#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>

enum { ARCHIVE_BYTES_MAX = 256 << 20 }; /* larger ones are neither packed nor unpacked */

/* Packs `length` bytes; the caller frees *out_packed. False if there are too many. */
bool archive_pack(const char *bytes, size_t length, void **out_packed, size_t *out_length);

/* Unpacks, and adds a NUL at the end; the caller frees *out_bytes. False if it is damaged. */
bool archive_unpack(const void *packed, size_t length, char **out_bytes, size_t *out_length);

#endif
