/* race_memo.h: verdicts about intervals that a worker has judged before.
 *
 * Blocks of a kernel mostly do the same, and so do the rounds of a loop: an interval that is equal
 * to an earlier one, and begins with the same bytes of shared memory written, has the same verdict.
 * Intervals are known by 128 bits of a hash with a secret key, so that no kernel can be written
 * whose intervals are confused with each other. When a memo is full it is emptied.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_RACE_MEMO_H
#define GPUGRADE_DEVICE_EMULATED_RACE_RACE_MEMO_H

#include "device/emulated/race/race_judge.h"

struct race_key {
    uint64_t bits[2];
};

struct race_verdict {
    struct race_key key;
    struct race_found *found; /* [found_count] */
    uint32_t found_count;
    uint8_t *written;             /* which bytes are written at the end, as in race_log.written;
                                     NULL: those that were at the beginning */
    struct race_key written_hash; /* of it */
    uint64_t work;                /* what the launch is charged with, each time */
    bool is_clean;                /* race_interval.is_clean */
    bool is_needed;               /* of a pair of intervals: the barrier between them is needed */
    bool is_used;
};

struct race_memo {
    struct race_verdict *verdicts; /* [slots] */
    size_t slots, count, bytes;    /* `bytes`: of what the verdicts own */
};

void race_memo_release(struct race_memo *memo);

/* The verdict of a key; NULL if there is none. */
const struct race_verdict *race_memo_find(const struct race_memo *memo, struct race_key key);

/* Adds a verdict, whose key is new, and takes over what it points to; the result is valid until the
 * next one is added. Aborts without memory. */
void race_memo_add(struct race_memo *memo, const struct race_verdict *verdict, size_t bytes);

#endif
