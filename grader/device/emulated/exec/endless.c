/* endless.c: see endless.h.
 *
 *   lane at the head of the loop -> copy of the registers; ops seen: none
 *   ... op by op ...             -> ops seen
 *   lane at the head again       -> deciding registers of the ops seen; equal to the copy?
 *
 * The copy is renewed at the 1st, 2nd, 4th, ... time (Brent's way to find a cycle), so that a loop
 * inside of an endless one does not hide it.
 */
#include "device/emulated/exec/endless.h"

#include "device/emulated/exec/barriers.h"
#include "device/emulated/exec/call_stack.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/exec/paths.h"

#include <stdlib.h>
#include <string.h>

/* What an op does to the registers of its lane. */
enum op_model {
    MODEL_OPAQUE,  /* anything: whoever executes it is not watched any further */
    MODEL_NOTHING, /* it writes no register */
    MODEL_GOES,    /* ... and decides where the lane goes: by its guard and slot 1 */
    MODEL_SETS,    /* slot 0, of slots 1 to 5, each of them the lane's own */
    MODEL_DECIDES, /* the same, slot 0 is a predicate */
    MODEL_FETCHES, /* slots 0 to 3, of what others may change */
};

/* A register that others are computed from: where its value lies in the file. */
struct deciding {
    uint32_t slot;
    uint8_t bytes; /* 4, 8; 0: a predicate */
};

enum {
    FILE_BYTES_MAX = 1 << 20, /* of registers: warps that have more are not watched */
    STEPS_MAX = 1 << 16,      /* ops of a warp that are watched in one look */
};

struct endless_watch {
    struct warp *warp;
    const struct kernel_code *code;
    unsigned lane;
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
};

static enum op_model model_of(const struct op *op)
{
    static const uint8_t models[OP_CODE_COUNT] = {
#define VECTOR_OP(name, ...) [OP_##name] = MODEL_SETS,
#include "device/emulated/arithmetic/vector_ops.def"
#undef VECTOR_OP
#define COMPARE_OP(name, ...) [OP_##name] = MODEL_DECIDES,
#include "device/emulated/arithmetic/compare_ops.def"
#undef COMPARE_OP
#define SCALAR_OP(name, ...) [OP_##name] = MODEL_SETS,
#include "device/emulated/arithmetic/scalar_ops.def"
#undef SCALAR_OP
#define DIRECTED_OP(name, ...) [OP_##name] = MODEL_SETS,
#include "device/emulated/arithmetic/directed_ops.def"
#undef DIRECTED_OP
        [OP_PRED_MOV] = MODEL_DECIDES,  [OP_PRED_NOT] = MODEL_DECIDES,
        [OP_PRED_AND] = MODEL_DECIDES,  [OP_PRED_OR] = MODEL_DECIDES,
        [OP_PRED_XOR] = MODEL_DECIDES,  [OP_SELECT_32] = MODEL_SETS,
        [OP_SELECT_64] = MODEL_SETS,    [OP_CONVERT] = MODEL_SETS,
        [OP_EXTREME] = MODEL_SETS,      [OP_LOAD_32] = MODEL_FETCHES,
        [OP_LOAD_64] = MODEL_FETCHES,   [OP_LOAD_ANY] = MODEL_FETCHES,
        [OP_CLOCK] = MODEL_FETCHES,     [OP_ATOMIC] = MODEL_FETCHES,
        [OP_STORE_32] = MODEL_NOTHING,  [OP_STORE_64] = MODEL_NOTHING,
        [OP_STORE_ANY] = MODEL_NOTHING, [OP_NOTHING] = MODEL_NOTHING,
        [OP_FENCE] = MODEL_NOTHING,     [OP_ORDER] = MODEL_NOTHING,
        [OP_YIELD] = MODEL_NOTHING,     [OP_BRANCH] = MODEL_GOES,
        [OP_BRANCH_TABLE] = MODEL_GOES, [OP_BARRIER] = MODEL_FETCHES,
        [OP_WARP_SYNC] = MODEL_FETCHES, [OP_LIBDEVICE] = MODEL_NOTHING,
    };

