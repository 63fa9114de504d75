/* grid_run.c: see grid_run.h. */
#include "device/emulated/exec/grid_run.h"

#include "base/sanitized.h"
#include "device/emulated/exec/block_run.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/exec/shuffle.h"
#include "device/emulated/exec/unwritten.h"
#include "device/emulated/exec/waiting.h"
#include "device/emulated/memory/access_counts.h"
#include "device/emulated/race/global_races.h"
#include "device/emulated/race/order_watch.h"
#include "device/emulated/race/race_watch.h"
#include "device/emulated/race/touch_watch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Blocks that a thread takes at once. */
enum { BLOCKS_AT_ONCE = 4 };

/* What the blocks that are under way at once may take of the host; one is always possible. Blocks
 * in order may wait for each other; as many as are in parallel only make it faster. */
#define ORDERED_BYTES_MAX (UINT64_C(2) << 30)
#define PARALLEL_BYTES_MAX (UINT64_C(64) << 20)

/* The work in which one of the blocks under way has to end; else as many begin as there are. */
#define ENDS_WITHIN (UINT64_C(1) << 26)

/* The limit for stacks, which may be any size here, does not decide how much memory threads take.
 */
#define STACK_BYTES ((size_t)(IS_SANITIZED ? 8 : 1) << 20)

struct thread_job {
    struct worker worker;
    struct finding_table findings;
    struct print_buffer printed[PRINT_STREAMS];
    pthread_t thread;
    bool is_started;
};

/* Where in shared memory an access may be: anywhere, in the tile of the op, or nowhere. */
static struct shared_range *ranges_new(const struct launch *launch)
{
    const struct kernel_code *code = launch->code;
    struct shared_range *ranges = calloc(code->tile_count + 2, sizeof *ranges);
    if (ranges == NULL) {
        abort();
    }
    ranges[0].bytes = launch->shared_bytes;
    for (size_t i = 0; i < code->tile_count; i++) {
        const struct shared_tile *tile = &code->tiles[i];
        uint64_t rest = launch->shared_bytes > tile->start ? launch->shared_bytes - tile->start : 0;
        ranges[i + 1].start = tile->start;
        ranges[i + 1].bytes = tile->is_dynamic ? rest : tile->bytes;
    }
    return ranges;
}

/* What a warp finds in its registers: poison as wide as they are. */
static uint8_t *registers_new(const struct kernel_code *code)
{
    uint8_t *registers = calloc(code->register_bytes, 1);
    if (registers == NULL) {
        abort();
    }
    for (size_t i = 0; i < code->register_count; i++) {
        const struct slot_register *at = &code->registers[i];
        uint64_t bits = POISON_WORD >> (64 - 8 * at->bytes);
        uint64_t lane_bytes = at->bytes == 8 ? 8 : 4;
        for (unsigned lane = 0; lane < LANES; lane++) {
            memcpy(registers + at->slot + lane * lane_bytes, &bits, lane_bytes);
        }
    }
    return registers;
}

static void worker_init(struct thread_job *job, struct launch *launch, uint32_t index)
{
    uint32_t count = launch->code->pattern_count;
    *job = (struct thread_job){.worker.launch = launch};
    job->findings.code = launch->code;
    job->worker.findings = &job->findings;
    job->worker.printed = job->printed;
    size_t bytes = ((size_t)count + 1) * sizeof *job->worker.patterns;
    job->worker.patterns = aligned_alloc(_Alignof(struct access_pattern), bytes);
    if (job->worker.patterns == NULL) {
        abort();
    }
    memset(job->worker.patterns, 0, bytes);
    job->worker.ranges = ranges_new(launch);
    job->worker.registers = registers_new(launch->code);
    job->worker.touches = launch->watches == NULL ? NULL : launch->watches[index];
    job->worker.is_watched = !launch->is_unwatched;
    job->worker.unwritten_uses = calloc((size_t)launch->code->site_count + 1, 1);
    if (job->worker.unwritten_uses == NULL) {
        abort();
    }
    if (job->worker.is_watched) {
        job->worker.races = race_memory_new(launch);
        access_counts_start(&job->worker);
    }
}

