/* race_cover.c: see race_cover.h. */
#include "device/emulated/race/race_cover.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNKNOWN_FIRST = 2,  /* intervals before a cover is made: where they repeat, it is not needed */
    CREDIT = 4,         /* accesses of covers that are sketched for each one of an interval */
    SLOTS_OF_COST = 16, /* to go through as many slots takes about as long as one access */
    WHOLE_WORD = 0xf,
};

void race_covers_release(struct race_covers *covers)
{
    for (unsigned i = 0; i < RACE_COVERS; i++) {
        free(covers->covers[i].slots);
    }
    race_sketch_release(&covers->sketch);
    *covers = (struct race_covers){0};
}

static bool pause_is_over(struct race_pause *pause)
{
    bool is_over = pause->left == 0;
    pause->left -= is_over ? 0 : 1;
    return is_over;
}

static void pause_begin(struct race_pause *pause)
{
    pause->left = pause->next;
    pause->next = pause->next == 0 ? 1 : 2 * pause->next;
    pause->next = pause->next < RACE_COVER_PAUSE ? pause->next : RACE_COVER_PAUSE;
}

static void empty(struct race_cover *cover)
{
    if (cover->count > 0) {
        memset(cover->slots, 0, cover->slot_count * sizeof *cover->slots);
    }
    cover->count = 0;
    cover->cost = cover->slot_count / SLOTS_OF_COST;
}

struct race_cover *race_cover_of(struct race_covers *covers, uint32_t number, uint32_t owner,
                                 const struct race_key *written)
{
    struct race_cover *cover = &covers->covers[number % RACE_COVERS];
    bool holds = cover->owner == owner && cover->written.bits[0] == written->bits[0] &&
                 cover->written.bits[1] == written->bits[1];
    if (!holds) {
        empty(cover);
        cover->owner = owner;
        cover->written = *written;
        cover->unknown = 0;
        cover->pause = (struct race_pause){0};
        cover->crossing_pause = (struct race_pause){0};
        cover->crossing_count = 0;
    }
    return cover;
}

static bool is_same(const struct race_entry *a, const struct race_entry *b)
{
    return a->access == b->access && a->first == b->first && a->shape == b->shape &&
           a->warp == b->warp;
}

/* The slot of an entry, or the free one where it belongs. */
static struct race_cover_slot *slot_of(const struct race_cover *cover,
                                       const struct race_entry *entry)
{
    uint64_t hash = ((uint64_t)entry->first << 32 | entry->access) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ ((uint64_t)entry->shape << 32 | entry->warp)) * UINT64_C(0xd6e8feb86659fd93);
    for (uint32_t i = (uint32_t)(hash >> 32);; i++) {
        struct race_cover_slot *slot = &cover->slots[i & (cover->slot_count - 1)];
        if (slot->times == 0 || (slot->access == entry->access && slot->first == entry->first &&
                                 slot->shape == entry->shape && slot->warp == entry->warp)) {
            return slot;
        }
    }
}

/* How often an entry has been seen in this round, with this time. */
static uint16_t see(const struct race_cover *cover, struct race_cover_slot *slot)
{
    slot->seen = slot->round == cover->round ? (uint16_t)(slot->seen + 1) : 1;
    slot->round = cover->round;
    return slot->seen;
}

static bool has_all(struct race_cover *cover, const struct race_interval *interval)
{
    cover->round++;
    for (uint32_t i = 0; i < interval->count; i++) {
        struct race_cover_slot *slot = slot_of(cover, &interval->entries[i]);
        if (slot->times == 0 || see(cover, slot) > slot->times) {
            return false;
        }
    }
    return true;
}

/* Makes room for a new set that may get twice as large as an interval. */
static void make_room(struct race_cover *cover, uint32_t entries)
{
    uint32_t slots = 64;
    while (slots < 4 * entries) {
        slots *= 2;
    }
    if (cover->slot_count < slots) {
        free(cover->slots);
        cover->slots = calloc(slots, sizeof *cover->slots);
        cover->slot_count = slots;
    }
    if (cover->slots == NULL) {
        abort();
    }
}

