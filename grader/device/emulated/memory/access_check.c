/* access_check.c: see access_check.h. */
#include "device/emulated/memory/access_check.h"

#include "device/emulated/exec/call_stack.h"
#include "device/emulated/finding_table.h"
#include "device/emulated/memory/access_counts.h"
#include "device/emulated/memory/device_heap.h"
#include "device/emulated/memory/followed_tiles.h"
#include "device/emulated/race/global_races.h"
#include "device/emulated/race/order_watch.h"
#include "device/emulated/race/race_watch.h"
#include "device/emulated/race/touch_watch.h"

#include <string.h>

/* What is known of one lane's access. */
struct lane_access {
    struct warp *warp;
    const struct op *op;
    unsigned lane;
    uint32_t bytes;
    uint64_t address; /* as the program formed it */
    uint64_t offset;  /* in its space */
    enum finding_record_access access;
    bool is_peek;      /* nothing is reported */
    bool asks_written; /* a read of what nobody wrote is */
};

static void report(const struct lane_access *lane, enum finding_record_kind kind,
                   int64_t distance_bytes, uint64_t object_bytes, const char *object)
{
    const struct warp *warp = lane->warp;
    if (lane->is_peek) {
        return;
    }
    struct fault fault = {
        .kind = kind,
        .places[0] = {.op = lane->op,
                      .access = lane->access,
                      .thread = warp->index * LANES + lane->lane},
        .block = warp->block->linear,
        .count = 1,
        .address = lane->address,
        .access_bytes = lane->bytes,
        .distance_bytes = distance_bytes,
        .object_bytes = object_bytes,
        .object = object,
    };
    finding_table_add(warp->worker->findings, &fault);
}

/* How far an access begins from [start, end): past the end, the very next byte is 0; before the
 * start < 0; 0 also if it begins inside and ends outside. */
static int64_t distance_from(uint64_t address, uint64_t start, uint64_t end)
{
    if (address >= end) {
        return (int64_t)(address - end);
    }
    return address < start ? -(int64_t)(start - address) : 0;
}

/* An offset in a space from the space's start. What lies before the start has wrapped, at as many
 * bits as the program computes the address with. */
static int64_t offset_from_start(const struct lane_access *lane, uint64_t offset)
{
    const bool is_narrow = offset <= UINT32_MAX && !lane->op->address_is_wide;
    return is_narrow && offset > INT32_MAX ? (int64_t)offset - ((int64_t)UINT32_MAX + 1)
                                           : (int64_t)offset;
}

/* Likewise distance_from(), for [start, end) of a space. */
static int64_t distance_in_space(const struct lane_access *lane, uint64_t offset, uint64_t start,
                                 uint64_t end)
{
    int64_t at = offset_from_start(lane, offset);
    if (at >= 0) {
        return distance_from(offset, start, end);
    }
    return at < INT64_MIN + (int64_t)start ? INT64_MIN : at - (int64_t)start;
}

/* The tile that an offset from the start of shared memory lies in, or the nearest one. */
static const struct shared_tile *nearest_tile(const struct kernel_code *code, int64_t offset)
{
    const struct shared_tile *nearest = NULL;
    for (size_t i = 0; i < code->tile_count; i++) {
        if (nearest == NULL || (int64_t)code->tiles[i].start <= offset) {
            nearest = &code->tiles[i];
        }
    }
    return nearest;
}

static uint8_t *resolve_shared(const struct lane_access *lane, uint64_t offset)
{
    const struct kernel_code *code = lane->warp->block->launch->code;
    uint16_t tile_range =
        lane->op->is_followed ? followed_tile(lane->warp, lane->op, lane->lane) : lane->op->range;
    const struct shared_range *range = &lane->warp->worker->ranges[tile_range];
    uint64_t inside = offset - range->start;
    if (inside < range->bytes && lane->bytes <= range->bytes - inside) {
        return lane->warp->block->shared + offset;
    }
    const struct shared_tile *tile = tile_range != 0
                                         ? &code->tiles[tile_range - 1]
                                         : nearest_tile(code, offset_from_start(lane, offset));
    if (tile != NULL) {
        range = &lane->warp->worker->ranges[tile - code->tiles + 1];
    }
    report(lane, FINDING_RECORD_SHARED_OUT_OF_BOUNDS,
           distance_in_space(lane, offset, range->start, range->start + range->bytes), range->bytes,
           tile != NULL ? tile->name : NULL);
    return NULL;
}

static uint8_t *resolve_local(const struct lane_access *lane, uint64_t offset)
{
    uint8_t *host = local_host(lane->warp, lane->lane, offset, lane->bytes);
    if (host == NULL) {
        uint64_t size = local_end(lane->warp, lane->lane);
        report(lane, FINDING_RECORD_LOCAL_OUT_OF_BOUNDS, distance_in_space(lane, offset, 0, size),
               size, NULL);
    }
    return host;
}