static void worker_release(struct thread_job *job)
{
    finding_table_release(&job->findings);
    for (size_t i = 0; i < PRINT_STREAMS; i++) {
        print_buffer_release(&job->printed[i]);
    }
    race_memory_free(job->worker.races);
    access_counts_release(&job->worker);
    free(job->worker.ranges);
    free(job->worker.unwritten_uses);
    free(job->worker.registers);
    free(job->worker.patterns);
}

/* Adds what a worker has seen to the outcome; the workers are taken in order. */
static void worker_merge(const struct thread_job *job, struct grid_outcome *outcome)
{
    const struct worker *worker = &job->worker;
    outcome->counters.warp_instructions += worker->counters.warp_instructions;
    outcome->counters.lane_instructions += worker->counters.lane_instructions;
    outcome->counters.barriers += worker->counters.barriers;
    finding_table_merge(&outcome->findings, &job->findings);
    for (size_t i = 0; i < PRINT_STREAMS; i++) {
        print_buffer_merge(&outcome->printed[i], &job->printed[i]);
    }
    access_counts_merge(&outcome->counts, worker);
}

void grid_outcome_release(struct grid_outcome *outcome)
{
    finding_table_release(&outcome->findings);
    for (size_t i = 0; i < PRINT_STREAMS; i++) {
        print_buffer_release(&outcome->printed[i]);
    }
    access_counts_free(outcome->counts);
    touch_ranges_free(&outcome->touched);
    *outcome = (struct grid_outcome){0};
}

/* True if threads have met at a word; then blocks in parallel have run in vain. */
static bool job_has_met(const struct thread_job *job)
{
    struct launch *launch = job->worker.launch;
    if (job->worker.touches != NULL && job->worker.touches->has_met) {
        __atomic_store_n(&launch->has_met, true, __ATOMIC_RELAXED);
    }
    return __atomic_load_n(&launch->has_met, __ATOMIC_RELAXED);
}

/* Takes blocks until none is left. */
static void *run_blocks(void *argument)
{
    struct thread_job *job = argument;
    struct launch *launch = job->worker.launch;
    struct block *block = block_new(launch, &job->worker);
    worker_start_clock(&job->worker);
    for (;;) {
        uint64_t first = __atomic_fetch_add(&launch->next_block, BLOCKS_AT_ONCE, __ATOMIC_RELAXED);
        if (first >= launch->blocks || launch_must_stop(&job->worker) ||
            (launch->is_parallel && job_has_met(job))) {
            break;
        }
        uint64_t left = launch->blocks - first;
        uint64_t count = left < BLOCKS_AT_ONCE ? left : BLOCKS_AT_ONCE;
        for (uint64_t i = 0; i < count; i++) {
            block_start(block, shuffle_index(launch->shuffle_seed, first + i, launch->blocks));
            while (block_run_round(block)) {
                waiting_after_round(&block, 1, false);
            }
            block_finish(block);
        }
    }
    worker_finish_work(&job->worker);
    block_free(block);
    return NULL;
}

/* Runs the blocks in order, or in that of the seed. Those under way take turns; another one starts
 * when none of them got any further, when all have only waited for long, or when all have ended.
 * They may also wait with barriers in their loops, so more start when none of them ends for long.
 */
