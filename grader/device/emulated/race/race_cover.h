/* race_cover.h: accesses that do not race, whichever of them are made.
 *
 * Where branches depend on data, intervals differ from each other in which lanes take part, and in
 * little else. A cover is a set of entries of a log, each for all lanes of its shape, whose sketch
 * (race_sketch.h) is clean. So is that of any interval all of whose entries are in the set: with
 * fewer accesses there are no more threads at a word, no more reads of what was not written before
 * the interval, and no more accesses of a word. Then no sketch is made for it.
 *
 * A log has a cover for each of the first intervals of its blocks, made from what was seen there
 * when intervals are not known from race_memo.h. An entry that is missing is added, if the sketch
 * stays clean. What is not covered is judged otherwise, so covers change no verdict. To make the
 * sketches of covers takes at most a few times as long as to make those of what is not covered.
 *
 * A cover also remembers crossings: pairs of accesses by different threads, one in the interval
 * before and one in this one, a read and a write of one word. Where both are made, the barrier
 * between the intervals is needed.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_RACE_COVER_H
#define GPUGRADE_DEVICE_EMULATED_RACE_RACE_COVER_H

#include "device/emulated/race/race_interval.h"

enum {
    RACE_COVERS = 64,           /* the others of a block use those of earlier ones */
    RACE_COVER_MAX = 1 << 10,   /* entries */
    RACE_CROSSINGS = 16,        /* of one cover */
    RACE_COVER_PAUSE = 1 << 10, /* at most */
};

/* After each failure twice as many tries are left out. */
struct race_pause {
    uint32_t left, next;
};

struct race_cover_slot {
    uint32_t access, first, shape, warp; /* as in an entry */
    uint16_t times;                      /* that it may be made; 0: free */
    uint16_t seen;                       /* in race_cover.round, if that is `round` */
    uint32_t round;
};

struct race_crossing_pair {
    uint32_t index[2];          /* of the entries in their logs */
    struct race_entry entry[2]; /* `lanes`: the one that crosses */
};

struct race_cover {
    uint32_t owner;          /* it holds for shapes of this number (race_watch.c), */
    struct race_key written; /* ... and when this is written before the interval */
    uint32_t unknown;        /* intervals so far */
    struct race_pause pause, crossing_pause;
    struct race_cover_slot *slots; /* [slot_count]; NULL: none yet */
    uint32_t slot_count, count;
    uint64_t cost, credit; /* of making its sketch again; for that: see race_cover.c */
    uint32_t round;
    bool writes_anew; /* some entry writes what is not written before the interval */
    struct race_crossing_pair crossings[RACE_CROSSINGS];
    uint32_t crossing_count;
};

struct race_covers {
    struct race_cover covers[RACE_COVERS];
    struct race_sketch sketch; /* scratch */
};

void race_covers_release(struct race_covers *covers);

/* The cover of an interval, by its number in the block. */
struct race_cover *race_cover_of(struct race_covers *covers, uint32_t number, uint32_t owner,
                                 const struct race_key *written);

/* True if the sketch of an interval would be clean, since a cover has all its entries, or has them
 * now. Aborts without memory. */
bool race_cover_has(struct race_covers *covers, struct race_cover *cover,
                    const struct race_interval *interval, const struct race_fold *fold);

/* Marks the words that a covered interval writes, as race_sketch_mark(). */
bool race_cover_mark(const struct race_cover *cover, const struct race_interval *interval,
                     const struct race_fold *fold, uint8_t *written);

/* True if a crossing that the cover of the second interval remembers is there; both are clean. */
bool race_cover_crosses(const struct race_cover *cover, const struct race_interval *before,
                        const struct race_interval *after);

/* Remembers crossings of two intervals, whose sketches are made. */
void race_cover_learn_crossings(struct race_cover *cover, const struct race_interval *before,
                                const struct race_interval *after, const struct race_fold *fold);

#endif
