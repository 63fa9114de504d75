/* access_check.h: where a lane's memory access leads to, and what is wrong with it.
 *
 * memory_handlers.c first tries to see all lanes of an access at once (the same distances between
 * lanes as last time, one allocation). Where that fails, each lane is checked here. Every access
 * passes one of these two places, with the addresses and the mask of its warp, so code that watches
 * accesses (races, uninitialised reads, counts) belongs there.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_ACCESS_CHECK_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_ACCESS_CHECK_H

#include "device/emulated/machine.h"
#include "wire/finding_record.h"

/* The address that a lane forms: register plus offset. 32-bit addresses wrap. */
static inline uint64_t access_address(const struct warp *warp, const struct op *op, unsigned lane)
{
    const uint8_t *slot = warp->file + op->slot[SLOT_ADDRESS];
    if (op->address_is_wide) {
        return ((const uint64_t *)(const void *)slot)[lane] + (uint64_t)(int64_t)op->offset;
    }
    return ((const uint32_t *)(const void *)slot)[lane] + (uint32_t)op->offset;
}

/* Fills where[lane] for the lanes of `mask`: the host's address of the op's elements, or NULL after
 * reporting a finding when the access is not valid. Written blocks are marked so. */
void access_resolve(struct warp *warp, const struct op *op, uint32_t mask,
                    enum finding_record_access access, uint8_t *where[LANES]);

/* The same for accesses at other addresses than those in the op's slot, in global memory. */
struct access_wish {
    const uint64_t *addresses; /* [LANES] */
    uint32_t bytes;            /* of a lane: 1, 2, 4, 8 or 16 */
    enum finding_record_access access;
};
void access_resolve_at(struct warp *warp, const struct op *op, uint32_t mask,
                       const struct access_wish *wish, uint8_t *where[LANES]);

/* Reports that a lane names an address where there is no texture or surface object for the op. */
void access_report_texture(struct warp *warp, const struct op *op, unsigned lane, uint64_t address);

/* Reports that a lane accesses what lies beyond a part of an allocation. */
struct access_beyond {
    uint64_t address;    /* in the allocation */
    const char *part;    /* "a row of the surface" */
    uint64_t part_bytes; /* its size */
    int64_t at_bytes;    /* where the access begins, from the start of the part */
};
void access_report_beyond(struct warp *warp, const struct op *op, unsigned lane,
                          const struct access_beyond *beyond);

/* The same for one lane and `bytes` (1, 2, 4 or 8) at an address of the op's space, for calls of
 * the device runtime; it is neither counted nor watched. */
uint8_t *access_resolve_lane(struct warp *warp, const struct op *op, unsigned lane,
                             uint64_t address, uint32_t bytes, enum finding_record_access access);

/* Where an access of a lane leads to, without making it: the host's address of its elements, the
 * space after a generic address is resolved (enum ptx_space), and the offset in it, of global and
 * constant memory the device address. NULL if the access is not valid; nothing is reported. */
uint8_t *access_peek(struct warp *warp, const struct op *op, unsigned lane,
                     enum finding_record_access access, uint8_t *out_space, uint64_t *out_offset);

/* The bits of one element of what a lane is going to store. */
uint64_t access_stored_bits(const struct warp *warp, const struct op *op, unsigned element,
                            unsigned lane);

#endif
