/* finding_room.c: see finding_room.h. */
#include "device/finding_room.h"

#include <stdlib.h>
#include <string.h>

static int compare_keys(const struct finding_key *a, const struct finding_key *b)
{
    for (size_t i = 0; i < FINDING_KEY_PARTS; i++) {
        if (a->parts[i] != b->parts[i]) {
            return a->parts[i] < b->parts[i] ? -1 : 1;
        }
    }
    return 0;
}

size_t finding_room_find(const struct finding_room *room, uint32_t kind,
                         const struct finding_key *key)
{
    for (size_t i = 0; i < room->counts[kind]; i++) {
        if (compare_keys(&room->entries[kind][i].key, key) == 0) {
            return i;
        }
    }
    return FINDING_ROOM;
}

static bool goes_before(const struct finding_entry *a, const struct finding_entry *b)
{
    return a->rank != b->rank ? a->rank < b->rank : compare_keys(&a->key, &b->key) < 0;
}

/* Ranks a new entry, and the others of its line anew. */
static void rank_entry(struct finding_entry *entries, size_t count, struct finding_entry *added)
{
    for (size_t i = 0; i < count; i++) {
        bool is_of_line = entries[i].key.line == added->key.line;
        bool is_lower = is_of_line && compare_keys(&entries[i].key, &added->key) < 0;
        added->rank += is_lower;
        entries[i].rank += is_of_line && !is_lower;
    }
}

/* The slot of the last of all entries; FINDING_ROOM if that is `added`. It is the last one of its
 * line too, so no other rank changes when it goes. */
static size_t find_last(const struct finding_entry *entries, const struct finding_entry *added)
{
    const struct finding_entry *last = added;
    size_t slot = FINDING_ROOM;
    for (size_t i = 0; i < FINDING_ROOM; i++) {
        if (goes_before(last, &entries[i])) {
            last = &entries[i];
            slot = i;
        }
    }
    return slot;
}

size_t finding_room_take(struct finding_room *room, uint32_t kind, const struct finding_key *key,
                         bool *out_is_taken)
{
    struct finding_entry added = {.key = *key};
    if (room->entries[kind] == NULL) {
        room->entries[kind] = calloc(FINDING_ROOM, sizeof *room->entries[kind]);
        if (room->entries[kind] == NULL) {
            abort();
        }
    }
    struct finding_entry *entries = room->entries[kind];
    size_t slot = room->counts[kind];
    *out_is_taken = slot == FINDING_ROOM;
    rank_entry(entries, slot, &added);
    if (*out_is_taken) {
        slot = find_last(entries, &added);
    } else {
        room->counts[kind]++;
    }
    if (slot != FINDING_ROOM) {
        entries[slot] = added;
    }
    return slot;
}

void finding_room_release(struct finding_room *room)
{
    for (size_t kind = 0; kind < FINDING_RECORD_KIND_END; kind++) {
        free(room->entries[kind]);
    }
    memset(room, 0, sizeof *room);
}