/* Adds the entries of an interval; false if there is no room. */
static bool add_all(struct race_cover *cover, const struct race_interval *interval)
{
    cover->round++;
    for (uint32_t i = 0; i < interval->count; i++) {
        const struct race_entry *entry = &interval->entries[i];
        struct race_cover_slot *slot = slot_of(cover, entry);
        if (slot->times == 0) {
            if (2 * (cover->count + 1) > cover->slot_count) {
                return false;
            }
            *slot = (struct race_cover_slot){.access = entry->access,
                                             .first = entry->first,
                                             .shape = entry->shape,
                                             .warp = entry->warp};
            cover->count++;
        }
        uint16_t seen = see(cover, slot);
        slot->times = seen > slot->times ? seen : slot->times;
        if (seen == UINT16_MAX) {
            return false;
        }
    }
    return true;
}

/* True if the sketch of all entries is clean. *out_number: of how many accesses it was made. */
static bool is_clean(struct race_covers *covers, const struct race_cover *cover, uint32_t words,
                     const struct race_fold *fold, uint32_t *out_number)
{
    race_sketch_begin(&covers->sketch, words);
    for (uint32_t i = 0; i < cover->slot_count; i++) {
        const struct race_cover_slot *slot = &cover->slots[i];
        for (uint32_t k = 0; k < slot->times; k++) {
            const struct race_entry entry = {.access = slot->access,
                                             .first = slot->first,
                                             .shape = slot->shape,
                                             .lanes = fold->shapes->shapes[slot->shape].mask,
                                             .warp = slot->warp};
            if (!race_sketch_enter(&covers->sketch, fold, &entry, out_number)) {
                return false;
            }
        }
    }
    return true;
}

/* Lets a cover grow more, since an interval is sketched that it has not. */
static void earn(struct race_cover *cover, const struct race_interval *interval,
                 const struct race_fold *fold)
{
    for (uint32_t i = 0; i < interval->count; i++) {
        const struct race_entry *entry = &interval->entries[i];
        cover->credit +=
            CREDIT * (UINT64_C(1) + fold->code->accesses[entry->access].follower_count);
    }
}

/* Adds the entries of an interval, if the sketch stays clean; else nothing is left. */
static bool extend(struct race_covers *covers, struct race_cover *cover,
                   const struct race_interval *interval, const struct race_fold *fold)
{
    uint32_t number = 0;
    if (cover->count == 0) {
        make_room(cover, interval->count);
    }
    const bool is_kept =
        add_all(cover, interval) && is_clean(covers, cover, interval->cells.words, fold, &number);
    const uint64_t cost = number + cover->slot_count / SLOTS_OF_COST;
    cover->credit -= cost < cover->credit ? cost : cover->credit;
    if (!is_kept) {
        empty(cover);
        return false;
    }
    cover->cost = cost;
    cover->writes_anew = race_sketch_writes_anew(&covers->sketch, fold->written);
    return true;
}

bool race_cover_has(struct race_covers *covers, struct race_cover *cover,
                    const struct race_interval *interval, const struct race_fold *fold)
{
    if (interval->is_cut || interval->has_cells || interval->count > RACE_COVER_MAX) {
        return false;
    }
    if (cover->unknown < UNKNOWN_FIRST) {
        cover->unknown++;
        return false;
    }
    if (!pause_is_over(&cover->pause)) {
        earn(cover, interval, fold);
        return false;
    }
    if (cover->count > 0 && has_all(cover, interval)) {
        cover->pause.next = 0;
        return true;
    }
    pause_begin(&cover->pause);
    earn(cover, interval, fold);
    return cover->credit >= cover->cost && extend(covers, cover, interval, fold);
}