static void run_in_order(struct thread_job *job, uint64_t resident_max)
{
    struct launch *launch = job->worker.launch;
    struct block **resident = NULL;
    size_t count = 0;
    size_t made = 0;
    uint64_t next = 0;
    bool needs_another = true;
    uint64_t due = 0;
    uint64_t spent = 0;
    worker_start_clock(&job->worker);
    while (next < launch->blocks || count > 0) {
        if (launch_must_stop(&job->worker)) {
            next = launch->blocks; /* those under way end by themselves */
        }
        needs_another = needs_another || due > 0 || count == 0;
        if (needs_another && next < launch->blocks && count < resident_max) {
            due -= due > 0;
            if (count == made) {
                resident = reallocarray(resident, made + 1, sizeof *resident);
                if (resident == NULL) {
                    abort();
                }
                resident[made++] = block_new(launch, &job->worker);
            }
            block_start(resident[count++],
                        shuffle_index(launch->shuffle_seed, next++, launch->blocks));
        }
        needs_another = true;
        for (size_t i = 0; i < count;) {
            uint64_t progress = resident[i]->progress;
            uint64_t before = resident[i]->work;
            bool goes_on = block_run_round(resident[i]);
            spent += resident[i]->work - before;
            needs_another = needs_another && goes_on && resident[i]->progress == progress;
            if (goes_on) {
                i++;
                continue;
            }
            block_finish(resident[i]);
            spent = 0;
            struct block *ended = resident[i];
            for (size_t k = i; k + 1 < count; k++) {
                resident[k] = resident[k + 1];
            }
            resident[--count] = ended;
        }
        needs_another = needs_another || waiting_is_long(&job->worker);
        if (spent > ENDS_WITHIN) {
            due = count;
            spent = 0;
        }
        waiting_after_round(resident, count, next < launch->blocks && count < resident_max);
    }
    worker_finish_work(&job->worker);
    for (size_t i = 0; i < made; i++) {
        block_free(resident[i]);
    }
    free(resident);
}

static enum launch_status status_of(enum block_state worst)
{
    switch (worst) {
    case BLOCK_DEADLINE:
        return LAUNCH_DEADLINE;
    case BLOCK_UNSUPPORTED:
        return LAUNCH_UNSUPPORTED;
    case BLOCK_FAULT:
        return LAUNCH_FAULT;
    default:
        return LAUNCH_DONE;
    }
}

/* Starts threads for all jobs but the first; one that cannot be had has nothing to do. */
static void start_helpers(struct thread_job *jobs, uint32_t count)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return;
    }
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (uint32_t i = 1; i < count; i++) {
        jobs[i].is_started =
            pthread_create(&jobs[i].thread, &attributes, run_blocks, &jobs[i]) == 0;
    }
    pthread_attr_destroy(&attributes);
}

/* Takes those reads of unwritten memory back whose values nobody has used. */
static void drop_unused(struct thread_job *jobs, uint32_t count, const struct kernel_code *code,
                        struct finding_table *findings)
{
    uint8_t *uses = jobs[0].worker.unwritten_uses;
    for (uint32_t site = 0; site < code->site_count; site++) {
        for (uint32_t i = 1; i < count; i++) {
            uses[site] |= jobs[i].worker.unwritten_uses[site];
        }
        if (unwritten_is_harmless(uses, site)) {
            finding_table_forget(findings, FINDING_RECORD_SHARED_UNINITIALISED,
                                 &code->ops[code->site_ops[site]]);
        }
    }
}

/* Runs all blocks once, on `count` threads. */
static void run_once(struct launch *launch, uint32_t count, uint64_t resident_max,
                     struct grid_outcome *outcome)
{
    struct thread_job *jobs = calloc(count, sizeof *jobs);
    if (jobs == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < count; i++) {
        worker_init(&jobs[i], launch, i);
    }
    start_helpers(jobs, count);
    if (launch->code->runs_in_order) {
        run_in_order(&jobs[0], resident_max);
    } else {
        run_blocks(&jobs[0]);
    }
    enum block_state worst = BLOCK_RUNS;
    for (uint32_t i = 0; i < count; i++) {
        if (jobs[i].is_started) {
            pthread_join(jobs[i].thread, NULL);
        }
        worst = jobs[i].worker.worst > worst ? jobs[i].worker.worst : worst;
        worker_merge(&jobs[i], outcome);
    }
    drop_unused(jobs, count, launch->code, &outcome->findings);
    for (uint32_t i = 0; i < count; i++) {
        worker_release(&jobs[i]);
    }
    free(jobs);
    if (launch->work > launch->work_limit) {
        launch_stop(launch, STOP_WORK); /* the last block has passed it */
    }
    enum launch_stop stop = launch_stopped(launch);
    outcome->status = stop == STOP_DEADLOCK ? LAUNCH_FAULT
                      : stop != STOP_NONE   ? LAUNCH_DEADLINE
                                            : status_of(worst);
    outcome->counters.work = launch->work;
}

