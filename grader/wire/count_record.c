/* count_record.c: lays counts out and reads them back; the order is that of the struct. */
#include "wire/count_record.h"

#include "wire/little_endian.h"

#include <string.h>

enum { SMALL_NUMBERS = 10, LARGE_NUMBERS = 12 };

/* Names the numbers of a record in their order. */
static void record_numbers(struct count_record *record, uint32_t *out_small[SMALL_NUMBERS],
                           uint64_t *out_large[LARGE_NUMBERS])
{
    uint32_t *small[SMALL_NUMBERS] = {
        &record->kind,           &record->space,      &record->access,       &record->file,
        &record->line,           &record->column,     &record->inlined_file, &record->inlined_line,
        &record->inlined_column, &record->max_degree,
    };
    uint64_t *large[LARGE_NUMBERS] = {
        &record->address,   &record->requests,      &record->lanes,      &record->bytes,
        &record->sectors,   &record->least_sectors, &record->wavefronts, &record->least_wavefronts,
        &record->divergent, &record->passed,        &record->needed,     &record->multiply_adds,
    };

    memcpy(out_small, small, sizeof(small));
    memcpy(out_large, large, sizeof(large));
}

void count_record_pack(const struct count_record *record, uint8_t *out_bytes)
{
    struct count_record copy = *record;
    uint32_t *small[SMALL_NUMBERS];
    uint64_t *large[LARGE_NUMBERS];
    uint8_t *at = out_bytes;

    record_numbers(&copy, small, large);
    for (size_t i = 0; i < SMALL_NUMBERS; i++, at += 4) {
        little_put_u32(at, *small[i]);
    }
    for (size_t i = 0; i < LARGE_NUMBERS; i++, at += 8) {
        little_put_u64(at, *large[i]);
    }
}

static bool is_access_valid(const struct count_record *record)
{
    bool has_space = record->space > COUNT_SPACE_NONE && record->space < COUNT_SPACE_END;
    bool has_access = record->access == FINDING_RECORD_READ ||
                      record->access == FINDING_RECORD_WRITE ||
                      record->access == FINDING_RECORD_ATOMIC;

    return has_space && has_access && record->least_sectors <= record->sectors &&
           record->least_wavefronts <= record->wavefronts;
}

static bool is_valid(const struct count_record *record)
{
    switch (record->kind) {
    case COUNT_RECORD_ACCESS:
    case COUNT_RECORD_ALLOCATION:
        return is_access_valid(record);
    case COUNT_RECORD_BARRIER:
        return record->needed <= record->passed;
    case COUNT_RECORD_PRODUCT:
        return true;
    case COUNT_RECORD_BRANCH:
        return record->divergent <= record->requests;
    default:
        return false;
    }
}

bool count_record_unpack(const uint8_t *bytes, struct count_record *out_record)
{
    struct count_record record = {.kind = 0};
    uint32_t *small[SMALL_NUMBERS];
    uint64_t *large[LARGE_NUMBERS];
    const uint8_t *at = bytes;

    record_numbers(&record, small, large);
    for (size_t i = 0; i < SMALL_NUMBERS; i++, at += 4) {
        *small[i] = little_get_u32(at);
    }
    for (size_t i = 0; i < LARGE_NUMBERS; i++, at += 8) {
        *large[i] = little_get_u64(at);
    }
    if (!is_valid(&record)) {
        return false;
    }
    *out_record = record;
    return true;
}
