/* endless.c: see endless.h.
 *
 *   lane at the head of the loop -> copy of the registers; ops seen: none
 *   ... op by op ...             -> ops seen
 *   lane at the head again       -> deciding registers of the ops seen; equal to the copy?
 *
 * Where all wait, "the lane" below is each of the lanes that were at the head together.
 *
 * The copy is renewed at the 1st, 2nd, 4th, ... time (Brent's way to find a cycle), so that a loop
 * inside of an endless one does not hide it.
 */
#include "device/emulated/exec/endless.h"

#include "device/emulated/exec/call_stack.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/exec/op_model.h"
#include "device/emulated/exec/paths.h"
#include "device/emulated/finding_table.h"

#include <stdlib.h>
#include <string.h>

/* A register that others are computed from: where its value lies in the file. */
struct deciding {
    uint32_t slot;
    uint8_t bytes; /* 4, 8; 0: a predicate */
};

enum {
    FILE_BYTES_MAX = 1 << 20, /* of registers: warps that have more are not watched */
    STEPS_MAX = 1 << 16,      /* ops of a warp that are watched in one look */
    WAITS_MOST = 8,           /* paths of a warp that wait in loops of their own */
};

struct endless_watch {
    struct warp *warp;
    const struct kernel_code *code;
    bool is_joint;           /* all wait: memory counts as fixed */
    uint32_t lanes;          /* that are followed: one; if is_joint, those that took the branch */
    const struct op *branch; /* the first one that led the lane back; NULL: none yet */
    const struct op *head;   /* where to */
    bool is_opaque, is_endless;
    uint32_t steps;                /* ops that were executed while it was watched */
    uint64_t rounds, copied_round; /* times that the lane was at the head */
    uint8_t *copy;                 /* [register_bytes] at `copied_round` */
    uint32_t *seen;                /* [seen_count] ops since then */
    size_t seen_count;
    uint8_t *is_seen;   /* [op_count] */
    uint8_t *is_needed; /* [register_bytes / 4] by slot: decides, or what decides is made of it */
    size_t known_count; /* of the ops seen, when `deciding` was worked out; SIZE_MAX: never */
    bool is_own;        /* nothing that decides comes from elsewhere */
    struct deciding *deciding; /* [deciding_count] */
    size_t deciding_count;
    uint8_t *is_timed; /* [register_bytes / 4] made of the time */
    bool asks_time;    /* ... and decides */
    uint64_t copied_time;
    struct endless_wait waits[WAITS_MOST];
    size_t wait_count;
};

/* True for a slot that holds a register; constants never change, slot 0 stands for no operand. */
static bool is_register(const struct endless_watch *watch, uint32_t slot)
{
    return slot != 0 && slot < watch->code->register_bytes;
}

/* Marks a register as needed; true if it was not before. */
static bool need(struct endless_watch *watch, uint32_t slot)
{
    if (!is_register(watch, slot) || watch->is_needed[slot / 4]) {
        return false;
    }
    watch->is_needed[slot / 4] = 1;
    return true;
}

static bool is_needed(const struct endless_watch *watch, uint32_t slot)
{
    return is_register(watch, slot) && watch->is_needed[slot / 4];
}

/* The slots of what an op fetches, from 0 on. */
static unsigned fetched_slots(const struct op *op)
{
    return op_is_load(op) ? SLOT_ADDRESS : 1;
}

static bool is_fetch_needed(const struct endless_watch *watch, const struct op *op)
{
    bool any = false;
    for (unsigned k = 0; k < fetched_slots(op); k++) {
        any = any || is_needed(watch, op->slot[k]);
    }
    return any;
}

/* The same as below, of an op that fetches while memory counts as fixed: its operands decide. */
static bool need_operands(struct endless_watch *watch, const struct op *op)
{
    bool any = false;
    if (!is_fetch_needed(watch, op)) {
        return false;
    }
    watch->is_own = watch->is_own && (op_is_memory(op) || op->code == OP_CLOCK);
    if ((op->flags & OP_GUARDED) != 0) {
        any = need(watch, op->guard);
    }
    if (op->code == OP_CLOCK) {
        watch->is_timed[op->slot[0] / 4] = 1;
        return any;
    }
    for (unsigned k = fetched_slots(op); k < OP_SLOTS; k++) {
        any |= need(watch, op->slot[k]);
    }
    return any;
}

