/* race_judge.h: decides from the cells of an interval which accesses race.
 *
 * For each word and each pair of sites it looks for one pair of threads: that of the lowest
 * threads. What is found is gathered for each pair of sites, with the number of words and the
 * lowest of them.
 *
 * For two warps that access a word, accesses are compared only where no event orders them as a
 * whole, so the cost of an interval is mostly linear in its size. The launch is charged for the
 * cost beyond its share (launch_work.h), which follows from the interval alone.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_RACE_JUDGE_H
#define GPUGRADE_DEVICE_EMULATED_RACE_RACE_JUDGE_H

#include "device/emulated/race/race_behind.h"
#include "wire/finding_record.h"

/* In one interval: a pair of sites that race, or a site that reads what no thread wrote. */
struct race_found {
    uint32_t kind;       /* SHARED_RACE, WARP_RACE or SHARED_UNINITIALISED */
    uint32_t sites[2];   /* ascending; one of SHARED_UNINITIALISED: both are the same */
    uint32_t threads[2]; /* in the lowest word, the lowest pair */
    uint32_t offset;     /* of the lowest byte */
    uint64_t words;
};

/* One interval. */
struct race_side {
    const struct race_cells *cells;
    const struct race_order *order;
};

struct race_judge {
    struct worker *worker;    /* when its launch is late, no more is judged */
    struct race_found *found; /* [found_count] */
    uint32_t found_count, found_capacity;
    uint32_t *slots; /* [slot_count] 1 plus an index in `found`; 0: free */
    uint32_t slot_count;
    bool used_values;  /* something depended on whether two threads wrote the same value */
    uint64_t *counted; /* [counted_slots] words that have been counted: 1 plus
                          index in `found` << 32 | word; NULL: the interval is judged at once */
    uint32_t counted_slots, counted_count;
    const struct race_item *
        *list; /* items of the word that is being judged, and room for as many */
    uint32_t list_capacity;
    uint32_t *set;   /* scratch */
    uint64_t work;   /* what the launch has been charged with since the last clearing */
    uint64_t looked; /* the same, when it was last asked whether it must stop */
    bool must_stop;
    struct race_behind behind;
};

/* Aborts without memory. */
void race_judge_init(struct race_judge *judge, struct worker *worker);
void race_judge_release(struct race_judge *judge);

/* Forgets what was found, and what was charged; the second form that alone. */
void race_judge_clear(struct race_judge *judge);
void race_judge_clear_work(struct race_judge *judge);

/* Adds what is found in an interval. A part of it that is judged before the rest is known
 * (`is_last` false) is judged again with the rest; words are counted once. */
void race_judge_cells(struct race_judge *judge, const struct race_side *side, bool is_last);

/* True if an access of one interval and one of the next would race if they were one interval. */
bool race_judge_crosses(struct race_judge *judge, const struct race_side *before,
                        const struct race_side *after);

#endif
