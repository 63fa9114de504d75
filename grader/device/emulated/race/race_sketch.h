/* race_sketch.h: who accessed each word of shared memory in one interval, as far as that is simple.
 *
 * In most intervals of most kernels no word that is written is accessed by two threads. Then
 * nothing races, whatever is written and whatever events order the threads: a state for each word
 * tells so, for a small part of the work that the items of race_cells.h take. A sketch is clean if
 * that is so, all accesses are of whole words, none is atomic, what is read was written before the
 * interval, and each word has so few accesses that the launch is not charged for judging them. A
 * sketch that is not clean says nothing.
 *
 *   states[word]   of another round: not accessed in this interval; else
 *                  round 24 | number of the last access 16 | accesses 8 | flags 4 | first thread 12
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_RACE_SKETCH_H
#define GPUGRADE_DEVICE_EMULATED_RACE_RACE_SKETCH_H

#include <stdbool.h>
#include <stdint.h>

enum race_sketch_status { SKETCH_NONE, SKETCH_CLEAN, SKETCH_UNCLEAN };

struct race_sketch {
    uint64_t *states;  /* [words of shared memory]; NULL until one is made */
    uint32_t *touched; /* [touched_count] words that were accessed; NULL likewise */
    uint32_t touched_count;
    uint32_t round;
    uint8_t status; /* enum race_sketch_status */
};

struct race_interval;
struct race_fold;
struct race_entry;

void race_sketch_release(struct race_sketch *sketch);

/* Makes the sketch of an interval whose entries are complete, unless that has been done; true if it
 * is clean. Aborts without memory. */
bool race_sketch_make(struct race_interval *interval, const struct race_fold *fold);

/* Begins a sketch of accesses to `words` words; aborts without memory. */
void race_sketch_begin(struct race_sketch *sketch, uint32_t words);

/* Enters the accesses of an entry; false if the sketch is not clean with them. *number counts
 * accesses, from 0 on. */
bool race_sketch_enter(struct race_sketch *sketch, const struct race_fold *fold,
                       const struct race_entry *entry, uint32_t *number);

/* True if a word is written that was not written before, as far as race_log.written knows. */
bool race_sketch_writes_anew(const struct race_sketch *sketch, const uint8_t *written);

/* True if a word is accessed by a thread that is not the given one, and some access of it has the
 * role: ROLE_READS or ROLE_WRITES. */
bool race_sketch_may_cross(const struct race_sketch *sketch, uint32_t word, uint32_t thread,
                           uint8_t role);

/* Marks the words that were written in an interval with a clean sketch, as in race_log.written;
 * true if that is anything new. */
bool race_sketch_mark(const struct race_sketch *sketch, uint8_t *written);

enum race_crossing { CROSSES_NEVER, CROSSES, CROSSES_PERHAPS };

/* Whether an access of one interval and one of the next would race if they were one interval; both
 * sketches are clean, and neither interval has events. Perhaps: if the same was not written. */
enum race_crossing race_sketch_crosses(const struct race_sketch *before,
                                       const struct race_sketch *after);

#endif
