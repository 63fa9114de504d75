/* control_flow.c: what changes the program counter, the paths or the lives of threads. */
#include "device/emulated/exec/barriers.h"
#include "device/emulated/exec/call_stack.h"
#include "device/emulated/exec/device_calls.h"
#include "device/emulated/exec/exchange.h"
#include "device/emulated/exec/paths.h"
#include "device/emulated/libdevice/libdevice.h"
#include "device/emulated/memory/access_counts.h"
#include "device/emulated/memory/async_copies.h"

static void run_BRANCH(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct op *target = warp->block->launch->code->ops + op->target;
    warp_count_through(warp, op);
    if ((op->flags & OP_GUARDED) != 0 && warp->worker->is_watched) {
        count_branch(warp, op, warp->active, mask);
    }
    if (mask == warp->active) {
        warp_jump(warp, target);
    } else if (mask == 0) {
        warp_jump(warp, op + 1);
    } else {
        warp_split(warp, mask, target);
        warp->pc = op + 1;
        warp_schedule(warp);
    }
}

/* brx.idx: an index beyond the table has no meaning in PTX; it takes the last target. */
static void run_BRANCH_TABLE(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct kernel_code *code = warp->block->launch->code;
    const uint32_t *indices = (const uint32_t *)(const void *)(warp->file + op->slot[1]);
    warp_count_through(warp, op);
    uint32_t left = mask;
    bool others_go_on = mask != warp->active;
    while (left != 0) {
        uint32_t index = indices[__builtin_ctz(left)];
        uint32_t same = 0;
        for (uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
            same |= indices[__builtin_ctz(lanes)] == index ? lanes & -lanes : 0;
        }
        left &= ~same;
        uint32_t entry = index < op->target ? index : op->target - 1;
        const struct op *target = code->ops + code->targets[op->pattern + entry];
        if (left == 0 && !others_go_on) {
            warp_jump(warp, target);
            return;
        }
        warp_split(warp, same, target);
    }
    warp->pc = op + 1;
    warp_schedule(warp);
}

static void run_EXIT(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct block *block = warp->block;
    warp_count_through(warp, op);
    warp->pc = op + 1;
    if (mask == 0) {
        warp_jump(warp, op + 1);
        return;
    }
    copies_exit(warp, mask);
    warp_exit_lanes(warp, mask);
    block->alive -= (uint32_t)__builtin_popcount(mask);
    block->progress++;
    if (block->alive == 0) {
        block->state = BLOCK_DONE;
    }
    warp_current(warp);
    barriers_after_exit(warp, op, mask);
    warp_schedule(warp);
}

static void stop_at(struct warp *warp, const struct op *op, uint32_t mask,
                    enum finding_record_kind kind)
{
    warp_count_until(warp, op);
    if (mask == 0) {
        warp_jump(warp, op + 1);
        return;
    }
    struct path here = {.pc = op, .mask = mask};
    block_report(warp, kind, &here, FINDING_RECORD_NO_ACCESS, NULL, NULL,
                 (uint64_t)__builtin_popcount(mask));
    warp_fail_lanes(warp, op, mask, kind == FINDING_RECORD_TRAP ? BLOCK_FAULT : BLOCK_UNSUPPORTED);
}

static void run_TRAP(struct warp *warp, const struct op *op, uint32_t mask)
{
    stop_at(warp, op, mask, FINDING_RECORD_TRAP);
}

static void run_UNKNOWN(struct warp *warp, const struct op *op, uint32_t mask)
{
    stop_at(warp, op, mask, FINDING_RECORD_UNKNOWN_INSTRUCTION);
}

static void run_YIELD(struct warp *warp, const struct op *op, uint32_t mask)
{
    (void)mask;
    warp->has_polled = true;
    warp_count_through(warp, op);
    warp->pc = op + 1;
    warp_count_from(warp, warp->pc);
    warp_current(warp);
    warp->ticks = 0;
    warp->suspended = true;
}

static void run_ACTIVE_MASK(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint32_t *d = (uint32_t *)(void *)(warp->file + op->slot[0]);
    warp_count_through(warp, op);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        d[__builtin_ctz(left)] = mask;
    }
    warp_jump(warp, op + 1);
}

op_handler *const control_handlers[OP_CODE_COUNT] = {
    [OP_BRANCH] = run_BRANCH,
    [OP_BRANCH_TABLE] = run_BRANCH_TABLE,
    [OP_EXIT] = run_EXIT,
    [OP_TRAP] = run_TRAP,
    [OP_UNKNOWN] = run_UNKNOWN,
    [OP_YIELD] = run_YIELD,
    [OP_BARRIER] = barrier_run,
    [OP_WARP_SYNC] = warp_sync_run,
    [OP_SHUFFLE] = shuffle_run,
    [OP_VOTE] = vote_run,
    [OP_ACTIVE_MASK] = run_ACTIVE_MASK,
    [OP_MATCH] = match_run,
    [OP_REDUCE] = reduce_run,
    [OP_WARP_JOIN] = join_run,
    [OP_CALL] = call_run,
    [OP_RETURN] = return_run,
    [OP_PRINT] = print_run,
    [OP_ASSERT_FAIL] = assert_fail_run,
    [OP_MALLOC] = malloc_run,
    [OP_FREE] = free_run,
    [OP_LIBDEVICE] = libdevice_run,
    [OP_UNKNOWN_CALL] = unknown_call_run,
};
