/* value_parts.c: see value_parts.h. */
#include "session/value_parts.h"

#include "wire/trace_record.h"

#include <stdlib.h>

static int compare_elements(const struct operand_element *left, const struct operand_element *right)
{
    if (left->operand != right->operand) {
        return left->operand < right->operand ? -1 : 1;
    }
    return left->element < right->element ? -1 : left->element > right->element;
}

static int compare_parts(const void *left, const void *right)
{
    return compare_elements(&((const struct value_part *)left)->from,
                            &((const struct value_part *)right)->from);
}

/* The operand that holds values before the call and has an address; its number of operands: none.
 */
static size_t operand_at(const struct followed_memory *memory, uint64_t address)
{
    size_t i = 0;

    for (; i < memory->launch->operand_count; i++) {
        const struct rubric_operand *operand = &memory->launch->operands[i];
        if (operand_has_values(operand) && !operand->is_in_host_memory &&
            address - memory->bound->addresses[i] <
                memory->element_counts[i] * element_bytes(operand->type)) {
            return i;
        }
    }
    return i;
}

/* Takes the records that are elements of operands; false if one is a piece of them. */
static bool take_parts(const struct followed_memory *memory, const uint8_t *records, size_t count,
                       struct value_part *parts, size_t *out_count)
{
    size_t taken = 0;

    for (size_t i = 0; i < count; i++) {
        struct term_record record;
        term_record_unpack(records + i * TERM_RECORD_BYTES, &record);
        const size_t operand = operand_at(memory, record.address);
        if (operand == memory->launch->operand_count) {
            continue; /* other memory, as it was before */
        }
        const size_t bytes = element_bytes(memory->launch->operands[operand].type);
        const uint64_t offset = record.address - memory->bound->addresses[operand];
        if (record.bytes != bytes || offset % bytes != 0) {
            return false;
        }
        parts[taken++] = (struct value_part){
            {(uint32_t)operand, (size_t)(offset / bytes)},
            record.count,
            origin_line(memory->connection, record.modules[0], &record.places[0]),
            origin_line(memory->connection, record.modules[1], &record.places[1])};
    }
    *out_count = taken;
    return true;
}

/* Sorts parts and makes one of those that are the same element; returns how many are left. */
static size_t merge_parts(struct value_part *parts, size_t count)
{
    size_t kept = 0;

    qsort(parts, count, sizeof *parts, compare_parts);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_parts(&parts[kept - 1], &parts[i]) == 0) {
            uint32_t *sum = &parts[kept - 1].count;
            *sum = *sum > UINT32_MAX - parts[i].count ? UINT32_MAX : *sum + parts[i].count;
        } else {
            parts[kept++] = parts[i];
        }
    }
    return kept;
}

/* Compares the needs with the parts, both sorted. */
static void find_missing(struct parted_value *value)
{
    size_t part = 0;

    for (size_t i = 0; i < value->need_count; i++) {
        while (part < value->part_count &&
               compare_elements(&value->parts[part].from, &value->needs[i]) < 0) {
            part++;
        }
        if (part == value->part_count ||
            compare_elements(&value->parts[part].from, &value->needs[i]) != 0) {
            value->first_missing = value->missing_count++ == 0 ? i : value->first_missing;
        }
    }
}

static enum error ask_parts(const struct followed_memory *memory, struct arena *arena,
                            uint64_t address, uint64_t bytes, struct parted_value *value,
                            struct diagnostic *diagnostic)
{
    const struct message request = {.type = CONTROL_TERMS, .words = {address, bytes}};
    struct message reply;
    enum error error = connection_call(memory->connection, &request, &reply, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    const size_t count = reply.payload_bytes / TERM_RECORD_BYTES;
    if (reply.payload_bytes % TERM_RECORD_BYTES != 0 || count > TERM_RECORDS_MAX) {
        diagnostic_set(diagnostic, BLAME_GRADER, "what a value is made of cannot be read");
        return ERROR_PEER;
    }
    struct value_part *parts = arena_array(arena, count + 1, sizeof *parts);
    if (reply.words[0] == count &&
        take_parts(memory, reply.payload, count, parts, &value->part_count)) {
        value->is_known = true;
        value->parts = parts;
        value->part_count = merge_parts(parts, value->part_count);
    }
    return ERROR_NONE;
}

static enum error ask_fate(const struct followed_memory *memory, struct parted_value *value,
                           struct diagnostic *diagnostic)
{
    const struct operand_element *from = &value->needs[value->first_missing];
    const size_t bytes = element_bytes(memory->launch->operands[from->operand].type);
    const struct message request = {
        .type = CONTROL_FATE,
        .words = {memory->bound->addresses[from->operand] + from->element * bytes}};
    struct message reply;
    struct finding_record_place place;
    enum error error = connection_call(memory->connection, &request, &reply, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (reply.payload_bytes != TRACE_PLACE_BYTES) {
        diagnostic_set(diagnostic, BLAME_GRADER, "how far an element gets cannot be read");
        return ERROR_PEER;
    }
    trace_place_unpack(reply.payload, &place);
    value->fate = origin_line(memory->connection, reply.words[0], &place);
    value->is_only_loaded = reply.words[1] == TERM_LOADED;
    value->decides = reply.words[1] == TERM_DECIDES;
    return ERROR_NONE;
}

enum error value_parts_read(const struct followed_memory *memory, struct arena *arena,
                            struct followed_call *followed, struct diagnostic *diagnostic)
{
    const size_t bytes = element_bytes(memory->launch->operands[followed->operand].type);
    const uint64_t first = memory->bound->addresses[followed->operand];
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < followed->parted_count && error == ERROR_NONE; i++) {
        struct parted_value *value = &followed->parted[i];
        error = ask_parts(memory, arena, first + value->element * bytes, bytes, value, diagnostic);
        if (error == ERROR_NONE && value->is_known) {
            find_missing(value);
        }
        if (error == ERROR_NONE && value->missing_count > 0) {
            error = ask_fate(memory, value, diagnostic);
        }
    }
    return error;
}