/* Marks what an op needs, if what it does is needed; true if anything is new. */
static bool need_sources(struct endless_watch *watch, const struct op *op)
{
    enum op_model model = op_model_of(op);
    bool goes = model == MODEL_GOES;
    bool any = false;
    if (model == MODEL_FETCHES && watch->is_joint) {
        return need_operands(watch, op);
    }
    if (model == MODEL_FETCHES) {
        for (unsigned k = 0; k < SLOT_ADDRESS; k++) {
            watch->is_own = watch->is_own && !is_needed(watch, op->slot[k]);
        }
        return false;
    }
    if (!goes && (model == MODEL_NOTHING || !is_needed(watch, op->slot[0]))) {
        return false;
    }
    if ((op->flags & OP_GUARDED) != 0) {
        any = need(watch, op->guard);
    }
    unsigned last = goes ? (op->code == OP_BRANCH_TABLE ? 1 : 0) : OP_SLOTS - 1;
    for (unsigned k = 1; k <= last; k++) {
        any |= need(watch, op->slot[k]);
    }
    return any;
}

static uint8_t register_bytes(const struct endless_watch *watch, const struct op *writer)
{
    if (op_model_of(writer) == MODEL_DECIDES) {
        return 0;
    }
    for (size_t i = 0; i < watch->code->register_count; i++) {
        if (watch->code->registers[i].slot == writer->slot[0]) {
            return watch->code->registers[i].bytes == 8 ? 8 : 4;
        }
    }
    return 1; /* one that lowering made for itself */
}

static bool is_timed(const struct endless_watch *watch, uint32_t slot)
{
    return is_register(watch, slot) && watch->is_timed[slot / 4];
}

/* Marks what an op makes of the time; true if anything is new. */
static bool pass_time_on(struct endless_watch *watch, const struct op *op)
{
    enum op_model model = op_model_of(op);
    bool any = false;
    for (unsigned k = 1; k < OP_SLOTS; k++) {
        any = any || is_timed(watch, op->slot[k]);
    }
    if (!any || model == MODEL_NOTHING) {
        return false;
    }
    watch->asks_time = true;
    if (model == MODEL_FETCHES) {
        watch->is_own = false; /* an address or an operand */
        return false;
    }
    bool is_new =
        model != MODEL_GOES && is_register(watch, op->slot[0]) && !watch->is_timed[op->slot[0] / 4];
    if (is_new) {
        watch->is_timed[op->slot[0] / 4] = 1;
    }
    return is_new;
}

/* Works out which registers decide where the lane goes, of those that the ops seen write. */
static void find_deciding(struct endless_watch *watch)
{
    memset(watch->is_needed, 0, watch->code->register_bytes / 4);
    memset(watch->is_timed, 0, watch->code->register_bytes / 4);
    watch->asks_time = false;
    watch->is_own = true;
    watch->deciding_count = 0;
    watch->known_count = watch->seen_count;
    for (bool any = true; any && watch->is_own;) {
        any = false;
        for (size_t i = watch->seen_count; i > 0; i--) {
            any |= need_sources(watch, &watch->code->ops[watch->seen[i - 1]]);
        }
    }
    for (bool any = watch->is_joint; any && watch->is_own;) {
        any = false;
        for (size_t i = 0; i < watch->seen_count; i++) {
            any |= pass_time_on(watch, &watch->code->ops[watch->seen[i]]);
        }
    }
    for (size_t i = 0; i < watch->seen_count && watch->is_own; i++) {
        const struct op *op = &watch->code->ops[watch->seen[i]];
        enum op_model model = op_model_of(op);
        if ((model != MODEL_SETS && model != MODEL_DECIDES) || !is_needed(watch, op->slot[0]) ||
            is_timed(watch, op->slot[0])) {
            continue;
        }
        uint8_t bytes = register_bytes(watch, op);
        watch->is_own = bytes != 1;
        watch->deciding[watch->deciding_count++] = (struct deciding){op->slot[0], bytes};
    }
}