static uint8_t *resolve_param(const struct lane_access *lane, uint64_t offset)
{
    static const uint8_t nothing[16];
    const struct launch *launch = lane->warp->block->launch;
    uint64_t size = launch->code->function->parameter_bytes;
    bool fits = offset < size && lane->bytes <= size - offset;
    if (!fits || lane->access != FINDING_RECORD_READ) {
        report(lane, fits ? FINDING_RECORD_WRITE_TO_CONSTANT : FINDING_RECORD_PARAM_OUT_OF_BOUNDS,
               distance_in_space(lane, offset, 0, size), size, NULL);
        return NULL;
    }
    const uint8_t *parameters = launch->parameters != NULL ? launch->parameters : nothing;
    return (uint8_t *)(uintptr_t)(parameters + offset);
}

/* Tells what is wrong with an address that lies in no block. */
static void report_outside(const struct lane_access *lane, enum finding_record_kind outside)
{
    const struct window_memory *memory = lane->warp->block->launch->memory;
    uint64_t address = lane->address;
    if (address < NULL_POINTER_END) {
        report(lane, FINDING_RECORD_NULL_POINTER, (int64_t)address, 0, NULL);
        return;
    }
    if (!is_near_device_window(address)) {
        report(lane, FINDING_RECORD_HOST_POINTER, 0, 0, NULL);
        return;
    }
    const struct window_range *freed = window_find_freed(memory, address);
    if (freed != NULL) {
        report(lane, FINDING_RECORD_USE_AFTER_FREE, (int64_t)(address - freed->start),
               freed->end - freed->start, NULL);
        return;
    }
    const struct window_block *nearest = window_nearest(memory, address);
    if (nearest == NULL) {
        report(lane, outside, 0, 0, NULL);
        return;
    }
    report(lane, outside, distance_from(address, nearest->start, nearest->end),
           nearest->end - nearest->start, NULL);
}

/* True if an access to the heap lies within a living allocation; else tells what is wrong. */
static bool is_in_heap(const struct lane_access *lane)
{
    const struct device_heap *heap = lane->warp->block->launch->heap;
    struct window_range range;
    enum heap_place place = device_heap_find(heap, lane->address, &range);
    if (place == HEAP_LIVING && lane->bytes <= range.end - lane->address) {
        return true;
    }
    if (place == HEAP_FREED) {
        report(lane, FINDING_RECORD_USE_AFTER_FREE, (int64_t)(lane->address - range.start),
               range.end - range.start, NULL);
    } else {
        report(lane, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS,
               distance_from(lane->address, range.start, range.end), range.end - range.start, NULL);
    }
    return false;
}

/* Reports a read of what nobody has written. A part that is written lets the rest be padding. */
static void look_written(const struct lane_access *lane, const struct window_block *block)
{
    uint64_t offset = lane->address - block->start;
    uint8_t role = lane->warp->block->launch->code->accesses[lane->op->access_index].role;
    if (lane->asks_written && (role & ROLE_READS) != 0 &&
        !written_map_has_any(block->written, offset, lane->bytes)) {
        report(lane, FINDING_RECORD_GLOBAL_UNINITIALISED, (int64_t)offset,
               block->end - block->start, NULL);
    }
    if (lane->access != FINDING_RECORD_READ) {
        written_map_mark(block->written, offset, lane->bytes);
    }
}

/* Tells who asks what blocks do to global memory. */
static void notify_watch(const struct lane_access *lane, const struct window_block *block)
{
    const struct warp *warp = lane->warp;
    struct order_watch *watch = warp->block->launch->watch;
    bool writes = lane->access != FINDING_RECORD_READ;
    if (watch == NULL) {
        return;
    }
    if (warp->worker->touches != NULL) {
        touch_access(warp->worker->touches, block, lane->address, lane->bytes,
                     touch_now(warp->worker->touches, warp, lane->lane),
                     touch_kind_of(warp->block->launch->code, lane->op, writes));
        if (writes) {
            order_watch_keep(watch, block, lane->address, lane->bytes);
        }
    } else if (writes) {
        order_watch_store(watch, block, lane->address, lane->bytes, warp->block->linear);
    } else {
        order_watch_load(watch, block);
    }
}

