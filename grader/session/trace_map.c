/* trace_map.c: see trace_map.h. */
#include "session/trace_map.h"

#include "session/finding_map.h"
#include "wire/trace_record.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)TRACE_ACCESSES_MAX == (int)TRACE_RECORDS_MAX, "a device logs what fits");
_Static_assert((int)RUBRIC_OPERANDS_MAX <= (int)TRACE_NO_OPERAND, "operands have numbers");

static int compare_lines(const void *left, const void *right)
{
    const struct trace_line *a = left;
    const struct trace_line *b = right;
    int order = strcmp(a->file, b->file);

    order = order != 0 ? order : (a->line > b->line) - (a->line < b->line);
    return order != 0 ? order : (a->column > b->column) - (a->column < b->column);
}

static struct trace_line line_of(const struct trace_source *source, const uint8_t *packed)
{
    struct finding_record_place record;
    struct place place;

    memset(&place, 0, sizeof place);
    trace_place_unpack(packed, &record);
    place_from_record(source->module, &record, &place);
    return (struct trace_line){place.file, place.line, place.column};
}

/* Fills the trace's lines; *out_numbers [count] leads from a place to its line. */
static void read_lines(struct arena *arena, const struct trace_source *source, const uint8_t *bytes,
                       size_t count, struct launch_trace *trace, const uint32_t **out_numbers)
{
    struct trace_line *lines = arena_array(arena, count + 1, sizeof *lines);
    uint32_t *numbers = arena_array(arena, count + 1, sizeof *numbers);
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        lines[i] = line_of(source, bytes + i * TRACE_PLACE_BYTES);
    }
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || compare_lines(&lines[kept - 1], &lines[i]) != 0) {
            lines[kept++] = lines[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        struct trace_line line = line_of(source, bytes + i * TRACE_PLACE_BYTES);
        const struct trace_line *found = bsearch(&line, lines, kept, sizeof *lines, compare_lines);
        numbers[i] = found == NULL ? 0 : (uint32_t)(found - lines);
    }
    trace->lines = lines;
    trace->line_count = kept;
    *out_numbers = numbers;
}

/* The operand that a device address lies in; TRACE_NO_OPERAND: none. */
static uint8_t operand_at(const struct trace_source *source, uint64_t address)
{
    for (size_t i = 0; i < source->launch->operand_count; i++) {
        uint64_t bytes =
            source->element_counts[i] * element_bytes(source->launch->operands[i].type);
        if (address - source->addresses[i] < bytes) {
            return (uint8_t)i;
        }
    }
    return TRACE_NO_OPERAND;
}

/* Bytes of each of the accesses that a record stands for: those of an element where it begins with
 * one and covers more. */
static uint32_t bytes_of_part(const struct trace_source *source, const struct trace_record *record)
{
    uint8_t operand =
        record->space == TRACE_RECORD_GLOBAL ? operand_at(source, record->where) : TRACE_NO_OPERAND;

    if (operand == TRACE_NO_OPERAND) {
        return record->bytes;
    }
    uint32_t element = (uint32_t)element_bytes(source->launch->operands[operand].type);
    bool covers_more =
        record->bytes > element && (record->where - source->addresses[operand]) % element == 0;
    return covers_more ? element : record->bytes;
}

/* One access of `bytes`, `part` of them behind the first of the record. */
static struct trace_access access_of(const struct trace_source *source,
                                     const struct trace_record *record, uint32_t bytes,
                                     uint32_t part)
{
    static const uint8_t kinds[] = {
        [FINDING_RECORD_READ] = TRACE_READ,
        [FINDING_RECORD_WRITE] = TRACE_WRITE,
        [FINDING_RECORD_ATOMIC] = TRACE_ATOMIC,
    };
    uint64_t bits = record->bits >> (8 * bytes * part);
    struct trace_access access = {
        .thread = record->thread,
        .space = record->space == TRACE_RECORD_SHARED ? TRACE_SHARED : TRACE_GLOBAL,
        .kind = kinds[record->access],
        .bytes = (uint8_t)bytes,
        .operand = TRACE_NO_OPERAND,
        .where = record->where + (uint64_t)bytes * part,
        .bits = bytes == 8 ? bits : bits & ((UINT64_C(1) << 8 * bytes) - 1),
    };

    if (access.space == TRACE_GLOBAL) {
        access.operand = operand_at(source, access.where);
    }
    if (access.operand != TRACE_NO_OPERAND) {
        access.where = (access.where - source->addresses[access.operand]) /
                       element_bytes(source->launch->operands[access.operand].type);
    }
    return access;
}

/* Checks all records and counts the accesses that they stand for. */
static bool count_accesses(const struct trace_source *source, const uint8_t *bytes, size_t count,
                           size_t place_count, size_t *out_count)
{
    size_t total = 0;

    for (size_t i = 0; i < count; i++) {
        struct trace_record record;
        if (!trace_record_unpack(bytes + i * TRACE_RECORD_BYTES, &record) ||
            record.place >= place_count || record.thread >= source->threads) {
            return false;
        }
        total += record.bytes / bytes_of_part(source, &record);
    }
    *out_count = total;
    return true;
}

bool trace_from_bytes(struct arena *arena, const struct trace_source *source, const uint8_t *bytes,
                      size_t access_count, size_t place_count, struct launch_trace *out_trace)
{
    const uint32_t *lines = NULL;
    size_t total = 0;

    if (access_count > TRACE_RECORDS_MAX || place_count > TRACE_PLACES_MAX ||
        !count_accesses(source, bytes, access_count, place_count, &total)) {
        return false;
    }
    size_t most = total < TRACE_ACCESSES_MAX ? total : TRACE_ACCESSES_MAX;
    struct trace_access *accesses = arena_array(arena, most + 1, sizeof *accesses);
    size_t used = 0;
    read_lines(arena, source, bytes + access_count * TRACE_RECORD_BYTES, place_count, out_trace,
               &lines);
    for (size_t i = 0; i < access_count; i++) {
        struct trace_record record;
        trace_record_unpack(bytes + i * TRACE_RECORD_BYTES, &record);
        uint32_t part_bytes = bytes_of_part(source, &record);
        for (uint32_t part = 0; part < record.bytes / part_bytes && used < most; part++) {
            accesses[used] = access_of(source, &record, part_bytes, part);
            accesses[used++].line = lines[record.place];
        }
    }
    out_trace->accesses = accesses;
    out_trace->access_count = used;
    out_trace->is_complete = out_trace->is_complete && total == used;
    return true;
}
