/* block_run.c: see block_run.h. */
#include "device/emulated/exec/block_run.h"

#include "device/emulated/exec/barriers.h"
#include "device/emulated/exec/call_stack.h"
#include "device/emulated/exec/endless.h"
#include "device/emulated/exec/exchange.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/exec/paths.h"
#include "device/emulated/exec/shuffle.h"
#include "device/emulated/exec/unwritten.h"
#include "device/emulated/memory/async_copies.h"
#include "device/emulated/race/race_watch.h"
#include "device/emulated/race/thread_order.h"
#include "device/emulated/race/touch_watch.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static void *allocate(uint64_t bytes)
{
    uint64_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *memory = aligned_alloc(ALIGNMENT, rounded == 0 ? ALIGNMENT : rounded);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* Puts a value into all lanes of a slot. */
static void fill_slot(uint8_t *slot, unsigned bytes, uint64_t value)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (bytes == 8) {
            ((uint64_t *)(void *)slot)[lane] = value;
        } else {
            ((uint32_t *)(void *)slot)[lane] = (uint32_t)value;
        }
    }
}

static void fill_constant(uint8_t *file, const struct slot_constant *constant)
{
    uint8_t *slot = file + constant->slot;
    if (constant->is_predicate) {
        *(uint32_t *)(void *)slot = (uint32_t)constant->bits;
        return;
    }
    fill_slot(slot, constant->bytes, constant->bits);
}

/* The value of a special register in a lane (PTX ISA, chapter 10). */
static uint64_t special_value(const struct warp *warp, uint8_t special, unsigned lane)
{
    const struct block *block = warp->block;
    const struct launch *launch = block->launch;
    const uint32_t *size = launch->request->block;
    const uint32_t *grid = launch->request->grid;
    uint32_t thread = warp->index * LANES + lane;
    switch (special) {
    case PTX_SPECIAL_TID_X:
        return thread % size[0];
    case PTX_SPECIAL_TID_Y:
        return thread / size[0] % size[1];
    case PTX_SPECIAL_TID_Z:
        return thread / size[0] / size[1];
    case PTX_SPECIAL_NTID_X:
    case PTX_SPECIAL_NTID_Y:
    case PTX_SPECIAL_NTID_Z:
        return size[special - PTX_SPECIAL_NTID_X];
    case PTX_SPECIAL_CTAID_X:
    case PTX_SPECIAL_CTAID_Y:
    case PTX_SPECIAL_CTAID_Z:
        return block->index[special - PTX_SPECIAL_CTAID_X];
    case PTX_SPECIAL_NCTAID_X:
    case PTX_SPECIAL_NCTAID_Y:
    case PTX_SPECIAL_NCTAID_Z:
        return grid[special - PTX_SPECIAL_NCTAID_X];
    case PTX_SPECIAL_LANEID:
        return lane;
    case PTX_SPECIAL_WARPID:
        return warp->index;
    case PTX_SPECIAL_NWARPID:
        return launch->warp_count;
    case PTX_SPECIAL_SMID:
        return block->linear % launch->multiprocessors;
    case PTX_SPECIAL_NSMID:
        return launch->multiprocessors;
    case PTX_SPECIAL_LANEMASK_EQ:
        return UINT32_C(1) << lane;
    case PTX_SPECIAL_LANEMASK_LT:
        return (UINT32_C(1) << lane) - 1;
    case PTX_SPECIAL_LANEMASK_LE:
        return ((UINT64_C(1) << lane) << 1) - 1;
    case PTX_SPECIAL_LANEMASK_GE:
        return (uint32_t) ~((UINT32_C(1) << lane) - 1);
    case PTX_SPECIAL_LANEMASK_GT:
        return (uint32_t) ~(((UINT64_C(1) << lane) << 1) - 1);
    case PTX_SPECIAL_DYNAMIC_SMEM_SIZE:
        return launch->request->dynamic_shared_bytes;
    case PTX_SPECIAL_TOTAL_SMEM_SIZE:
        return launch->shared_bytes;
    case PTX_SPECIAL_ENVREG1:
        return launch->workspace >> 32;
    case PTX_SPECIAL_ENVREG2:
        return (uint32_t)launch->workspace;
    case PTX_SPECIAL_WARP_SZ:
        return LANES;
    default:
        return 0;
    }
}

