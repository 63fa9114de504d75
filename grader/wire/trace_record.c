/* trace_record.c: lays traced accesses and their places out and reads them back. */
#include "wire/trace_record.h"

#include "wire/little_endian.h"

#include <string.h>

enum { PLACE_NUMBERS = 6 };

void trace_record_pack(const struct trace_record *record, uint8_t *out_bytes)
{
    uint32_t kind = (record->thread & 0xffff) | (record->space & 0xf) << 16 |
                    (record->access & 0xf) << 20 | (record->bytes & 0xff) << 24;

    little_put_u32(out_bytes, kind);
    little_put_u32(out_bytes + 4, record->place);
    little_put_u64(out_bytes + 8, record->where);
    little_put_u64(out_bytes + 16, record->bits);
}

static bool is_valid(const struct trace_record *record)
{
    bool has_space = record->space == TRACE_RECORD_GLOBAL || record->space == TRACE_RECORD_SHARED;
    bool has_access = record->access == FINDING_RECORD_READ ||
                      record->access == FINDING_RECORD_WRITE ||
                      record->access == FINDING_RECORD_ATOMIC;
    bool has_bytes =
        record->bytes == 1 || record->bytes == 2 || record->bytes == 4 || record->bytes == 8;

    return has_space && has_access && has_bytes &&
           (record->bytes == 8 || record->bits >> (8 * record->bytes) == 0);
}

bool trace_record_unpack(const uint8_t *bytes, struct trace_record *out_record)
{
    uint32_t kind = little_get_u32(bytes);
    const struct trace_record record = {
        .thread = kind & 0xffff,
        .space = kind >> 16 & 0xf,
        .access = kind >> 20 & 0xf,
        .bytes = kind >> 24,
        .place = little_get_u32(bytes + 4),
        .where = little_get_u64(bytes + 8),
        .bits = little_get_u64(bytes + 16),
    };

    if (!is_valid(&record)) {
        return false;
    }
    *out_record = record;
    return true;
}

void trace_place_pack(const struct finding_record_place *place, uint8_t *out_bytes)
{
    const uint32_t numbers[PLACE_NUMBERS] = {
        place->file,         place->line,         place->column,
        place->inlined_file, place->inlined_line, place->inlined_column,
    };

    for (size_t i = 0; i < PLACE_NUMBERS; i++) {
        little_put_u32(out_bytes + 4 * i, numbers[i]);
    }
}

void trace_place_unpack(const uint8_t *bytes, struct finding_record_place *out_place)
{
    *out_place = (struct finding_record_place){
        .file = little_get_u32(bytes),
        .line = little_get_u32(bytes + 4),
        .column = little_get_u32(bytes + 8),
        .inlined_file = little_get_u32(bytes + 12),
        .inlined_line = little_get_u32(bytes + 16),
        .inlined_column = little_get_u32(bytes + 20),
    };
}

void term_record_pack(const struct term_record *record, uint8_t *out_bytes)
{
    little_put_u64(out_bytes, record->address);
    little_put_u32(out_bytes + 8, record->bytes);
    little_put_u32(out_bytes + 12, record->count);
    for (size_t i = 0; i < 2; i++) {
        little_put_u32(out_bytes + 16 + 4 * i, record->modules[i]);
        trace_place_pack(&record->places[i], out_bytes + 24 + i * TRACE_PLACE_BYTES);
    }
}

void term_record_unpack(const uint8_t *bytes, struct term_record *out_record)
{
    *out_record = (struct term_record){
        .address = little_get_u64(bytes),
        .bytes = little_get_u32(bytes + 8),
        .count = little_get_u32(bytes + 12),
    };
    for (size_t i = 0; i < 2; i++) {
        out_record->modules[i] = little_get_u32(bytes + 16 + 4 * i);
        trace_place_unpack(bytes + 24 + i * TRACE_PLACE_BYTES, &out_record->places[i]);
    }
}