static bool is_equal(const struct endless_watch *watch, const struct deciding *at)
{
    const uint8_t *now = watch->warp->file + at->slot;
    const uint8_t *then = watch->copy + at->slot;
    uint32_t changed = *(const uint32_t *)(const void *)now ^ *(const uint32_t *)(const void *)then;
    for (uint32_t left = at->bytes != 0 ? watch->lanes : 0; left != 0; left &= left - 1) {
        size_t offset = (size_t)__builtin_ctz(left) * at->bytes;
        if (memcmp(now + offset, then + offset, at->bytes) != 0) {
            return false;
        }
    }
    return at->bytes != 0 || (changed & watch->lanes) == 0;
}

static uint64_t time_now(const struct endless_watch *watch)
{
    return watch->warp->block->skipped_time + watch->warp->block->warp_instructions;
}

static bool goes_round(struct endless_watch *watch)
{
    if (watch->known_count != watch->seen_count) {
        find_deciding(watch);
    }
    bool same = watch->is_own;
    for (size_t i = 0; i < watch->deciding_count && same; i++) {
        same = is_equal(watch, &watch->deciding[i]);
    }
    return same && (!watch->asks_time || time_now(watch) - watch->copied_time >= TIME_ENOUGH);
}

/* Forgets the ops seen, and the loop. */
static void begin_again(struct endless_watch *watch)
{
    memset(watch->is_seen, 0, watch->code->op_count);
    watch->seen_count = 0;
    watch->known_count = SIZE_MAX;
    watch->rounds = 0;
    watch->copied_round = 0;
    watch->steps = 0;
    watch->head = NULL;
    watch->branch = NULL;
}

/* The lanes that are known to wait forever. */
static uint32_t known_lanes(const struct endless_watch *watch)
{
    uint32_t lanes = 0;
    for (size_t i = 0; i < watch->wait_count; i++) {
        lanes |= watch->waits[i].lanes;
    }
    return lanes;
}

static const struct op *outermost(const struct endless_watch *watch);

/* The first op of the loop that fetches from memory what decides; NULL: none. */
static const struct op *deciding_fetch(const struct endless_watch *watch)
{
    for (size_t i = 0; i < watch->seen_count; i++) {
        const struct op *op = &watch->code->ops[watch->seen[i]];
        if (op_model_of(op) == MODEL_FETCHES && op_is_memory(op) && is_fetch_needed(watch, op)) {
            return op;
        }
    }
    return NULL;
}

/* The lane is at the head of its loop. */
static void note_round(struct endless_watch *watch)
{
    watch->rounds++;
    if (watch->rounds > 1 && goes_round(watch)) {
        watch->is_endless = !watch->is_joint;
        if (watch->is_joint && watch->wait_count < WAITS_MOST) {
            watch->waits[watch->wait_count++] =
                (struct endless_wait){watch->lanes, outermost(watch), deciding_fetch(watch)};
            begin_again(watch);
        }
    } else if (watch->rounds >= 2 * watch->copied_round) {
        memcpy(watch->copy, watch->warp->file, watch->code->register_bytes);
        memset(watch->is_seen, 0, watch->code->op_count);
        watch->seen_count = 0;
        watch->known_count = SIZE_MAX;
        watch->copied_round = watch->rounds;
        watch->copied_time = time_now(watch);
    }
}

static void note_op(struct endless_watch *watch, const struct op *op)
{
    size_t index = (size_t)(op - watch->code->ops);
    if (!watch->is_seen[index]) {
        watch->is_seen[index] = 1;
        watch->seen[watch->seen_count++] = (uint32_t)index;
        watch->is_opaque = watch->is_opaque || op_model_of(op) == MODEL_OPAQUE ||
                           (watch->is_joint && op_is_store(op));
    }
}

/* The lanes of the running path have taken a branch back. */
static void take_head(struct endless_watch *watch, const struct op *branch)
{
    const struct warp *warp = watch->warp;
    if (watch->is_joint && (warp->active & ~known_lanes(watch)) == 0) {
        return;
    }
    if (watch->is_joint) {
        watch->lanes = warp->active;
    }
    if ((warp->active & watch->lanes) != 0) {
        watch->branch = branch;
        watch->head = warp->pc;
    }
}