static void fill_special(struct warp *warp, const struct slot_special *special)
{
    uint8_t *slot = warp->file + special->slot;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t value = special_value(warp, special->special, lane);
        if (special->bytes == 8) {
            ((uint64_t *)(void *)slot)[lane] = value;
        } else {
            ((uint32_t *)(void *)slot)[lane] = (uint32_t)value;
        }
    }
}

/* What the warps of a block keep beside registers that are followed. */
static uint64_t followed_bytes(const struct block *block)
{
    uint64_t registers = block->launch->code->followed_count;
    return registers * LANES * sizeof *block->followed * block->warp_count;
}

struct block *block_new(struct launch *launch, struct worker *worker)
{
    const struct kernel_code *code = launch->code;
    struct block *block = allocate(sizeof *block);
    memset(block, 0, sizeof *block);
    block->launch = launch;
    block->worker = worker;
    block->warp_count = launch->warp_count;
    uint64_t file_bytes = (code->file_bytes + (uint64_t)ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block->warps = allocate(sizeof *block->warps * block->warp_count);
    block->files = allocate(file_bytes * block->warp_count);
    block->followed = allocate(followed_bytes(block));
    block->unwritten_uses = allocate(code->site_count);
    memset(block->unwritten_uses, 0, code->site_count);
    block->shared_bytes = launch->shared_bytes;
    block->shared = allocate(launch->shared_bytes);
    uint64_t local_bytes = code->local_bytes * launch->warp_count * LANES;
    block->local_chunks = (local_bytes + LOCAL_CHUNK - 1) / LOCAL_CHUNK;
    block->local = allocate(block->local_chunks * LOCAL_CHUNK);
    block->local_touched = allocate(block->local_chunks);
    memset(block->warps, 0, sizeof *block->warps * block->warp_count);
    stacks_new(block);
    block->races = race_log_new(block);
    block->copies = copy_queues_new(block);
    block->exits = allocate(sizeof *block->exits * launch->threads);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        warp->file = block->files + file_bytes * w;
        warp->followed = block->followed + (size_t)code->followed_count * LANES * w;
        warp->index = w;
        warp->block = block;
        warp->worker = worker;
        memset(warp->file, 0, file_bytes);
        for (size_t i = 0; i < code->constant_count; i++) {
            fill_constant(warp->file, &code->constants[i]);
        }
        for (size_t i = 0; i < code->special_count; i++) {
            fill_special(warp, &code->specials[i]);
        }
    }
    return block;
}

void block_free(struct block *block)
{
    if (block != NULL) {
        stacks_free(block);
        free(block->warps);
        free(block->files);
        free(block->followed);
        free(block->unwritten_uses);
        free(block->shared);
        free(block->local);
        free(block->local_touched);
        race_log_free(block->races);
        copy_queues_free(block->copies, block->warp_count);
        free(block->exits);
        free(block);
    }
}

/* What differs from block to block, and is the same in all of its threads. */
static bool is_of_block(const struct slot_special *special)
{
    return (special->special >= PTX_SPECIAL_CTAID_X && special->special <= PTX_SPECIAL_CTAID_Z) ||
           special->special == PTX_SPECIAL_SMID;
}

static void fill_special_of_block(struct block *block, const struct slot_special *special)
{
    uint64_t value = special_value(&block->warps[0], special->special, 0);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        fill_slot(block->warps[w].file + special->slot, special->bytes, value);
    }
}

/* What it takes to begin a block. */
static uint64_t start_work(const struct block *block)
{
    const struct launch *launch = block->launch;
    uint64_t registers = (uint64_t)launch->code->register_bytes * launch->warp_count;
    return (launch->shared_bytes + registers + block->local_chunks) / CLEAR_BYTES;
}

void block_start(struct block *block, uint64_t linear)
{
    const struct launch *launch = block->launch;
    const struct kernel_code *code = launch->code;
    const uint32_t *grid = launch->request->grid;
    block->linear = linear;
    block->index[0] = (uint32_t)(linear % grid[0]);
    block->index[1] = (uint32_t)(linear / grid[0] % grid[1]);
    block->index[2] = (uint32_t)(linear / grid[0] / grid[1]);
    block->state = BLOCK_RUNS;
    block->failure = BLOCK_RUNS;
    block->alive = launch->threads;
    block->idle_warp_instructions = 0;
    block->idle_lane_instructions = 0;
    block->warp_instructions = 0;
    block->lane_instructions = 0;
    block->barrier_arrivals = 0;
    block->work = start_work(block);
    block->added_work = 0;
    block->worker->waiting_work = 0;
    block->look_work = ENDLESS_FIRST_WORK;
    block->skipped_time = 0;
    block->unwritten_count = 0;
    block->exit_count = 0;
    block->rounds = 0;
    block->progress = 0;
    stacks_start(block);
    memset(block->barriers, 0, sizeof block->barriers);
    memset(block->followed, 0, followed_bytes(block));
    window_poison(block->shared, launch->shared_bytes);
    memset(block->local_touched, 0, block->local_chunks);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        uint32_t left = launch->threads - w * LANES;
        memcpy(warp->file, block->worker->registers, code->register_bytes);
        warp_start(warp, left < LANES ? left : LANES);
    }
    for (size_t i = 0; i < code->special_count; i++) {
        const struct slot_special *special = &code->specials[i];
        if (is_of_block(special)) {
            fill_special_of_block(block, special);
        }
    }
    copy_queues_start(block);
    race_block_start(block);
    thread_order_start(launch->thread_order, linear);
}

