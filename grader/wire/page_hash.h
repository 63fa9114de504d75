/* page_hash.h: a hash that shows whether a page of memory has changed.
 *
 * Managed, pinned and registered memory exists twice, in the program and on the device. What is
 * sent from one to the other are the pages whose hash differs from the one that both last agreed
 * on. It is not a protection: a program that makes two pages with the same hash only deceives
 * itself.
 */
#ifndef GPUGRADE_WIRE_PAGE_HASH_H
#define GPUGRADE_WIRE_PAGE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The unit of comparison: a page of memory, except for the last one of a block. */
enum { HASH_PAGE_BYTES = 4096 };

/* Returns the hash of `length` bytes; never 0, which stands for a page that is not known. */
uint64_t page_hash(const void *bytes, size_t length);

#endif
