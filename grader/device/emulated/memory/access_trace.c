/* access_trace.c: see access_trace.h. */
#include "device/emulated/memory/access_trace.h"

#include "device/emulated/exec/launch_work.h"
#include "device/emulated/memory/access_check.h"
#include "device/emulated/memory/access_counts.h"
#include "wire/trace_record.h"

#include <string.h>

void access_trace_init(struct access_trace *trace, const struct kernel_code *code, uint64_t address,
                       uint64_t bytes)
{
    *trace = (struct access_trace){.address = address, .bytes = bytes, .has_all = true};
    op_tap_init(&trace->tap, code);
    text_init(&trace->records);
}

void access_trace_release(struct access_trace *trace)
{
    op_tap_release(&trace->tap);
    text_release(&trace->records);
}

static bool is_window(uint8_t space)
{
    return space == PTX_SPACE_GLOBAL || space == PTX_SPACE_CONST;
}

/* True if a lane's access is going to write some of the watched bytes. */
static bool writes_watched(const struct access_trace *trace, struct warp *warp, const struct op *op,
                           unsigned lane)
{
    uint64_t address = access_address(warp, op, lane);
    uint64_t bytes = (uint64_t)op->bytes * op->count;
    uint8_t space = 0;
    uint64_t offset = 0;
    bool overlaps = address < trace->address ? trace->address - address < bytes
                                             : address - trace->address < trace->bytes;

    return overlaps && access_peek(warp, op, lane, op_access(op), &space, &offset) != NULL &&
           is_window(space);
}

/* Stores and atomics of the run that finds the block. */
static void run_found(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct launch *launch = warp->block->launch;
    struct access_trace *trace = launch->trace;

    for (uint32_t left = mask; left != 0 && !trace->is_found; left &= left - 1) {
        if (writes_watched(trace, warp, op, (unsigned)__builtin_ctz(left))) {
            trace->is_found = true;
            trace->block = warp->block->linear;
            launch_stop(launch, STOP_UNWANTED);
        }
    }
    op_tap_run(warp, op, mask);
}

/* A lane's access: where it leads to, NULL if it is not valid or goes to memory that is not logged.
 */
struct lane_target {
    const uint8_t *host;
    uint8_t space;
    uint64_t offset;
};

static struct lane_target find_target(struct warp *warp, const struct op *op, unsigned lane)
{
    struct lane_target target;

    target.host = access_peek(warp, op, lane, op_access(op), &target.space, &target.offset);
    if (!is_window(target.space) && target.space != PTX_SPACE_SHARED) {
        target.host = NULL;
    }
    return target;
}

/* Logs each element of a lane's access; what is read is taken from memory as it is now. */
static void log_lane(struct warp *warp, const struct op *op, unsigned lane,
                     const struct lane_target *target)
{
    struct access_trace *trace = warp->block->launch->trace;
    struct trace_record record = {
        .thread = warp->index * LANES + lane,
        .space = target->space == PTX_SPACE_SHARED ? TRACE_RECORD_SHARED : TRACE_RECORD_GLOBAL,
        .access = op_access(op),
        .bytes = op->bytes,
    };

    for (unsigned k = 0; k < op->count; k++) {
        uint8_t packed[TRACE_RECORD_BYTES];

        if (trace->record_count == TRACE_RECORDS_MAX) {
            trace->has_all = false;
            return;
        }
        record.place = op_tap_place(&trace->tap, op);
        record.where = target->offset + (uint64_t)k * op->bytes;
        record.bits = 0;
        if (record.access == FINDING_RECORD_WRITE) {
            record.bits = access_stored_bits(warp, op, k, lane);
        } else {
            memcpy(&record.bits, target->host + (size_t)k * op->bytes, op->bytes);
        }
        trace_record_pack(&record, packed);
        text_append_bytes(&trace->records, packed, sizeof packed);
        trace->record_count++;
    }
}

/* Lane by lane, in the order in which all of them would run: what memory holds after each is the
 * value. It takes no more of the warp's turn than one op does. */
static void log_atomic(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint32_t ticks = warp->ticks;

    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        struct lane_target target = find_target(warp, op, lane);

        warp->ticks = ticks;
        op_tap_run(warp, op, UINT32_C(1) << lane);
        if (target.host != NULL) {
            log_lane(warp, op, lane, &target);
        }
    }
}

/* Loads, stores and atomics of the run that logs the block. */
static void run_logged(struct warp *warp, const struct op *op, uint32_t mask)
{
    if (warp->block->linear != warp->block->launch->trace->block) {
        op_tap_run(warp, op, mask);
        return;
    }
    if (op->code == OP_ATOMIC || op->code == OP_MBARRIER) {
        log_atomic(warp, op, mask);
        return;
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        struct lane_target target = find_target(warp, op, lane);

        if (target.host != NULL) {
            log_lane(warp, op, lane, &target);
        }
    }
    op_tap_run(warp, op, mask);
}

/* Gives the ops that reach memory their handlers: all of them, or those that write. */
static void set_handlers(struct access_trace *trace, struct launch *launch, op_handler *handler,
                         bool for_reads)
{
    for (size_t i = 0; i < trace->tap.code->op_count; i++) {
        const struct op *op = &trace->tap.code->ops[i];
        bool is_traced = op_is_memory(op) && (for_reads || op_access(op) != FINDING_RECORD_READ);

        trace->tap.ops[i].run = is_traced ? handler : op->run;
    }
    launch->code = &trace->tap.tapped;
    launch->trace = trace;
    launch->shuffle_seed = 0;
    launch->is_unwatched = true;
}

void access_trace_find(struct access_trace *trace, struct launch *launch)
{
    set_handlers(trace, launch, run_found, false);
}

void access_trace_log(struct access_trace *trace, struct launch *launch)
{
    set_handlers(trace, launch, run_logged, true);
    if (!trace->tap.code->runs_in_order) {
        launch->blocks = trace->block + 1;
    }
}