static uint8_t *resolve_window(const struct lane_access *lane, bool is_constant_space)
{
    const struct window_memory *memory = lane->warp->block->launch->memory;
    struct window_block *block = window_find(memory, lane->address);
    enum finding_record_kind outside = is_constant_space ? FINDING_RECORD_CONSTANT_OUT_OF_BOUNDS
                                                         : FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS;
    if (block == NULL) {
        report_outside(lane, outside);
        return NULL;
    }
    if (lane->bytes > block->end - lane->address || (is_constant_space && !block->is_constant)) {
        report(lane, outside, distance_from(lane->address, block->start, block->end),
               block->end - block->start, NULL);
        return NULL;
    }
    if (block->is_heap && !is_in_heap(lane)) {
        return NULL;
    }
    if (lane->access != FINDING_RECORD_READ) {
        if (block->is_constant) {
            report(lane, FINDING_RECORD_WRITE_TO_CONSTANT, 0, block->end - block->start, NULL);
            return NULL;
        }
        window_before_write(block, lane->address, lane->bytes);
    }
    if (block->written != NULL && !lane->is_peek) {
        look_written(lane, block);
    }
    notify_watch(lane, block);
    return window_host(memory, lane->address);
}

/* The space that a generic address leads to, and the offset in it, which wraps where the address
 * lies shortly before the space. */
static uint8_t generic_space(uint64_t address, uint64_t *out_offset)
{
    static const struct {
        uint64_t start;
        uint8_t space;
    } windows[] = {
        {SHARED_WINDOW, PTX_SPACE_SHARED},
        {LOCAL_WINDOW, PTX_SPACE_LOCAL},
        {PARAM_WINDOW, PTX_SPACE_PARAM},
    };
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        if (address - windows[i].start < SPACE_WINDOW_BYTES ||
            windows[i].start - address <= SPACE_WINDOW_BYTES) {
            *out_offset = address - windows[i].start;
            return windows[i].space;
        }
    }
    *out_offset = address;
    return PTX_SPACE_GLOBAL;
}

/* The space that a lane's access leads to; the offset in it is put into the lane. */
static uint8_t lane_space(struct lane_access *lane)
{
    lane->offset = lane->address;
    return lane->op->space == PTX_SPACE_GENERIC ? generic_space(lane->address, &lane->offset)
                                                : lane->op->space;
}

static uint8_t *resolve_lane(const struct lane_access *lane, uint8_t space)
{
    uint64_t offset = lane->offset;
    if ((offset & (lane->bytes - 1)) != 0) {
        report(lane, FINDING_RECORD_MISALIGNED, (int64_t)(offset & (lane->bytes - 1)), lane->bytes,
               op_is_texture(lane->op) ? "a surface" : NULL);
        return NULL;
    }
    switch (space) {
    case PTX_SPACE_SHARED:
        return resolve_shared(lane, offset);
    case PTX_SPACE_LOCAL:
        return resolve_local(lane, offset);
    case PTX_SPACE_PARAM:
        return resolve_param(lane, offset);
    default:
        return resolve_window(lane, space == PTX_SPACE_CONST);
    }
}

uint8_t *access_resolve_lane(struct warp *warp, const struct op *op, unsigned lane,
                             uint64_t address, uint32_t bytes, enum finding_record_access access)
{
    struct lane_access one = {
        .warp = warp,
        .op = op,
        .lane = lane,
        .bytes = bytes,
        .address = address,
        .access = access,
    };
    uint8_t space = lane_space(&one);
    return resolve_lane(&one, space);
}

uint8_t *access_peek(struct warp *warp, const struct op *op, unsigned lane,
                     enum finding_record_access access, uint8_t *out_space, uint64_t *out_offset)
{
    struct lane_access one = {
        .warp = warp,
        .op = op,
        .lane = lane,
        .bytes = (uint32_t)op->bytes * op->count,
        .address = access_address(warp, op, lane),
        .access = access,
        .is_peek = true,
    };
    *out_space = lane_space(&one);
    *out_offset = one.offset;
    return resolve_lane(&one, *out_space);
}

/* The lanes whose accesses are valid, by the space that they lead to. */
struct valid_lanes {
    uint32_t asked; /* lanes, valid or not */
    uint32_t bytes; /* of a lane */
    uint32_t masks[PTX_SPACE_PARAM + 1];
    uint64_t offsets[LANES]; /* in that space */
};

/* Logs those in shared memory. An op that is logged for others as well (lower_watch.c) may be not
 * valid where they are, so all of its lanes are logged, and what is valid is sorted out later. */
