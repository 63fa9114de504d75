/* followed_tiles.c: see followed_tiles.h. */
#include "device/emulated/memory/followed_tiles.h"

#include <string.h>

static uint16_t cell_of(const struct warp *warp, uint32_t slot)
{
    return warp->block->launch->code->followed_cells[slot / FOLLOWED_CELL_BYTES];
}

/* Fills out_ranges with the ranges that the lanes of a register point into. */
static void ranges_of(const struct warp *warp, uint32_t slot, uint16_t out_ranges[LANES])
{
    uint16_t cell = cell_of(warp, slot);
    if (cell >= FOLLOWED_FIRST) {
        const uint16_t *lanes = warp->followed + (size_t)(cell - FOLLOWED_FIRST) * LANES;
        memcpy(out_ranges, lanes, LANES * sizeof *lanes);
        return;
    }
    for (unsigned i = 0; i < LANES; i++) {
        out_ranges[i] = cell;
    }
}

bool followed_tiles_is_source(const struct op *op)
{
    switch (op->code) {
    case OP_MOV_32:
    case OP_MOV_64:
    case OP_CVT_U64_U32:
    case OP_CVT_S64_S32:
    case OP_CVT_U32_U64:
    case OP_ELEMENT_ADDRESS:
    case OP_SELECT_32:
    case OP_SELECT_64:
    case OP_ADD_32:
    case OP_ADD_64:
    case OP_OR_32:
    case OP_OR_64:
    case OP_SUB_32:
    case OP_SUB_64:
    case OP_MAD_LO_32:
    case OP_MAD_LO_64:
    case OP_MAD_WIDE_U32:
    case OP_MAD_WIDE_S32:
        return true;
    default:
        return false;
    }
}

/* The operand that points where the result of an op does: the others are numbers. Of a selection it
 * is the one that is taken where its predicate holds. */
static unsigned operand_of(const struct warp *warp, const struct op *op)
{
    switch (op->code) {
    case OP_ADD_32:
    case OP_ADD_64:
    case OP_OR_32:
    case OP_OR_64:
        return cell_of(warp, op->slot[1]) != 0 ? 1 : 2;
    case OP_MAD_LO_32:
    case OP_MAD_LO_64:
    case OP_MAD_WIDE_U32:
    case OP_MAD_WIDE_S32:
        return 3;
    default:
        return 1;
    }
}

void followed_tiles_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint16_t *lanes =
        warp->followed + (size_t)(cell_of(warp, op->slot[0]) - FOLLOWED_FIRST) * LANES;
    uint16_t first[LANES];
    uint16_t second[LANES];
    uint32_t chosen = ALL_LANES;
    ranges_of(warp, op->slot[operand_of(warp, op)], first);
    memcpy(second, first, sizeof second);
    if (op->code == OP_SELECT_32 || op->code == OP_SELECT_64) {
        ranges_of(warp, op->slot[2], second);
        chosen = *(const uint32_t *)(const void *)(warp->file + op->slot[3]);
    }
    for (unsigned i = 0; i < LANES; i++) {
        uint16_t range = (chosen >> i & 1) != 0 ? first[i] : second[i];
        lanes[i] = (mask >> i & 1) != 0 ? range : lanes[i];
    }
    warp->block->launch->variant->handler(op->code)(warp, op, mask);
}

uint16_t followed_tile(const struct warp *warp, const struct op *op, unsigned lane)
{
    uint16_t ranges[LANES];
    ranges_of(warp, op->slot[SLOT_ADDRESS], ranges);
    return ranges[lane];
}

bool followed_tiles_hold(const struct warp *warp, const struct op *op, uint32_t mask, uint64_t low,
                         uint64_t span)
{
    uint16_t ranges[LANES];
    uint16_t differs = 0;
    ranges_of(warp, op->slot[SLOT_ADDRESS], ranges);
    uint16_t first = ranges[__builtin_ctz(mask)];
    for (unsigned i = 0; i < LANES; i++) {
        differs |= (mask >> i & 1) != 0 ? ranges[i] ^ first : 0;
    }
    const struct shared_range *range = &warp->worker->ranges[first];
    uint64_t inside = low - range->start;
    return differs == 0 && inside < range->bytes && span <= range->bytes - inside;
}