/* Runs the turn that the warp has begun to its end. */
static void run_turn(struct endless_watch *watch)
{
    struct warp *warp = watch->warp;
    while (!warp->suspended) {
        if (warp->pc == warp->stop) {
            warp_count_until(warp, warp->pc);
            warp_schedule(warp);
        }
        const struct op *op = warp->pc;
        bool is_watched = (warp->active & watch->lanes) != 0 && !watch->is_opaque;
        bool are_all = (warp->active & watch->lanes) == watch->lanes;
        if (is_watched && are_all && op == watch->head && !watch->is_endless) {
            note_round(watch);
        }
        if (is_watched && watch->head != NULL) {
            note_op(watch, op);
        }
        watch->steps++;
        warp_step(warp);
        if (is_watched && watch->head == NULL && op->code == OP_BRANCH && warp->pc <= op) {
            take_head(watch, op);
        }
    }
}

static void watch_free(struct endless_watch *watch)
{
    if (watch != NULL) {
        free(watch->copy);
        free(watch->seen);
        free(watch->is_seen);
        free(watch->is_needed);
        free(watch->is_timed);
        free(watch->deciding);
        free(watch);
    }
}

/* Watches some lanes of a warp. */
static struct endless_watch *watch_new(struct warp *warp, uint32_t lanes)
{
    const struct kernel_code *code = warp->block->launch->code;
    struct endless_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        abort();
    }
    watch->warp = warp;
    watch->code = code;
    watch->lanes = lanes;
    watch->is_opaque = code->register_bytes > FILE_BYTES_MAX;
    watch->known_count = SIZE_MAX;
    watch->copy = malloc(code->register_bytes);
    watch->seen = malloc(code->op_count * sizeof *watch->seen);
    watch->is_seen = calloc(code->op_count, 1);
    watch->is_needed = malloc(code->register_bytes / 4);
    watch->is_timed = calloc(code->register_bytes / 4 + 1, 1);
    watch->deciding = malloc(code->op_count * sizeof *watch->deciding);
    if (watch->copy == NULL || watch->seen == NULL || watch->is_seen == NULL ||
        watch->is_needed == NULL || watch->is_timed == NULL || watch->deciding == NULL) {
        abort();
    }
    return watch;
}

static void report(struct warp *warp, enum finding_record_kind kind, const struct op *op,
                   uint32_t mask)
{
    struct launch *launch = warp->block->launch;
    if (launch->is_parallel) {
        return; /* the launch will run again, on one thread */
    }
    const struct fault fault = {
        .kind = kind,
        .places[0] = {.op = op, .thread = warp->index * LANES + (uint32_t)__builtin_ctz(mask)},
        .block = warp->block->linear,
        .count = 1,
    };
    finding_table_add(warp->worker->findings, &fault);
    launch->is_reported = true;
}

/* Where a lane first comes to what repeats, from the start of the kernel or, if the loop is in a
 * function that is called, from that one's: the head of the outermost loop. A branch to it may go
 * forward, as a compiler may put a loop's end before its head. The number of ops if there is none.
 */
static uint32_t find_head(const struct endless_watch *watch)
{
    const struct kernel_code *code = watch->code;
    size_t room = 2 * code->op_count + code->target_count;
    uint32_t *waiting = malloc((room + 1) * sizeof *waiting);
    uint8_t *is_known = calloc(code->op_count, 1);
    uint32_t head = (uint32_t)code->op_count;
    size_t count = 0;

    if (waiting == NULL || is_known == NULL) {
        abort();
    }
    for (size_t starts = 0; head == code->op_count && (count > 0 || starts <= code->body_count);) {
        if (count == 0) {
            waiting[count++] = starts == 0 ? 0 : code->bodies[starts - 1].first_op;
            starts++;
        }
        uint32_t at = waiting[--count];
        if (watch->is_seen[at]) {
            head = at;
        } else if (!is_known[at]) {
            is_known[at] = 1;
            count += op_list_next(code, at, room - count, &waiting[count]);
        }
    }
    free(waiting);
    free(is_known);
    return head;
}

