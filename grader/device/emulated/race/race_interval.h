/* race_interval.h: the accesses to shared memory of a block between two barriers, as a log.
 *
 *   entries  one for each request of a warp, in the order in which they happened
 *   values   of plain stores: the slots of the op's data as they were
 *   order    events between threads of the block (race_order.h)
 *   cells    the same accesses word by word (race_cells.h); made when they are needed, or when the
 *            log is full: then the entries are dropped
 *   sketch   what is known without cells (race_sketch.h)
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_RACE_INTERVAL_H
#define GPUGRADE_DEVICE_EMULATED_RACE_RACE_INTERVAL_H

#include "device/emulated/race/race_judge.h"
#include "device/emulated/race/race_memo.h"
#include "device/emulated/race/race_sketch.h"

enum {
    RACE_ENTRIES_MAX = 1 << 16,
    RACE_VALUES_MAX = 1 << 20, /* words */
    RACE_KNOWN = 1 << 10,
};

struct race_entry {
    uint32_t access; /* index */
    uint32_t first;  /* offset of the first lane of the shape */
    uint32_t shape;
    uint32_t lanes; /* active ones, of those of the shape */
    uint32_t value; /* of plain stores: where its values begin */
    uint32_t event; /* how many events there were when the warp last took part in one */
    uint32_t warp;
};

/* The last entry that was folded of those with one hash; what is equal to it tells nothing new. */
struct race_known {
    struct race_entry entry;
    uint32_t round; /* race_interval.round, when that was */
};

struct race_interval {
    struct race_entry *entries;
    uint32_t count, capacity;
    uint32_t *values;
    uint32_t value_count, value_capacity;
    struct race_order order;
    struct race_cells cells;
    struct race_sketch sketch;
    struct race_known *known; /* [RACE_KNOWN]; NULL: none yet */
    uint32_t round;           /* what is known from another one is so no longer */
    bool has_cells;           /* they hold what is logged */
    bool is_cut;              /* they hold entries that have been dropped */
    bool has_writes;
    bool is_empty;
    bool is_clean;        /* its sketch is, or would be; known at the end */
    struct race_key hash; /* at the end */
    uint64_t work;        /* what judging it took beyond its share (race_judge.h) */
    uint64_t charged;     /* of that and of cells.work, what the launch has been charged with */
};

/* What is needed to go from entries to cells. */
struct race_fold {
    const struct kernel_code *code;
    const struct shared_range *ranges;
    const struct race_shapes *shapes;
    struct worker *worker;  /* folding stops when it is late, and makes its launch so when cells are
                               full */
    const uint8_t *written; /* [words] bytes that were written before the interval, a bit each */
};

/* One access of an entry. */
struct race_access {
    const struct op *op;
    uint32_t index; /* of the access */
    uint32_t first; /* offset of the first lane */
    uint8_t role;   /* enum access_role */
};

/* The access of an entry itself (number 0), or that of a follower; false if there is none. */
static inline bool race_entry_access(const struct race_entry *entry, const struct race_fold *fold,
                                     uint32_t number, struct race_access *out_access)
{
    const struct kernel_code *code = fold->code;
    const struct shared_access *what = &code->accesses[entry->access];
    if (number > what->follower_count) {
        return false;
    }
    uint32_t index =
        number == 0 ? entry->access : code->followers[what->first_follower + number - 1];
    const struct op *op = &code->ops[code->accesses[index].op];
    uint32_t distance = (uint32_t)op->offset - (uint32_t)code->ops[what->op].offset;
    *out_access = (struct race_access){.op = op,
                                       .index = index,
                                       .first = entry->first + distance,
                                       .role = code->accesses[index].role};
    return true;
}

/* True if a lane's access at an offset was valid; else it did not happen. */
static inline bool race_access_is_valid(const struct race_access *access,
                                        const struct race_fold *fold, uint32_t offset)
{
    uint16_t own = access->op->is_followed ? 0 : access->op->range;
    const struct shared_range *range = &fold->ranges[own];
    uint32_t bytes = (uint32_t)access->op->bytes * access->op->count;
    uint64_t inside = (uint64_t)offset - range->start;
    return inside < range->bytes && bytes <= range->bytes - inside && (offset & (bytes - 1)) == 0;
}

/* Goes through the words that the valid lanes of an access touch, of accesses of whole words. */
struct race_words {
    const struct race_entry *entry;
    const struct race_access *access;
    const struct race_fold *fold;
    uint32_t left;        /* lanes */
    uint32_t word, after; /* the last word, and that after the lane's last one */
    uint32_t thread;      /* its */
};

static inline void race_words_begin(struct race_words *words, const struct race_entry *entry,
                                    const struct race_access *access, const struct race_fold *fold)
{
    *words =
        (struct race_words){.entry = entry, .access = access, .fold = fold, .left = entry->lanes};
}

/* Goes on to the next word; false if there is none. */
static inline bool race_words_next(struct race_words *words)
{
    const struct op *op = words->access->op;
    if (++words->word < words->after) {
        return true;
    }
    for (; words->left != 0; words->left &= words->left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(words->left);
        const struct race_shape *shape = &words->fold->shapes->shapes[words->entry->shape];
        uint32_t offset = words->access->first + (uint32_t)shape->delta[lane];
        if (race_access_is_valid(words->access, words->fold, offset)) {
            words->word = offset / 4;
            words->after = (offset + (uint32_t)op->bytes * op->count) / 4;
            words->thread = words->entry->warp * LANES + lane;
            words->left &= words->left - 1;
            return true;
        }
    }
    return false;
}

void race_interval_init(struct race_interval *interval, uint32_t threads, uint32_t words);
void race_interval_release(struct race_interval *interval);
void race_interval_clear(struct race_interval *interval);

/* True if there is room for an entry, and for so many words of values; makes some if it may. */
bool race_interval_has_room(struct race_interval *interval, uint32_t values);

/* Puts the entries into the cells, unless they are there. */
void race_interval_fold(struct race_interval *interval, const struct race_fold *fold);

/* Charges the launch with work up to `work` in all, unless that has been done. */
void race_interval_charge(struct race_interval *interval, struct worker *worker, uint64_t work);

/* The same as race_interval_fold, and drops the entries. */
void race_interval_cut(struct race_interval *interval, const struct race_fold *fold);

/* See race_cells_drop_events(). */
void race_interval_drop_events(struct race_interval *interval);

#endif