/* Adds the work of the block since the last time; true if the launch has to stop. */
static bool add_work(struct block *block)
{
    worker_add_work(block->worker, block->work - block->added_work);
    block->added_work = block->work;
    return launch_must_stop(block->worker);
}

/* Runs the turn that a warp has begun to its end. */
static void run_turn(struct warp *warp)
{
    while (!warp->suspended) {
        if (warp->trail != NULL) {
            unwritten_turn(warp);
        } else if (warp->watch != NULL) {
            endless_turn(warp);
        } else {
            warp->block->launch->variant->run(warp);
        }
    }
}

/* Gives each warp that can run a turn; false if none can. */
static bool run_warps(struct block *block)
{
    bool any_ran = false;
    uint64_t seed =
        shuffle_seed(shuffle_seed(block->launch->shuffle_seed, block->linear), block->rounds++);
    for (uint32_t w = 0; w < block->warp_count && block->state == BLOCK_RUNS; w++) {
        struct warp *warp = &block->warps[shuffle_index(seed, w, block->warp_count)];
        uint64_t before = block->work;
        const uint64_t warps_before = block->warp_instructions;
        const uint64_t lanes_before = block->lane_instructions;
        block->work += IDLE_WORK;
        if (warp_begin_turn(warp)) {
            any_ran = true;
            block->work += TURN_WORK;
            run_turn(warp);
            if (!warp->has_polled || warp->has_acted) {
                block->worker->waiting_work = 0;
            } else {
                block->idle_warp_instructions += block->warp_instructions - warps_before;
                block->idle_lane_instructions += block->lane_instructions - lanes_before;
            }
            if (block->state == BLOCK_RUNS && warp->ticks == 0 && add_work(block)) {
                block->state = BLOCK_DEADLINE;
            }
        }
        block->worker->waiting_work += block->work - before;
    }
    return any_ran;
}

bool block_run_round(struct block *block)
{
    if (launch_must_stop(block->worker)) {
        block->state = BLOCK_DEADLINE;
        return false;
    }
    if (block->worker->touches != NULL) {
        touch_watch_enter(block->worker->touches, block->linear);
    }
    bool any_ran = run_warps(block);
    if (block->state == BLOCK_RUNS && any_ran && block->work >= block->look_work) {
        endless_look(block);
    }
    bool must_stop = add_work(block);
    if (block->state == BLOCK_RUNS && any_ran && must_stop) {
        block->state = BLOCK_DEADLINE;
    }
    if (block->state == BLOCK_DEADLINE && launch_stopped(block->launch) == STOP_WORK) {
        endless_report_stop(block);
    }
    if (block->state == BLOCK_RUNS && !any_ran && block->failure != BLOCK_RUNS) {
        block->state = block->failure;
    }
    if (block->state == BLOCK_RUNS && !any_ran && !exchange_force(block)) {
        barriers_report_deadlock(block, &(struct fault){.kind = FINDING_RECORD_BARRIER_DEADLOCK});
        block->state = BLOCK_FAULT;
    }
    return block->state == BLOCK_RUNS;
}

void block_finish(struct block *block)
{
    struct worker *worker = block->worker;
    endless_end(block);
    unwritten_end(block);
    race_block_finish(block);
    thread_order_finish(block->launch->thread_order, block->linear);
    worker->counters.warp_instructions += block->warp_instructions - block->idle_warp_instructions;
    worker->counters.lane_instructions += block->lane_instructions - block->idle_lane_instructions;
    worker->counters.barriers += block->barrier_arrivals;
    worker->worst = block->state > worker->worst ? block->state : worker->worst;
}
