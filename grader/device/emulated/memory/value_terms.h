/* value_terms.h: which words of global memory, as they were before, a value is made of.
 *
 * While value_origins.h follows launches, each register of each lane, and each element in memory,
 * has a node (term_graph.h). A leaf is an element that nothing has stored while values were
 * followed. Arithmetic joins; so do loads and stores, with what says where. Unknown is what is not
 * followed: textures, products of matrices, calls, local memory, accesses of another size than the
 * store, lanes that are exchanged but by shuffles.
 *
 * A value that a branch only chose is not made of what decided it; but what decides a branch, or
 * where something is stored, is marked.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_VALUE_TERMS_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_VALUE_TERMS_H

#include "device/emulated/machine.h"
#include "device/emulated/memory/term_graph.h"

struct value_terms;

/* Nothing is known to be stored. Aborts without memory. */
struct value_terms *value_terms_new(void);
void value_terms_free(struct value_terms *terms); /* NULL is accepted */

/* A launch begins; with its first block, which ends the one before. */
void value_terms_start(struct value_terms *terms, const struct launch *launch);
void value_terms_enter_block(struct value_terms *terms);

/* From now on nothing is known. */
void value_terms_lose(struct value_terms *terms);

/* True if value_terms_step is to be called with an op that is no access to memory. */
bool value_terms_want(const struct op *op);

/* The lanes of `mask` are about to execute an op, which has the number of a place if it is a
 * shuffle. */
void value_terms_step(struct value_terms *terms, struct warp *warp, const struct op *op,
                      uint32_t mask, uint32_t place);

/* What one lane is about to load or store. */
struct term_access {
    struct warp *warp;
    const struct op *op;
    unsigned lane;
    bool is_valid; /* false: nothing can be accessed, and the rest does not count */
    uint8_t space; /* enum ptx_space */
    uint64_t offset;
    uint32_t place; /* number of the place, from 1 */
};

void value_terms_access(struct value_terms *terms, const struct term_access *access);

/* The host has changed, or has had copied, some bytes of global memory. */
void value_terms_clear(struct value_terms *terms, uint64_t address, uint64_t bytes);
void value_terms_copy(struct value_terms *terms, uint64_t to, uint64_t from, uint64_t bytes);

/* The same as term_list, of the value at an address; and term_fate. */
size_t value_terms_list(const struct value_terms *terms, uint64_t address, uint32_t bytes,
                        struct value_term *out_terms, size_t room);
uint32_t value_terms_fate(const struct value_terms *terms, uint64_t address,
                          enum term_fate *out_fate);

#endif