static void log_lanes(struct warp *warp, const struct op *op, const struct valid_lanes *valid)
{
    uint32_t mask = valid->masks[PTX_SPACE_SHARED];
    uint32_t offsets[LANES];
    if (mask == 0 && op->space != PTX_SPACE_SHARED) {
        return;
    }
    for (unsigned i = 0; i < LANES; i++) {
        bool is_near = valid->offsets[i] + (UINT64_C(1) << 31) < UINT64_C(1) << 32;
        bool is_asked = (valid->asked >> i & 1) != 0 && op->space == PTX_SPACE_SHARED &&
                        !op->is_followed; /* its range is not known later */
        mask |= is_asked && (is_near || !op->address_is_wide) ? UINT32_C(1) << i : 0;
        offsets[i] = (uint32_t)valid->offsets[i];
    }
    race_log_lanes(warp, op, mask, offsets);
}

/* Tells who watches accesses of those that are valid. */
static void watch_lanes(struct warp *warp, const struct op *op, const struct valid_lanes *valid)
{
    static const uint8_t spaces[] = {PTX_SPACE_SHARED, PTX_SPACE_GLOBAL, PTX_SPACE_CONST,
                                     PTX_SPACE_LOCAL};
    if (!op->is_implied) {
        log_lanes(warp, op, valid);
    }
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        uint32_t lanes = valid->masks[spaces[i]];
        if (lanes != 0) {
            const struct op_lanes counted = {lanes, spaces[i], valid->bytes, valid->offsets};
            count_lanes(warp, op, &counted);
        }
    }
}

void access_resolve_at(struct warp *warp, const struct op *op, uint32_t mask,
                       const struct access_wish *wish, uint8_t *where[LANES])
{
    struct lane_access lane = {
        .warp = warp,
        .op = op,
        .bytes = wish->bytes,
        .access = wish->access,
        .asks_written = true,
    };
    struct valid_lanes valid;
    memset(&valid, 0, sizeof valid);
    valid.asked = mask;
    valid.bytes = wish->bytes;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        lane.lane = (unsigned)__builtin_ctz(left);
        lane.address = wish->addresses[lane.lane];
        uint8_t space = lane_space(&lane);
        where[lane.lane] = resolve_lane(&lane, space);
        valid.masks[space] |= where[lane.lane] != NULL ? UINT32_C(1) << lane.lane : 0;
        valid.offsets[lane.lane] = lane.offset;
    }
    if (warp->worker->is_watched) {
        watch_lanes(warp, op, &valid);
    }
    if (warp->block->launch->global_races != NULL && valid.masks[PTX_SPACE_GLOBAL] != 0) {
        const struct access_wish found = {valid.offsets, wish->bytes, wish->access};
        global_race_access(warp, op, valid.masks[PTX_SPACE_GLOBAL], &found);
    }
}

void access_resolve(struct warp *warp, const struct op *op, uint32_t mask,
                    enum finding_record_access access, uint8_t *where[LANES])
{
    uint64_t addresses[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        addresses[i] = access_address(warp, op, i);
    }
    const struct access_wish wish = {addresses, (uint32_t)op->bytes * op->count, access};
    access_resolve_at(warp, op, mask, &wish, where);
}

/* An access of a lane to whatever address. */
static struct lane_access access_at(struct warp *warp, const struct op *op, unsigned lane,
                                    uint64_t address)
{
    return (struct lane_access){
        .warp = warp,
        .op = op,
        .lane = lane,
        .bytes = (uint32_t)op->bytes * op->count,
        .address = address,
        .access = op_access(op),
    };
}

void access_report_texture(struct warp *warp, const struct op *op, unsigned lane, uint64_t address)
{
    const struct window_memory *memory = warp->block->launch->memory;
    const struct lane_access one = access_at(warp, op, lane, address);
    if (window_find(memory, address) == NULL && window_find_freed(memory, address) != NULL) {
        report_outside(&one, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
    } else {
        report(&one, FINDING_RECORD_BAD_TEXTURE, 0, 0, NULL);
    }
}

void access_report_beyond(struct warp *warp, const struct op *op, unsigned lane,
                          const struct access_beyond *beyond)
{
    const struct lane_access one = access_at(warp, op, lane, beyond->address);
    int64_t distance = beyond->at_bytes;
    if (distance >= 0) {
        uint64_t at = (uint64_t)distance;
        distance = at < beyond->part_bytes ? 0 : (int64_t)(at - beyond->part_bytes);
    }
    report(&one, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS, distance, beyond->part_bytes, beyond->part);
}

uint64_t access_stored_bits(const struct warp *warp, const struct op *op, unsigned element,
                            unsigned lane)
{
    const uint8_t *slot = warp->file + op->slot[element];
    uint64_t value = op->slot_bytes == 8 ? ((const uint64_t *)(const void *)slot)[lane]
                                         : ((const uint32_t *)(const void *)slot)[lane];

    return op->bytes == 8 ? value : value & ((UINT64_C(1) << 8 * op->bytes) - 1);
}
