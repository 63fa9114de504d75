/* operand_memory.c: see operand_memory.h.
 *
 * A record names the nearest allocation by its size and by how far the access is from it. The
 * operand must be that allocation exactly; an address far away may belong to any other one, unless
 * the device knows from which pointer it was made. An index just below zero that was computed in 32
 * bits without a sign is 2^32 elements further on.
 */
#include "session/operand_memory.h"

#include "session/finding_map.h"

#include <inttypes.h>
#include <string.h>

enum { NEAR_BYTES = 16 << 10 }; /* far less than what a device leaves between allocations */

void operand_memory_add(struct arena *arena, struct operand_memories *memories,
                        const struct operand_memory *memory)
{
    arena_grow(arena, &memories->items, &memories->capacity, memories->count + 1,
               sizeof *memories->items);
    memories->items[memories->count++] = *memory;
}

/* The address of an access without the 2^32 elements that an index below zero gets where it is
 * computed without a sign. */
static uint64_t signed_address(const struct operand_memory *memory,
                               const struct finding_record *record)
{
    const uint64_t wrap = (uint64_t)memory->element_bytes << 32;
    const uint64_t offset = record->address - memory->start;

    return record->distance_bytes > 0 && offset < wrap && offset >= wrap - NEAR_BYTES
               ? record->address - wrap
               : record->address;
}

/* True if the record's allocation is the operand's and its access is next to it. */
static bool is_missed(const struct operand_memory *memory, const struct finding_record *record)
{
    uint64_t offset = record->address - memory->start; /* wraps before the start */
    uint64_t before = memory->start - record->address;
    uint64_t reach = memory->bytes > NEAR_BYTES ? memory->bytes : NEAR_BYTES;

    if (record->object_bytes != memory->bytes) {
        return false;
    }
    if (record->distance_bytes < 0) {
        return before == (uint64_t)0 - (uint64_t)record->distance_bytes &&
               (before <= NEAR_BYTES || record->has_base != 0);
    }
    if (offset < memory->bytes) {
        return record->distance_bytes == 0 && record->access_bytes > memory->bytes - offset;
    }
    uint64_t distance = (uint64_t)record->distance_bytes;
    return offset - memory->bytes == distance &&
           (distance <= reach || record->has_base != 0 ||
            signed_address(memory, record) != record->address);
}

static bool is_alike(const struct operand_memory *left, const struct operand_memory *right)
{
    return strcmp(left->name, right->name) == 0 && left->element_bytes == right->element_bytes &&
           left->rank == right->rank &&
           memcmp(left->extents, right->extents, left->rank * sizeof left->extents[0]) == 0;
}

static bool is_of(const struct operand_memory *memory, const char *kernel)
{
    return memory->kernel == NULL || strcmp(memory->kernel, kernel) == 0;
}

/* The one operand that the access misses; NULL if there is none, or if memory was used again for
 * another one. */
static const struct operand_memory *find_missed(const struct operand_memories *memories,
                                                const struct finding_record *record,
                                                const char *kernel)
{
    const struct operand_memory *found = NULL;

    for (size_t i = 0; i < memories->count; i++) {
        const struct operand_memory *memory = &memories->items[i];
        if (!is_missed(memory, record) || !is_of(memory, kernel)) {
            continue;
        }
        if (found != NULL && !is_alike(found, memory)) {
            return NULL;
        }
        found = memory;
    }
    return found;
}

/* " (32 x 16)"; "" for a row of elements. */
static const char *extents_text(struct arena *arena, const struct operand_memory *memory)
{
    const char *text = "";

    for (size_t i = 0; i < memory->rank && memory->rank > 1; i++) {
        text = arena_printf(arena, "%s%s%" PRIu64, text, i == 0 ? " (" : " x ", memory->extents[i]);
    }
    return text[0] == '\0' ? text : arena_printf(arena, "%s)", text);
}

/* "B[512]", or "B[512] to B[515]" of an access to several elements. */
static const char *elements_text(struct arena *arena, const struct operand_memory *memory,
                                 const struct finding_record *record)
{
    int64_t offset = (int64_t)(signed_address(memory, record) - memory->start);
    int64_t bytes = (int64_t)memory->element_bytes;
    int64_t first = offset >= 0 ? offset / bytes : -((bytes - 1 - offset) / bytes);
    int64_t count = (int64_t)(record->access_bytes / memory->element_bytes);

    if (count < 2) {
        return arena_printf(arena, "%s[%" PRId64 "]", memory->name, first);
    }
    return arena_printf(arena, "%s[%" PRId64 "] to %s[%" PRId64 "]", memory->name, first,
                        memory->name, first + count - 1);
}

/* "d_b(0,3)", or "d_b[3]" of a row of elements: what holds a byte of an operand. */
static const char *element_at(struct arena *arena, const struct operand_memory *memory,
                              uint64_t offset)
{
    const uint64_t element = offset / memory->element_bytes;
    const uint64_t columns = memory->extents[memory->rank > 0 ? memory->rank - 1 : 0];

    return memory->rank == 2 && columns > 0
               ? arena_printf(arena, "%s(%" PRIu64 ",%" PRIu64 ")", memory->name, element / columns,
                              element % columns)
               : arena_printf(arena, "%s[%" PRIu64 "]", memory->name, element);
}

