/* waiting.c: see waiting.h. */
#include "device/emulated/exec/waiting.h"

#include "device/emulated/exec/barriers.h"
#include "device/emulated/exec/endless.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/exec/mbarriers.h"
#include "device/emulated/memory/access_check.h"

/* What the watches of all warps may take, and for how many rounds. */
#define JOINT_BYTES_MAX (UINT64_C(256) << 20)
enum { WAIT_ROUNDS_MOST = 1 << 11 };

/* The lanes of a warp that run, some of which may have had no turn. */
static uint32_t running_lanes(const struct warp *warp)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        lanes |= warp->paths[i].state == PATH_RUNS ? warp->paths[i].mask : 0;
    }
    return lanes;
}

/* Watches all warps that can run, if that takes no more memory than it may. */
static bool watch_all(struct block *const *blocks, size_t count)
{
    const struct launch *launch = blocks[0]->launch;
    const struct kernel_code *code = launch->code;
    uint64_t each = 2 * (uint64_t)code->register_bytes + 16 * (uint64_t)code->op_count;
    uint64_t bytes = each * launch->warp_count * count;
    for (size_t i = 0; i < count && bytes <= JOINT_BYTES_MAX; i++) {
        for (uint32_t w = 0; w < blocks[i]->warp_count; w++) {
            struct warp *warp = &blocks[i]->warps[w];
            if (warp->live != 0) {
                endless_watch_joint(warp);
            }
        }
    }
    return bytes <= JOINT_BYTES_MAX;
}

static void end_all(struct block *const *blocks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        endless_end(blocks[i]);
    }
    blocks[0]->worker->wait_rounds = 0;
}

/* True if each lane that runs is known to wait forever, and at least one does. */
static bool all_wait(struct block *const *blocks, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        for (uint32_t w = 0; w < blocks[i]->warp_count; w++) {
            const struct warp *warp = &blocks[i]->warps[w];
            uint32_t running = running_lanes(warp);
            if (running != 0 && !endless_is_known(warp, running)) {
                return false;
            }
            any = any || running != 0;
        }
    }
    return any;
}

/* Says in a fault what its threads wait for: a barrier, or a change of memory. */
static void describe(struct warp *warp, const struct endless_wait *wait, struct fault *fault)
{
    const struct kernel_code *code = warp->block->launch->code;
    uint8_t space;
    uint64_t offset;
    const uint8_t *where = access_peek(warp, wait->fetch, (unsigned)__builtin_ctz(wait->lanes),
                                       FINDING_RECORD_READ, &space, &offset);
    for (size_t i = 0; i < code->tile_count && space == PTX_SPACE_SHARED; i++) {
        fault->object = code->tiles[i].start <= offset ? code->tiles[i].name : fault->object;
    }
    if (where != NULL && wait->fetch->code == OP_MBARRIER) {
        fault->kind = FINDING_RECORD_BARRIER_DEADLOCK;
        mbarrier_arrivals(where, &fault->address, &fault->object_bytes);
    }
}

/* The first of the blocks in which a thread waits in a loop; there is one. */
static struct block *first_that_waits(struct block *const *blocks, size_t count)
{
    struct block *first = NULL;
    for (size_t i = 0; i < count; i++) {
        bool waits = false;
        for (uint32_t w = 0; w < blocks[i]->warp_count; w++) {
            waits = waits || running_lanes(&blocks[i]->warps[w]) != 0;
        }
        first = waits && (first == NULL || blocks[i]->linear < first->linear) ? blocks[i] : first;
    }
    return first;
}

/* Reports that all wait; why the launch stops. */
static enum launch_stop report_all(struct block *const *blocks, size_t count)
{
    struct block *first = first_that_waits(blocks, count);
    struct fault fault = {.kind = FINDING_RECORD_WAITS_FOREVER};
    struct warp *warp = first->warps;
    while (running_lanes(warp) == 0) {
        warp++;
    }
    const struct endless_wait *wait = endless_wait_of(warp, running_lanes(warp));
    if (wait->fetch != NULL) {
        describe(warp, wait, &fault);
    }
    barriers_report_deadlock(first, &fault);
    return fault.kind == FINDING_RECORD_BARRIER_DEADLOCK ? STOP_DEADLOCK : STOP_ENDLESS;
}

bool waiting_is_long(const struct worker *worker)
{
    return worker->waiting_work >= WAITING_FIRST;
}

/* Asks whether all wait forever, or begins to. */
static void ask(struct block *const *blocks, size_t count)
{
    struct worker *worker = blocks[0]->worker;
    if (worker->wait_rounds == 0 && worker->waiting_work >= worker->look_waiting) {
        worker->wait_rounds = watch_all(blocks, count);
        worker->look_waiting = 2 * worker->waiting_work;
    } else if (worker->wait_rounds > 0 && all_wait(blocks, count)) {
        enum launch_stop why = report_all(blocks, count);
        launch_stop(blocks[0]->launch, why);
        end_all(blocks, count);
    } else if (worker->wait_rounds > 0 && ++worker->wait_rounds > WAIT_ROUNDS_MOST) {
        end_all(blocks, count);
    }
}

void waiting_after_round(struct block *const *blocks, size_t count, bool can_begin_another)
{
    if (count == 0) {
        return;
    }
    struct worker *worker = blocks[0]->worker;
    if (!waiting_is_long(worker)) {
        if (worker->wait_rounds > 0) {
            end_all(blocks, count);
        }
        worker->time_step = 0;
        worker->look_waiting = 0;
        return;
    }
    worker->time_step = 2 * worker->time_step + 1; /* odd, so that no clock stands still */
    worker->time_step = worker->time_step < TIME_STEP_MOST ? worker->time_step : TIME_STEP_MOST - 1;
    for (size_t i = 0; i < count; i++) {
        blocks[i]->skipped_time += worker->time_step;
    }
    if (!can_begin_another) {
        ask(blocks, count);
    }
}
