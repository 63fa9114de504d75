/* step_log.c: see step_log.h. */
#include "device/emulated/memory/step_log.h"

#include "device/emulated/memory/access_check.h"
#include "device/emulated/memory/access_counts.h"

#include <stdlib.h>
#include <string.h>

static struct step_region *add_region(struct step_log *log, uint32_t space, uint64_t start,
                                      uint64_t bytes)
{
    if (log->region_count == STEP_REGIONS_MAX) {
        return NULL;
    }
    struct step_region *region = &log->regions[log->region_count++];

    *region = (struct step_region){.space = space, .start = start, .bytes = bytes};
    return region;
}

struct step_log *step_log_new(const struct kernel_code *code, uint64_t block)
{
    struct step_log *log = calloc(1, sizeof *log);

    if (log == NULL) {
        abort();
    }
    op_tap_init(&log->tap, code);
    log->block = block;
    text_init(&log->records);
    return log;
}

void step_log_free(struct step_log *log)
{
    if (log != NULL) {
        op_tap_release(&log->tap);
        text_release(&log->records);
        free(log);
    }
}

static bool is_logged(const struct warp *warp)
{
    const struct launch *launch = warp->block->launch;

    return warp->block->linear == launch->steps->block && !launch->is_unwatched;
}

static void keep(struct step_log *log, const struct step_record *record)
{
    log->total++;
    /* once one does not fit, none does: what is kept has no gaps */
    if (log->kept + 1 == log->total && log->records.length < STEP_PAYLOAD_MAX) {
        step_record_pack(record, &log->records);
        log->kept++;
    }
}

static struct step_record begin_record(struct warp *warp, const struct op *op, uint32_t kind)
{
    return (struct step_record){
        .kind = kind,
        .warp = warp->index,
        .place = op_tap_place(&warp->block->launch->steps->tap, op),
    };
}

/* Notes the allocation that an address lies in. */
static void note_region(struct step_log *log, const struct window_memory *memory, uint64_t address)
{
    for (size_t i = log->region_count; i-- > 0;) {
        const struct step_region *region = &log->regions[i];
        if (region->space == TRACE_RECORD_GLOBAL && address - region->start < region->bytes) {
            return;
        }
    }
    const struct window_block *block = window_find(memory, address);
    if (block != NULL) {
        add_region(log, TRACE_RECORD_GLOBAL, block->start, block->end - block->start);
    }
}

/* An access of a warp leads to one space, or to two by generic addresses: then it is two steps. */
static void log_access(struct warp *warp, const struct op *op, uint32_t mask)
{
    static const uint32_t kinds[] = {
        [FINDING_RECORD_READ] = STEP_RECORD_READ,
        [FINDING_RECORD_WRITE] = STEP_RECORD_WRITE,
        [FINDING_RECORD_ATOMIC] = STEP_RECORD_ATOMIC,
    };
    struct step_log *log = warp->block->launch->steps;
    struct step_record records[2];

    for (uint32_t space = 0; space < 2; space++) {
        records[space] = begin_record(warp, op, kinds[op_access(op)]);
        records[space].space = space;
        records[space].bytes = (uint32_t)op->bytes * op->count;
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint8_t space = 0;
        uint64_t offset = 0;
        bool is_valid = access_peek(warp, op, lane, op_access(op), &space, &offset) != NULL;
        bool is_shared = space == PTX_SPACE_SHARED;
        struct step_record *record = &records[is_shared];

        if (!is_shared && space != PTX_SPACE_GLOBAL && space != PTX_SPACE_CONST) {
            continue;
        }
        record->lanes |= UINT32_C(1) << lane;
        record->other |= is_valid ? 0 : UINT32_C(1) << lane;
        record->addresses[lane] = offset;
        if (is_valid && !is_shared) {
            note_region(log, warp->block->launch->memory, offset);
        }
    }
    for (uint32_t space = 0; space < 2; space++) {
        if (records[space].lanes != 0) {
            keep(log, &records[space]);
        }
    }
}

static void run_access(struct warp *warp, const struct op *op, uint32_t mask)
{
    if (is_logged(warp)) {
        log_access(warp, op, mask);
    }
    op_tap_run(warp, op, mask);
}

/* The number of the barrier that an op names, the same for all lanes. */
static uint32_t barrier_number(const struct warp *warp, const struct op *op, uint32_t mask)
{
    const uint32_t *numbers = (const uint32_t *)(const void *)(warp->file + op->slot[1]);

    return numbers[__builtin_ctz(mask)] % BARRIERS;
}

/* The barrier that some waited at before, and none does now; BARRIERS: there is none. */
static uint32_t find_released(const struct barrier before[BARRIERS], const struct block *block)
{
    uint32_t i = 0;

    while (i < BARRIERS && (before[i].arrived == 0 || block->barriers[i].arrived != 0)) {
        i++;
    }
    return i;
}

/* A barrier, or an exit, which some may wait for as for an arrival. */
static void run_arrival(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct block *block = warp->block;
    bool is_exit = op->code == OP_EXIT;

    if (mask == 0 || !is_logged(warp)) {
        op_tap_run(warp, op, mask);
        return;
    }
    struct step_record record =
        begin_record(warp, op, is_exit ? STEP_RECORD_EXIT : STEP_RECORD_BARRIER);
    struct barrier before[BARRIERS];

    record.lanes = mask;
    memcpy(before, block->barriers, sizeof before);
    if (!is_exit) {
        record.other = barrier_number(warp, op, mask);
        before[record.other].arrived++;
    }
    op_tap_run(warp, op, mask);
    uint32_t released = find_released(before, block);
    record.releases = released < BARRIERS;
    record.other = is_exit && record.releases ? released : record.other;
    record.other |= !is_exit && op->kind == PTX_SUB_ARRIVE ? STEP_ARRIVES_ONLY : 0;
    keep(block->launch->steps, &record);
}

/* Only where lanes part: other branches change nothing that is to be seen. */
static void run_branch(struct warp *warp, const struct op *op, uint32_t mask)
{
    if (mask != 0 && mask != warp->active && is_logged(warp)) {
        struct step_record record = begin_record(warp, op, STEP_RECORD_BRANCH);

        record.lanes = mask;
        record.other = warp->active;
        keep(warp->block->launch->steps, &record);
    }
    op_tap_run(warp, op, mask);
}

static op_handler *handler_of(const struct op *op)
{
    if (op_is_memory(op)) {
        return run_access;
    }
    switch (op->code) {
    case OP_BARRIER:
    case OP_EXIT:
        return run_arrival;
    case OP_BRANCH:
        return run_branch;
    default:
        return op->run;
    }
}

void step_log_tap(struct step_log *log, struct launch *launch)
{
    const struct kernel_code *code = log->tap.code;

    for (size_t i = 0; i < code->op_count; i++) {
        log->tap.ops[i].run = handler_of(&code->ops[i]);
    }
    for (size_t i = 0; i < code->tile_count; i++) {
        const struct shared_tile *tile = &code->tiles[i];
        uint64_t end = tile->is_dynamic ? launch->shared_bytes : tile->start + tile->bytes;
        struct step_region *region =
            end <= tile->start
                ? NULL
                : add_region(log, TRACE_RECORD_SHARED, tile->start, end - tile->start);
        if (region != NULL) {
            memcpy(region->name, tile->name, strnlen(tile->name, sizeof region->name - 1));
        }
    }
    launch->code = &log->tap.tapped;
    launch->steps = log;
}