    enum op_model model = (enum op_model)models[op->code];
    bool is_fixed = op->space == PTX_SPACE_CONST || op->space == PTX_SPACE_PARAM;
    bool is_load = op->code == OP_LOAD_32 || op->code == OP_LOAD_64 ||
                   (op->code == OP_LOAD_ANY && op->count == 1);
    return is_load && is_fixed ? MODEL_SETS : model;
}

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

/* Marks what an op needs, if what it does is needed; true if anything is new. */
static bool need_sources(struct endless_watch *watch, const struct op *op)
{
    enum op_model model = model_of(op);
    bool goes = model == MODEL_GOES;
    bool any = false;
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
    if (model_of(writer) == MODEL_DECIDES) {
        return 0;
    }
    for (size_t i = 0; i < watch->code->register_count; i++) {
        if (watch->code->registers[i].slot == writer->slot[0]) {
            return watch->code->registers[i].bytes == 8 ? 8 : 4;
        }
    }
    return 1; /* one that lowering made for itself */
}

/* Works out which registers decide where the lane goes, of those that the ops seen write. */
static void find_deciding(struct endless_watch *watch)
{
    memset(watch->is_needed, 0, watch->code->register_bytes / 4);
    watch->is_own = true;
    watch->deciding_count = 0;
    watch->known_count = watch->seen_count;
    for (bool any = true; any && watch->is_own;) {
        any = false;
        for (size_t i = watch->seen_count; i > 0; i--) {
            any |= need_sources(watch, &watch->code->ops[watch->seen[i - 1]]);
        }
    }
    for (size_t i = 0; i < watch->seen_count && watch->is_own; i++) {
        const struct op *op = &watch->code->ops[watch->seen[i]];
        enum op_model model = model_of(op);
        if ((model != MODEL_SETS && model != MODEL_DECIDES) || !is_needed(watch, op->slot[0])) {
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
    uint32_t changed;
    if (at->bytes != 0) {
        size_t offset = (size_t)watch->lane * at->bytes;
        return memcmp(now + offset, then + offset, at->bytes) == 0;
    }
    changed = *(const uint32_t *)(const void *)now ^ *(const uint32_t *)(const void *)then;
    return (changed >> watch->lane & 1) == 0;
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
    return same;
}

/* The lane is at the head of its loop. */
static void note_round(struct endless_watch *watch)
{
    watch->rounds++;
    if (watch->rounds > 1 && goes_round(watch)) {
        watch->is_endless = true;
    } else if (watch->rounds >= 2 * watch->copied_round) {
        memcpy(watch->copy, watch->warp->file, watch->code->register_bytes);
        memset(watch->is_seen, 0, watch->code->op_count);
        watch->seen_count = 0;
        watch->known_count = SIZE_MAX;
        watch->copied_round = watch->rounds;
    }
}

static void note_op(struct endless_watch *watch, const struct op *op)
{
    size_t index = (size_t)(op - watch->code->ops);
    if (!watch->is_seen[index]) {
        watch->is_seen[index] = 1;
        watch->seen[watch->seen_count++] = (uint32_t)index;
        watch->is_opaque = watch->is_opaque || model_of(op) == MODEL_OPAQUE;
    }
}

/* Executes the op at warp->pc as the hot loop does (warp_loop.c). */
static void execute(struct warp *warp)
{
    const struct op *op = warp->pc;
    uint32_t mask = warp->active;
    if ((op->flags & OP_GUARDED) != 0) {
        uint32_t guard = *(const uint32_t *)(const void *)(warp->file + op->guard);
        mask &= (op->flags & OP_GUARD_NEGATED) != 0 ? ~guard : guard;
        warp_discount(warp, op, mask);
    }
    if ((op->flags & OP_CONTROL) != 0) {
        op->run(warp, op, mask);
        return;
    }
    if (mask != 0) {
        op->run(warp, op, mask);
    }
    warp->pc = op + 1;
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
        bool is_watched = (warp->active >> watch->lane & 1) != 0 && !watch->is_opaque;
        if (is_watched && op == watch->head && !watch->is_endless) {
            note_round(watch);
        }
        if (is_watched && watch->head != NULL) {
            note_op(watch, op);
        }
        watch->steps++;
        execute(warp);
        if (is_watched && watch->head == NULL && op->code == OP_BRANCH && warp->pc <= op &&
            (warp->active >> watch->lane & 1) != 0) {
            watch->branch = op;
            watch->head = warp->pc;
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
        free(watch->deciding);
        free(watch);
    }
}

/* Watches the lowest lane of the path that the warp runs. */
static struct endless_watch *watch_new(struct warp *warp)
{
    const struct kernel_code *code = warp->block->launch->code;
    struct endless_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        abort();
    }
    watch->warp = warp;
    watch->code = code;
    watch->lane = (unsigned)__builtin_ctz(warp->active);
    watch->is_opaque = code->register_bytes > FILE_BYTES_MAX;
    watch->known_count = SIZE_MAX;
    watch->copy = malloc(code->register_bytes);
    watch->seen = malloc(code->op_count * sizeof *watch->seen);
    watch->is_seen = calloc(code->op_count, 1);
    watch->is_needed = malloc(code->register_bytes / 4);
    watch->deciding = malloc(code->op_count * sizeof *watch->deciding);
    if (watch->copy == NULL || watch->seen == NULL || watch->is_seen == NULL ||
        watch->is_needed == NULL || watch->deciding == NULL) {
        abort();
    }
    return watch;
}

static void report(struct warp *warp, enum finding_record_kind kind, const struct op *op,
                   uint32_t mask)
{
    const struct path path = {.pc = op, .mask = mask};
    struct launch *launch = warp->block->launch;
    if (launch->is_parallel) {
        return; /* the launch will run again, on one thread */
    }
    block_report(warp, kind, &path, FINDING_RECORD_NO_ACCESS, NULL, NULL, 1);
    launch->is_reported = true;
}

/* The ops that may follow an op, at most `room` of them; more are left out. */
static size_t list_next(const struct kernel_code *code, uint32_t at, size_t room, uint32_t *out)
{
    const struct op *op = &code->ops[at];
    bool is_last = op->code == OP_BRANCH || op->code == OP_EXIT || op->code == OP_RETURN;
    size_t count = 0;

    if (op->code == OP_BRANCH_TABLE) {
        for (; count < op->target && count < room; count++) {
            out[count] = code->targets[op->pattern + count];
        }
    } else if (op->code == OP_BRANCH) {
        out[count++] = op->target;
    }
    if ((!is_last || (op->flags & OP_GUARDED) != 0) && at + 1 < code->op_count && count < room) {
        out[count++] = at + 1;
    }
    return count;
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
            count += list_next(code, at, room - count, &waiting[count]);
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

void endless_end(struct block *block)
{
    watch_free(block->watch);
    block->watch = NULL;
}

void endless_look(struct block *block)
{
    uint32_t turn = (uint32_t)(block->look_work / ENDLESS_FIRST_WORK);
    struct warp *chosen = NULL;
    endless_end(block);
    block->look_work = block->work * 2;
    for (uint32_t i = 0; i < block->warp_count && chosen == NULL; i++) {
        struct warp *warp = &block->warps[(turn + i) % block->warp_count];
        chosen = warp_begin_turn(warp) ? warp : NULL;
    }
    if (chosen != NULL) {
        block->watch = watch_new(chosen);
        endless_turn(block);
    }
}

bool endless_watches(const struct block *block, const struct warp *warp)
{
    return block->watch != NULL && block->watch->warp == warp;
}

void endless_turn(struct block *block)
{
    struct endless_watch *watch = block->watch;
    run_turn(watch);
    if (watch->is_endless && !watch->is_opaque) {
        report(watch->warp, FINDING_RECORD_ENDLESS, outermost(watch), UINT32_C(1) << watch->lane);
        launch_stop(block->launch, STOP_ENDLESS);
        block->state = BLOCK_DEADLINE;
    }
    if (watch->is_opaque || watch->is_endless || watch->steps >= STEPS_MAX) {
        endless_end(block);
    }
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
        struct endless_watch *watch = watch_new(warp);
        run_turn(watch);
        if (watch->branch != NULL) {
            bool is_endless = watch->is_endless && !watch->is_opaque;
            report(warp, is_endless ? FINDING_RECORD_ENDLESS : FINDING_RECORD_STOPPED,
                   is_endless ? outermost(watch) : watch->branch, UINT32_C(1) << watch->lane);
        }
        watch_free(watch);
    }
    if (first != NULL && !launch->is_reported) {
        report(first, FINDING_RECORD_STOPPED, at.pc, at.mask);
    }
}
