/* race_sketch.c: see race_sketch.h. */
#include "device/emulated/race/race_sketch.h"

#include "device/emulated/race/race_interval.h"

#include <stdlib.h>
#include <string.h>

#define THREAD_BITS UINT64_C(0xfff)
#define WAS_READ (UINT64_C(1) << 12)
#define WAS_WRITTEN (UINT64_C(1) << 13)
#define WAS_SHARED (UINT64_C(1) << 14) /* by several threads */
#define COUNT_ONE (UINT64_C(1) << 16)
#define COUNT_BITS (UINT64_C(0xff) << 16)
#define NUMBER_ONE (UINT64_C(1) << 24)
#define NUMBER_BITS (UINT64_C(0xffff) << 24)

enum {
    ROUND_SHIFT = 40,
    ROUNDS = 1 << 24,
    COUNT_MOST = 64, /* accesses of a word, by all lanes of a warp at once: race_cells.c and
                        race_judge.c do not charge for what as many items take */
    WHOLE_WORD = 0xf,
};

void race_sketch_release(struct race_sketch *sketch)
{
    free(sketch->states);
    free(sketch->touched);
    *sketch = (struct race_sketch){0};
}

void race_sketch_begin(struct race_sketch *sketch, uint32_t words)
{
    if (sketch->states == NULL) {
        sketch->states = calloc(words, sizeof *sketch->states);
        sketch->touched = calloc(words, sizeof *sketch->touched);
    }
    if (sketch->states == NULL || sketch->touched == NULL) {
        abort();
    }
    if (++sketch->round == ROUNDS) {
        memset(sketch->states, 0, words * sizeof *sketch->states);
        sketch->round = 1;
    }
    sketch->touched_count = 0;
}

/* Enters an access of a thread to a word: `flag` tells what it does, `number` which one it is.
 * False if the sketch is not clean with it. */
static inline bool enter(struct race_sketch *sketch, uint32_t word, uint32_t thread, uint64_t flag,
                         uint64_t number)
{
    uint64_t state = sketch->states[word];
    if (state >> ROUND_SHIFT != sketch->round) {
        state = (uint64_t)sketch->round << ROUND_SHIFT | thread;
        sketch->touched[sketch->touched_count++] = word;
    }
    state |= flag | ((state & THREAD_BITS) != thread ? WAS_SHARED : 0);
    state += (state & NUMBER_BITS) != number ? COUNT_ONE : 0;
    state = (state & ~NUMBER_BITS) | number;
    sketch->states[word] = state;
    return (state & (WAS_SHARED | WAS_WRITTEN)) != (WAS_SHARED | WAS_WRITTEN) &&
           (state & COUNT_BITS) <= COUNT_MOST * COUNT_ONE;
}

/* Enters an access of a warp; false if the sketch is not clean with it. */
static bool enter_access(struct race_sketch *sketch, const struct race_fold *fold,
                         const struct race_entry *entry, const struct race_access *access,
                         uint64_t number)
{
    const unsigned bytes = (unsigned)access->op->bytes * access->op->count;
    const bool reads = access->role == ROLE_READS;
    if (bytes % 4 != 0 || (!reads && !race_is_plain_write(access->role))) {
        return false;
    }
    struct race_words words;
    for (race_words_begin(&words, entry, access, fold); race_words_next(&words);) {
        if ((reads && fold->written[words.word] != WHOLE_WORD) ||
            !enter(sketch, words.word, words.thread, reads ? WAS_READ : WAS_WRITTEN, number)) {
            return false;
        }
    }
    return true;
}

bool race_sketch_enter(struct race_sketch *sketch, const struct race_fold *fold,
                       const struct race_entry *entry, uint32_t *number)
{
    struct race_access access;
    for (uint32_t k = 0; race_entry_access(entry, fold, k, &access); k++) {
        ++*number;
        if (*number * NUMBER_ONE > NUMBER_BITS ||
            !enter_access(sketch, fold, entry, &access, *number * NUMBER_ONE)) {
            return false;
        }
    }
    return true;
}

static bool enter_all(struct race_interval *interval, const struct race_fold *fold)
{
    struct race_sketch *sketch = &interval->sketch;
    uint32_t number = 0;
    if (interval->is_cut || interval->has_cells) {
        return false;
    }
    race_sketch_begin(sketch, interval->cells.words);
    for (uint32_t i = 0; i < interval->count; i++) {
        if (!race_sketch_enter(sketch, fold, &interval->entries[i], &number)) {
            return false;
        }
    }
    return true;
}

bool race_sketch_make(struct race_interval *interval, const struct race_fold *fold)
{
    if (interval->sketch.status == SKETCH_NONE) {
        interval->sketch.status = enter_all(interval, fold) ? SKETCH_CLEAN : SKETCH_UNCLEAN;
    }
    return interval->sketch.status == SKETCH_CLEAN;
}

bool race_sketch_writes_anew(const struct race_sketch *sketch, const uint8_t *written)
{
    bool writes = false;
    for (uint32_t t = 0; t < sketch->touched_count && !writes; t++) {
        uint32_t word = sketch->touched[t];
        writes = (sketch->states[word] & WAS_WRITTEN) != 0 && written[word] != WHOLE_WORD;
    }
    return writes;
}

bool race_sketch_may_cross(const struct race_sketch *sketch, uint32_t word, uint32_t thread,
                           uint8_t role)
{
    uint64_t state = sketch->states[word];
    uint64_t flag = role == ROLE_READS ? WAS_READ : WAS_WRITTEN;
    return state >> ROUND_SHIFT == sketch->round && (state & flag) != 0 &&
           ((state & WAS_SHARED) != 0 || (state & THREAD_BITS) != thread);
}

bool race_sketch_mark(const struct race_sketch *sketch, uint8_t *written)
{
    unsigned changed = 0;
    for (uint32_t t = 0; t < sketch->touched_count; t++) {
        uint32_t word = sketch->touched[t];
        const unsigned bytes = sketch->states[word] / WAS_WRITTEN % 2 * WHOLE_WORD;
        changed |= bytes & ~(unsigned)written[word];
        written[word] |= (uint8_t)bytes;
    }
    return changed != 0;
}

enum race_crossing race_sketch_crosses(const struct race_sketch *before,
                                       const struct race_sketch *after)
{
    bool may_cross = false;
    for (uint32_t t = 0; t < before->touched_count; t++) {
        uint64_t first = before->states[before->touched[t]];
        uint64_t second = after->states[before->touched[t]];
        bool is_one_thread =
            ((first | second) & WAS_SHARED) == 0 && ((first ^ second) & THREAD_BITS) == 0;
        if (second >> ROUND_SHIFT != after->round || is_one_thread ||
            ((first | second) & WAS_WRITTEN) == 0) {
            continue;
        }
        bool reads_and_writes = ((first & WAS_READ) != 0 && (second & WAS_WRITTEN) != 0) ||
                                ((first & WAS_WRITTEN) != 0 && (second & WAS_READ) != 0);
        if (reads_and_writes) {
            return CROSSES;
        }
        may_cross = true;
    }
    return may_cross ? CROSSES_PERHAPS : CROSSES_NEVER;
}