/* " (in the first row)": where at the border of a matrix an element is; "" elsewhere. */
static const char *border_text(const struct operand_memory *memory, uint64_t offset)
{
    if (memory->rank != 2 || memory->extents[0] < 3 || memory->extents[1] < 3) {
        return "";
    }
    const uint64_t element = offset / memory->element_bytes;
    const uint64_t row = element / memory->extents[1];
    const uint64_t column = element % memory->extents[1];

    return row == 0                           ? " (in the first row)"
           : row == memory->extents[0] - 1    ? " (in the last row)"
           : column == 0                      ? " (in the first column)"
           : column == memory->extents[1] - 1 ? " (in the last column)"
                                              : "";
}

/* The one operand whose memory an access is to; NULL if there is none, or if it was used again for
 * another one. */
static const struct operand_memory *find_holder(const struct operand_memories *memories,
                                                const struct finding_record *record,
                                                const char *kernel)
{
    const struct operand_memory *found = NULL;

    for (size_t i = 0; i < memories->count; i++) {
        const struct operand_memory *memory = &memories->items[i];
        if (record->address < memory->start || record->address - memory->start >= memory->bytes ||
            record->object_bytes != memory->bytes || !is_of(memory, kernel)) {
            continue;
        }
        if (found != NULL && !is_alike(found, memory)) {
            return NULL;
        }
        found = memory;
    }
    return found;
}

/* Says which element of an operand is read, which nothing has written, or which one threads of
 * several blocks use. */
static void name_element(struct arena *arena, const struct operand_memories *memories,
                         const struct finding_record *record, struct finding *finding)
{
    const struct operand_memory *found = find_holder(memories, record, finding->kernel);

    if (found == NULL) {
        return;
    }
    const uint64_t offset = record->address - found->start;
    const char *element = element_at(arena, found, offset);
    finding->message = record->kind == FINDING_RECORD_GLOBAL_RACE
                           ? finding_race_message(arena, finding->code, element,
                                                  finding->places[0].role, finding->places[1].role)
                           : arena_printf(arena, "%s %s, which nothing has written%s",
                                          finding_verb(record->places[0].access), element,
                                          border_text(found, offset));
}

/* True if the kernel is given operands, and all are rows of elements. */
static bool has_vectors_only(const struct operand_memories *memories, const char *kernel)
{
    size_t vectors = 0;

    for (size_t i = 0; i < memories->count; i++) {
        const struct operand_memory *memory = &memories->items[i];
        if (!is_of(memory, kernel)) {
            continue;
        }
        if (memory->rank > 1) {
            return false;
        }
        vectors++;
    }
    return vectors > 0;
}

/* Lets a finding know which operand its access misses. */
static void keep_operand(struct arena *arena, const struct operand_memory *memory,
                         const struct finding_record *record, struct finding *finding)
{
    if (finding->values == NULL || record->access_bytes != memory->element_bytes) {
        return;
    }
    struct finding_values *values = arena_array(arena, 1, sizeof *values);
    *values = *finding->values;
    values->operand = memory->name;
    memcpy(values->operand_extents, memory->extents, sizeof values->operand_extents);
    values->operand_rank = memory->rank;
    finding->values = values;
}

void finding_name_operand(struct arena *arena, const struct operand_memories *memories,
                          const struct finding_record *record, struct finding *finding)
{
    if (record->kind == FINDING_RECORD_GLOBAL_UNINITIALISED ||
        (record->kind == FINDING_RECORD_GLOBAL_RACE && record->place_count > 1)) {
        name_element(arena, memories, record, finding);
        return;
    }
    if (record->kind != FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS || record->access_bytes == 0) {
        return;
    }
    finding->has_vectors_only = has_vectors_only(memories, finding->kernel);
    const struct operand_memory *memory = find_missed(memories, record, finding->kernel);
    if (memory == NULL) {
        return;
    }
    int64_t number_bytes =
        (int64_t)(memory->element_bytes / (memory->lanes > 1 ? memory->lanes : 1));
    if ((int64_t)(record->address - memory->start) % number_bytes != 0) {
        return;
    }
    keep_operand(arena, memory, record, finding);
    const bool is_before =
        record->distance_bytes < 0 || signed_address(memory, record) != record->address;
    const uint64_t elements = memory->bytes / memory->element_bytes;
    const char *where = is_before                                         ? "before the start"
                        : record->address - memory->start < memory->bytes ? "across the end"
                                                                          : "past the end";
    finding->message = arena_printf(
        arena, "%s %s, %s of %s, which has %" PRIu64 " element%s%s",
        finding_verb(record->places[0].access), elements_text(arena, memory, record), where,
        memory->name, elements, elements == 1 ? "" : "s", extents_text(arena, memory));
}