bool race_cover_mark(const struct race_cover *cover, const struct race_interval *interval,
                     const struct race_fold *fold, uint8_t *written)
{
    unsigned changed = 0;
    for (uint32_t i = 0; i < interval->count && cover->writes_anew; i++) {
        struct race_access access;
        for (uint32_t k = 0; race_entry_access(&interval->entries[i], fold, k, &access); k++) {
            struct race_words words;
            for (race_words_begin(&words, &interval->entries[i], &access, fold);
                 race_words_next(&words) && race_is_plain_write(access.role);) {
                changed |= WHOLE_WORD & ~(unsigned)written[words.word];
                written[words.word] = WHOLE_WORD;
            }
        }
    }
    return changed != 0;
}

static bool is_made(const struct race_crossing_pair *pair, unsigned which,
                    const struct race_interval *interval)
{
    if (pair->index[which] >= interval->count) {
        return false;
    }
    const struct race_entry *entry = &interval->entries[pair->index[which]];
    return is_same(entry, &pair->entry[which]) && (entry->lanes & pair->entry[which].lanes) != 0;
}

bool race_cover_crosses(const struct race_cover *cover, const struct race_interval *before,
                        const struct race_interval *after)
{
    if (before->is_cut || before->has_cells || after->is_cut || after->has_cells) {
        return false;
    }
    for (uint32_t i = 0; i < cover->crossing_count; i++) {
        if (is_made(&cover->crossings[i], 0, before) && is_made(&cover->crossings[i], 1, after)) {
            return true;
        }
    }
    return false;
}

/* Puts into a pair an access of the first interval to a word that another thread makes, too. */
static void find_other(struct race_crossing_pair *pair, const struct race_interval *before,
                       const struct race_words *other, uint8_t role)
{
    for (uint32_t i = 0; i < before->count; i++) {
        const struct race_entry *entry = &before->entries[i];
        struct race_access access;
        for (uint32_t k = 0; race_entry_access(entry, other->fold, k, &access); k++) {
            struct race_words words;
            for (race_words_begin(&words, entry, &access, other->fold);
                 (access.role & role) != 0 && race_words_next(&words);) {
                if (words.word == other->word && words.thread != other->thread) {
                    pair->index[0] = i;
                    pair->entry[0] = *entry;
                    pair->entry[0].lanes = UINT32_C(1) << words.thread % LANES;
                    return;
                }
            }
        }
    }
}

/* Looks for a crossing of an entry of the second interval. */
static bool find_crossing(struct race_crossing_pair *pair, const struct race_interval *before,
                          const struct race_interval *after, const struct race_fold *fold)
{
    const struct race_entry *entry = &after->entries[pair->index[1]];
    struct race_access access;
    for (uint32_t k = 0; race_entry_access(entry, fold, k, &access); k++) {
        struct race_words words;
        uint8_t other = (access.role & ROLE_READS) != 0 ? ROLE_WRITES : ROLE_READS;
        for (race_words_begin(&words, entry, &access, fold); race_words_next(&words);) {
            if (race_sketch_may_cross(&before->sketch, words.word, words.thread, other)) {
                find_other(pair, before, &words, other);
                pair->entry[1] = *entry;
                pair->entry[1].lanes = UINT32_C(1) << words.thread % LANES;
                return true;
            }
        }
    }
    return false;
}

void race_cover_learn_crossings(struct race_cover *cover, const struct race_interval *before,
                                const struct race_interval *after, const struct race_fold *fold)
{
    if (cover->unknown < UNKNOWN_FIRST || !pause_is_over(&cover->crossing_pause)) {
        return;
    }
    pause_begin(&cover->crossing_pause);
    cover->crossing_count = 0;
    /* of several warps, whose branches do not depend on each other */
    const uint32_t step = 1 + after->count / RACE_CROSSINGS;
    for (uint32_t i = 0; i < after->count && cover->crossing_count < RACE_CROSSINGS;) {
        struct race_crossing_pair *pair = &cover->crossings[cover->crossing_count];
        pair->index[1] = i;
        bool is_found = find_crossing(pair, before, after, fold);
        cover->crossing_count += is_found;
        i += is_found ? step : 1;
    }
}
