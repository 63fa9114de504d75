/* value_origins.h: which instruction stored what is in a word of global memory, which one made that
 * value, and what loads it.
 *
 * A thread that stores what it has loaded moves a value; any other store makes one. Copies within
 * the device move values too. So a key that a sort moves through many launches leads back to the
 * store that it comes from, or to none: it was there before.
 *
 *   word --> origin: the place of the last store, the place that made the value; 0: none is known
 *            which of its bytes have been loaded or copied, and the place that loaded it last
 *   launch --> whether it stores, and whether anything used what it stored
 *   thread of the block that runs --> what it loaded last, with the place that made it
 *   value --> the elements that it is made of (value_terms.h)
 *
 * Launches are followed with a copy of their ops, as by access_trace.h, on one thread, with the
 * blocks in order. Where blocks run by turns, less is known of moves: what a block moves then
 * counts as made by its store. A word is 4 bytes; a store of less counts for all of it. Time is
 * bounded by the work of the launches and by a budget for copies; memory by ORIGIN_WORDS_MAX. Where
 * something does not fit, nothing is known any more. Addresses that were freed are not used again
 * (window_memory.h), so what is known of them does no harm.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_VALUE_ORIGINS_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_VALUE_ORIGINS_H

#include "device/device.h"
#include "device/emulated/machine.h"

enum { ORIGIN_WORDS_MAX = 1 << 22 };

struct value_origins;

/* Nothing has been stored yet. Aborts without memory. */
struct value_origins *value_origins_new(void);
void value_origins_free(struct value_origins *origins); /* NULL is accepted */

/* Turns a launch into one that is followed; to be finished when it has ended. */
void value_origins_start(struct value_origins *origins, struct launch *launch, uint32_t site);
void value_origins_finish(struct value_origins *origins);

/* The host has read [address, address + bytes). */
void value_origins_use(struct value_origins *origins, uint64_t address, uint64_t bytes);

/* The host has written or filled [address, address + bytes): nothing is known of it. */
void value_origins_clear(struct value_origins *origins, uint64_t address, uint64_t bytes);

/* The host has had bytes copied. */
void value_origins_copy(struct value_origins *origins, uint64_t to, uint64_t from, uint64_t bytes);

/* The elements that a value is made of, as value_terms_list; and how far an element got, as
 * value_terms_fate. */
size_t value_origins_terms(const struct value_origins *origins, uint64_t address, uint64_t bytes,
                           struct device_term *out_terms, size_t room);
enum term_fate value_origins_fate(const struct value_origins *origins, uint64_t address,
                                  struct device_place *out_place);

/* What is known of [address, address + bytes). */
void value_origins_find(const struct value_origins *origins, uint64_t address, uint64_t bytes,
                        struct device_origin *out_origin);

#endif