/* How many blocks fit in `most` bytes; a kernel may have much local memory for each thread. */
static uint64_t blocks_that_fit(const struct launch *launch, uint64_t most)
{
    const struct kernel_code *code = launch->code;
    uint64_t warp_bytes = code->file_bytes + code->local_bytes * LANES;
    uint64_t bytes = warp_bytes * launch->warp_count + launch->shared_bytes;
    uint64_t fit = bytes == 0 ? most : most / bytes;
    return fit == 0 ? 1 : fit;
}

/* Makes a launch that has run ready to run again. */
static void start_again(struct launch *launch)
{
    launch->next_block = 0;
    launch->work = 0;
    launch->stop = STOP_NONE;
    launch->is_reported = false;
    launch->has_met = false;
}

/* True if what a launch does can be undone and done again, though it has come to an end of its own.
 */
static bool can_repeat(const struct launch *launch)
{
    enum launch_stop stop = launch_stopped(launch);
    return stop == STOP_NONE || stop == STOP_WORK || stop == STOP_ENDLESS || stop == STOP_DEADLOCK;
}

/* Runs all blocks and asks what they touch; true if two threads have met at a word. */
static bool run_touching(struct launch *launch, uint32_t count, uint64_t resident_max,
                         struct touch_watch **watches, struct grid_outcome *outcome)
{
    for (uint32_t i = 0; i < count; i++) {
        watches[i] = touch_watch_new(launch->memory);
    }
    launch->watches = watches;
    launch->is_parallel = count > 1;
    run_once(launch, count, resident_max, outcome);
    launch->watches = NULL;
    launch->is_parallel = false;
    if (launch->request->asks_touched) {
        touch_ranges_free(&outcome->touched);
        touch_watches_ranges(watches, count, &outcome->touched);
    }
    bool meets = touch_watches_meet(watches, count);
    for (uint32_t i = 1; i < count; i++) {
        touch_watch_free(watches[i]);
    }
    return meets;
}

/* Runs all blocks, in order, and looks for races in global memory. */
static void run_racing(struct launch *launch, uint64_t resident_max, struct grid_outcome *outcome)
{
    global_races_start(launch);
    run_once(launch, 1, resident_max, outcome);
    global_races_finish(launch, &outcome->findings);
}

/* Runs again what has run in order; only races in global memory are looked for, where threads have
 * met. The rest of the outcome is known. */
static void run_again_racing(struct launch *launch, uint64_t resident_max,
                             const struct touch_watch *met, struct grid_outcome *outcome)
{
    bool is_unwatched = launch->is_unwatched;
    struct grid_outcome again = {0};
    start_again(launch);
    launch->touches = met;
    launch->is_unwatched = true;
    global_races_start(launch);
    run_once(launch, 1, resident_max, &again);
    global_races_finish(launch, &outcome->findings);
    launch->is_unwatched = is_unwatched;
    launch->touches = NULL;
    outcome->status = again.status;
    grid_outcome_release(&again);
}

/* Runs all blocks, with an eye on races in global memory. Where no threads meet, there are none.
 * Blocks in parallel need not meet where they meet in order, so they run in order first. */