/* The branch back of the loop that never ends: of those in what repeats, the outermost one. The
 * watch may have begun in a loop inside of it, which ends each time. */
static const struct op *outermost(const struct endless_watch *watch)
{
    uint32_t head = find_head(watch);

    for (size_t i = 0; i < watch->seen_count && watch->branch->target != head; i++) {
        const struct op *op = &watch->code->ops[watch->seen[i]];
        if (op->code == OP_BRANCH && op->target == head) {
            return op;
        }
    }
    return watch->branch;
}

static void end_watch(struct warp *warp)
{
    watch_free(warp->watch);
    warp->watch = NULL;
}

void endless_end(struct block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        end_watch(&block->warps[w]);
    }
}

void endless_look(struct block *block)
{
    uint32_t turn = (uint32_t)(block->look_work / ENDLESS_FIRST_WORK);
    struct warp *chosen = NULL;
    block->look_work = block->work * 2;
    if (block->worker->wait_rounds > 0) {
        return; /* all are watched */
    }
    endless_end(block);
    for (uint32_t i = 0; i < block->warp_count && chosen == NULL; i++) {
        struct warp *warp = &block->warps[(turn + i) % block->warp_count];
        chosen = warp->trail == NULL && warp_begin_turn(warp) ? warp : NULL;
    }
    if (chosen != NULL) {
        chosen->watch = watch_new(chosen, UINT32_C(1) << __builtin_ctz(chosen->active));
        endless_turn(chosen);
    }
}

void endless_turn(struct warp *warp)
{
    struct endless_watch *watch = warp->watch;
    run_turn(watch);
    if (watch->is_joint) {
        if (watch->steps >= STEPS_MAX && watch->head != NULL) {
            begin_again(watch); /* perhaps with other lanes */
        }
        return;
    }
    if (watch->is_endless && !watch->is_opaque) {
        report(warp, FINDING_RECORD_ENDLESS, outermost(watch), watch->lanes);
        launch_stop(warp->block->launch, STOP_ENDLESS);
        warp->block->state = BLOCK_DEADLINE;
    }
    if (watch->is_opaque || watch->is_endless || watch->steps >= STEPS_MAX) {
        end_watch(warp);
    }
}

void endless_watch_joint(struct warp *warp)
{
    end_watch(warp);
    warp->watch = watch_new(warp, ALL_LANES);
    warp->watch->is_joint = true;
}

bool endless_is_known(const struct warp *warp, uint32_t lanes)
{
    const struct endless_watch *watch = warp->watch;
    return watch != NULL && !watch->is_opaque && (lanes & ~known_lanes(watch)) == 0;
}

const struct endless_wait *endless_wait_of(const struct warp *warp, uint32_t lanes)
{
    const struct endless_watch *watch = warp->watch;
    for (size_t i = 0; watch != NULL && i < watch->wait_count; i++) {
        if ((watch->waits[i].lanes & lanes) != 0) {
            return &watch->waits[i];
        }
    }
    return NULL;
}

void endless_report_stop(struct block *block)
{
    struct warp *first = NULL;
    struct path at = {.mask = 0};
    const struct launch *launch = block->launch;
    endless_end(block);
    for (uint32_t w = 0; w < block->warp_count && !launch->is_reported && !launch->is_parallel;
         w++) {
        struct warp *warp = &block->warps[w];
        if (!warp_begin_turn(warp)) {
            continue;
        }
        if (first == NULL) {
            first = warp;
            at = (struct path){.pc = warp->pc, .mask = warp->active};
        }
        struct endless_watch *watch = watch_new(warp, UINT32_C(1) << __builtin_ctz(warp->active));
        run_turn(watch);
        if (watch->branch != NULL) {
            bool is_endless = watch->is_endless && !watch->is_opaque;
            report(warp, is_endless ? FINDING_RECORD_ENDLESS : FINDING_RECORD_STOPPED,
                   is_endless ? outermost(watch) : watch->branch, watch->lanes);
        }
        watch_free(watch);
    }
    if (first != NULL && !launch->is_reported) {
        report(first, FINDING_RECORD_STOPPED, at.pc, at.mask);
    }
}
