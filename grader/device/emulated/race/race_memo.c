/* race_memo.c: see race_memo.h. */
#include "device/emulated/race/race_memo.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_FIRST = 64,
    SLOTS_MAX = 1 << 15,
    BYTES_MAX = 1 << 24,
};

static void empty(struct race_memo *memo)
{
    for (size_t i = 0; i < memo->slots; i++) {
        free(memo->verdicts[i].found);
        free(memo->verdicts[i].written);
        memo->verdicts[i] = (struct race_verdict){.is_used = false};
    }
    memo->count = 0;
    memo->bytes = 0;
}

void race_memo_release(struct race_memo *memo)
{
    empty(memo);
    free(memo->verdicts);
    *memo = (struct race_memo){0};
}

/* The slot of a key, or the free one where it belongs. */
static struct race_verdict *slot_of(const struct race_memo *memo, struct race_key key)
{
    size_t slot = (size_t)key.bits[0] & (memo->slots - 1);
    while (memo->verdicts[slot].is_used && (memo->verdicts[slot].key.bits[0] != key.bits[0] ||
                                            memo->verdicts[slot].key.bits[1] != key.bits[1])) {
        slot = (slot + 1) & (memo->slots - 1);
    }
    return &memo->verdicts[slot];
}

const struct race_verdict *race_memo_find(const struct race_memo *memo, struct race_key key)
{
    if (memo->slots == 0) {
        return NULL;
    }
    const struct race_verdict *verdict = slot_of(memo, key);
    return verdict->is_used ? verdict : NULL;
}

static void grow(struct race_memo *memo)
{
    struct race_memo larger = {.slots = memo->slots == 0 ? SLOTS_FIRST : memo->slots * 2,
                               .count = memo->count,
                               .bytes = memo->bytes};
    larger.verdicts = calloc(larger.slots, sizeof *larger.verdicts);
    if (larger.verdicts == NULL) {
        abort();
    }
    for (size_t i = 0; i < memo->slots; i++) {
        if (memo->verdicts[i].is_used) {
            *slot_of(&larger, memo->verdicts[i].key) = memo->verdicts[i];
        }
    }
    free(memo->verdicts);
    *memo = larger;
}

void race_memo_add(struct race_memo *memo, const struct race_verdict *verdict, size_t bytes)
{
    bool is_full = 2 * (memo->count + 1) > memo->slots;
    if (memo->bytes + bytes > BYTES_MAX || (is_full && memo->slots == SLOTS_MAX)) {
        empty(memo);
    } else if (is_full) {
        grow(memo);
    }
    if (memo->slots == 0) {
        grow(memo);
    }
    struct race_verdict *slot = slot_of(memo, verdict->key);
    *slot = *verdict;
    slot->is_used = true;
    memo->count++;
    memo->bytes += bytes;
}
