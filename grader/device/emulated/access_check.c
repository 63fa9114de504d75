/* access_check.c: see access_check.h. */
#include "device/emulated/access_check.h"

#include "device/emulated/order_watch.h"

#include "device/emulated/finding_table.h"

/* What is known of one lane's access. */
struct lane_access {
    struct warp *warp;
    const struct op *op;
    unsigned lane;
    uint32_t bytes;
    uint64_t address; /* as the program formed it */
    enum finding_record_access access;
};

static void report(const struct lane_access *lane, enum finding_record_kind kind,
                   int64_t distance_bytes, uint64_t object_bytes, const char *object)
{
    const struct warp *warp = lane->warp;
    struct fault fault = {
        .kind = kind,
        .places[0] = {lane->op, lane->access, warp->index * LANES + lane->lane},
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

/* The tile that an offset in shared memory lies in, or the nearest one. */
static const struct shared_tile *nearest_tile(const struct kernel_code *code, uint64_t offset)
{
    const struct shared_tile *nearest = NULL;
    for (size_t i = 0; i < code->tile_count; i++) {
        if (nearest == NULL || code->tiles[i].start <= offset) {
            nearest = &code->tiles[i];
        }
    }
    return nearest;
}

static uint8_t *resolve_shared(const struct lane_access *lane, uint64_t offset)
{
    const struct launch *launch = lane->warp->block->launch;
    uint64_t size = launch->shared_bytes;
    if (offset < size && lane->bytes <= size - offset) {
        return lane->warp->block->shared + offset;
    }
    /* a tile without a size of its own is the dynamic one: it goes on to the end */
    const struct shared_tile *tile = nearest_tile(launch->code, offset);
    uint64_t start = tile != NULL ? tile->start : 0;
    uint64_t end = tile != NULL && tile->bytes != 0 ? tile->start + tile->bytes : size;
    end = end < start ? start : end;
    report(lane, FINDING_RECORD_SHARED_OUT_OF_BOUNDS, distance_from(offset, start, end),
           end - start, tile != NULL ? tile->name : NULL);
    return NULL;
}

static uint8_t *resolve_local(const struct lane_access *lane, uint64_t offset)
{
    const struct block *block = lane->warp->block;
    uint64_t size = block->launch->code->local_bytes;
    if (offset < size && lane->bytes <= size - offset) {
        uint64_t thread = (uint64_t)lane->warp->index * LANES + lane->lane;
        return block->local + thread * size + offset;
    }
    report(lane, FINDING_RECORD_LOCAL_OUT_OF_BOUNDS, distance_from(offset, 0, size), size, NULL);
    return NULL;
}

static uint8_t *resolve_param(const struct lane_access *lane, uint64_t offset)
{
    static const uint8_t nothing[16];
    const struct launch *launch = lane->warp->block->launch;
    uint64_t size = launch->code->function->parameter_bytes;
    bool fits = offset < size && lane->bytes <= size - offset;
    if (!fits || lane->access != FINDING_RECORD_READ) {
        report(lane, fits ? FINDING_RECORD_WRITE_TO_CONSTANT : FINDING_RECORD_PARAM_OUT_OF_BOUNDS,
               distance_from(offset, 0, size), size, NULL);
        return NULL;
    }
    const uint8_t *parameters = launch->parameters != NULL ? launch->parameters : nothing;
    return (uint8_t *)(uintptr_t)(parameters + offset);
}

/* Tells what is wrong with an address that lies in no block. */
static void report_outside(const struct lane_access *lane)
{
    const struct window_memory *memory = lane->warp->block->launch->memory;
    uint64_t address = lane->address;
    if (address < NULL_POINTER_END) {
        report(lane, FINDING_RECORD_NULL_POINTER, (int64_t)address, 0, NULL);
        return;
    }
    if (address - DEVICE_WINDOW_START >= DEVICE_WINDOW_BYTES) {
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
        report(lane, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS, 0, 0, NULL);
        return;
    }
    report(lane, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS,
           distance_from(address, nearest->start, nearest->end), nearest->end - nearest->start,
           NULL);
}

static uint8_t *resolve_window(const struct lane_access *lane, bool is_constant_space)
{
    const struct window_memory *memory = lane->warp->block->launch->memory;
    struct window_block *block = window_find(memory, lane->address);
    if (block == NULL) {
        report_outside(lane);
        return NULL;
    }
    if (lane->bytes > block->end - lane->address || (is_constant_space && !block->is_constant)) {
        report(lane,
               is_constant_space ? FINDING_RECORD_CONSTANT_OUT_OF_BOUNDS
                                 : FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS,
               distance_from(lane->address, block->start, block->end), block->end - block->start,
               NULL);
        return NULL;
    }
    if (lane->access != FINDING_RECORD_READ) {
        if (block->is_constant) {
            report(lane, FINDING_RECORD_WRITE_TO_CONSTANT, 0, block->end - block->start, NULL);
            return NULL;
        }
        window_mark_written(block);
    }
    struct order_watch *watch = lane->warp->block->launch->watch;
    if (watch != NULL && lane->access == FINDING_RECORD_READ) {
        order_watch_load(watch, block);
    } else if (watch != NULL) {
        order_watch_store(watch, block, lane->address, lane->bytes, lane->warp->block->linear);
    }
    return window_host(memory, lane->address);
}

/* The space that a generic address leads to, and the offset in it. */
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
        if (address - windows[i].start < SPACE_WINDOW_BYTES) {
            *out_offset = address - windows[i].start;
            return windows[i].space;
        }
    }
    *out_offset = address;
    return PTX_SPACE_GLOBAL;
}

static uint8_t *resolve_lane(const struct lane_access *lane)
{
    uint64_t offset = lane->address;
    uint8_t space = lane->op->space;
    if (space == PTX_SPACE_GENERIC) {
        space = generic_space(lane->address, &offset);
    }
    if ((offset & (lane->bytes - 1)) != 0) {
        report(lane, FINDING_RECORD_MISALIGNED, (int64_t)(offset & (lane->bytes - 1)), lane->bytes,
               NULL);
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

void access_resolve(struct warp *warp, const struct op *op, uint32_t mask,
                    enum finding_record_access access, uint8_t *where[LANES])
{
    struct lane_access lane = {
        .warp = warp,
        .op = op,
        .bytes = (uint32_t)op->bytes * op->count,
        .access = access,
    };
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        lane.lane = (unsigned)__builtin_ctz(left);
        lane.address = access_address(warp, op, lane.lane);
        where[lane.lane] = resolve_lane(&lane);
    }
}