static void run_for_races(struct launch *launch, uint32_t count, uint64_t resident_max,
                          struct grid_outcome *outcome)
{
    struct touch_watch *watches[TOUCH_WORKERS_MAX];
    struct order_watch watch;
    if (!order_watch_fits(launch->memory) || launch->code->uses_heap) {
        run_racing(launch, resident_max, outcome);
        outcome->order_can_matter = launch->blocks > 1;
        return;
    }
    order_watch_init(&watch, launch->memory);
    launch->watch = &watch;
    count = count < 1 ? 1 : count;
    bool meets = run_touching(launch, count, resident_max, watches, outcome);
    if (count > 1 && can_repeat(launch) && (meets || launch_stopped(launch) != STOP_NONE)) {
        touch_watch_free(watches[0]);
        order_watch_undo(&watch);
        grid_outcome_release(outcome);
        start_again(launch);
        meets = run_touching(launch, 1, resident_max, watches, outcome);
    }
    launch->watch = NULL;
    if (meets && can_repeat(launch)) {
        order_watch_undo(&watch);
        run_again_racing(launch, resident_max, watches[0], outcome);
    } else {
        outcome->keeps_memory = order_watch_is_same(&watch);
    }
    order_watch_release(&watch);
    touch_watch_free(watches[0]);
    outcome->order_can_matter = launch->blocks > 1 && (meets || launch->code->runs_in_order);
}

bool grid_rehearse(struct launch *launch, uint64_t resident_max, struct grid_outcome *out_outcome)
{
    struct order_watch watch;
    *out_outcome = (struct grid_outcome){0};
    if (!order_watch_fits(launch->memory) || launch->code->uses_heap) {
        return false;
    }
    order_watch_init(&watch, launch->memory);
    launch->watch = &watch;
    if (launch->checks_global_races) {
        run_racing(launch, resident_max, out_outcome);
    } else {
        run_once(launch, 1, resident_max, out_outcome);
    }
    launch->watch = NULL;
    order_watch_undo(&watch);
    order_watch_release(&watch);
    start_again(launch);
    return true;
}

void grid_run(struct launch *launch, uint32_t threads, uint64_t resident_max,
              struct grid_outcome *out_outcome)
{
    *out_outcome = (struct grid_outcome){0};
    uint64_t fit = blocks_that_fit(launch, PARALLEL_BYTES_MAX);
    uint64_t ordered = blocks_that_fit(launch, ORDERED_BYTES_MAX);
    uint64_t useful = (launch->blocks + BLOCKS_AT_ONCE - 1) / BLOCKS_AT_ONCE;
    useful = useful < fit ? useful : fit;
    resident_max = resident_max < ordered ? resident_max : ordered;
    uint32_t count = useful < threads ? (uint32_t)useful : threads;
    if (launch->checks_global_races) {
        count = launch->code->runs_in_order ? 1 : count;
        run_for_races(launch, count < TOUCH_WORKERS_MAX ? count : TOUCH_WORKERS_MAX, resident_max,
                      out_outcome);
        return;
    }
    bool is_known = !launch->code->runs_in_order && order_watch_fits(launch->memory);
    if (!is_known || (count <= 1 && !launch->request->asks_order)) {
        run_once(launch, 1, resident_max, out_outcome);
        out_outcome->order_can_matter = launch->blocks > 1;
        return;
    }
    struct order_watch watch;
    order_watch_init(&watch, launch->memory);
    launch->watch = &watch;
    launch->is_parallel = count > 1;
    run_once(launch, count, resident_max, out_outcome);
    launch->watch = NULL;
    launch->is_parallel = false;
    bool ran_out = launch_stopped(launch) != STOP_NONE;
    bool matters = order_watch_matters(&watch) && launch->blocks > 1;
    if (count > 1 && can_repeat(launch) && (ran_out || matters)) {
        order_watch_undo(&watch);
        grid_outcome_release(out_outcome);
        start_again(launch);
        run_once(launch, 1, resident_max, out_outcome);
    } else {
        out_outcome->keeps_memory = order_watch_is_same(&watch);
    }
    out_outcome->order_can_matter = matters;
    order_watch_release(&watch);
}
