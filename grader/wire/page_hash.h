/* page_hash.h: a number that tells whether a page of memory is still what it was.
 *
 * Managed, pinned and registered memory exists twice, in the program and on the device. What is
 * sent from one to the other are the pages whose hash differs from the one that both last agreed
 * on. It guards against nothing: who makes two pages with one hash deceives only themselves.
 */
#ifndef GPUGRADE_WIRE_PAGE_HASH_H
#define GPUGRADE_WIRE_PAGE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* What is compared at once: a page of memory, but for the last of a block. */
enum { HASH_PAGE_BYTES = 4096 };

/* Returns the hash of `length` bytes; never 0, which stands for a page that is not known. */
uint64_t page_hash(const void *bytes, size_t length);

#endif
