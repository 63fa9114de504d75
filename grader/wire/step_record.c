/* step_record.c: lays steps and regions out and reads them back. */
#include "wire/step_record.h"

#include "wire/little_endian.h"

#include <string.h>

enum { HEAD_BYTES = STEP_RECORD_BYTES_MIN, ADDRESS_BYTES = 8 };

static bool is_access(uint32_t kind)
{
    return kind == STEP_RECORD_READ || kind == STEP_RECORD_WRITE || kind == STEP_RECORD_ATOMIC;
}

/* True if the addresses grow by one distance from lane to lane, those that are left out included.
 */
static bool is_even(const struct step_record *record, uint64_t *out_first, uint64_t *out_distance)
{
    unsigned first = (unsigned)__builtin_ctz(record->lanes);
    uint32_t left = record->lanes & (record->lanes - 1);

    *out_first = record->addresses[first];
    *out_distance = 0;
    if (left != 0) {
        unsigned second = (unsigned)__builtin_ctz(left);
        int64_t apart = (int64_t)(record->addresses[second] - *out_first);
        *out_distance = (uint64_t)(apart / (int64_t)(second - first));
    }
    for (; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (record->addresses[lane] != *out_first + *out_distance * (lane - first)) {
            return false;
        }
    }
    return true;
}

static void append_u64(struct text *out, uint64_t value)
{
    uint8_t bytes[ADDRESS_BYTES];

    little_put_u64(bytes, value);
    text_append_bytes(out, bytes, sizeof bytes);
}

void step_record_pack(const struct step_record *record, struct text *out)
{
    uint64_t first = 0;
    uint64_t distance = 0;
    bool has_list = is_access(record->kind) && !is_even(record, &first, &distance);
    uint8_t head[HEAD_BYTES];

    little_put_u32(head, (record->kind & 0xf) | (record->releases ? 1u << 4 : 0) |
                             (record->space & 1) << 5 | (has_list ? 1u << 6 : 0) |
                             (record->bytes & 0xff) << 8 | (record->warp & 0xffff) << 16);
    little_put_u32(head + 4, record->place);
    little_put_u32(head + 8, record->lanes);
    little_put_u32(head + 12, record->other);
    text_append_bytes(out, head, sizeof head);
    if (has_list) {
        for (uint32_t left = record->lanes; left != 0; left &= left - 1) {
            append_u64(out, record->addresses[__builtin_ctz(left)]);
        }
    } else if (is_access(record->kind)) {
        append_u64(out, first);
        append_u64(out, distance);
    }
}

static bool is_valid(const struct step_record *record)
{
    bool is_known = record->kind >= STEP_RECORD_READ && record->kind < STEP_RECORD_KIND_END;
    bool is_sized = !is_access(record->kind) || (record->bytes >= 1 && record->bytes <= 64);

    return is_known && is_sized && record->lanes != 0;
}

bool step_record_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                        struct step_record *out_record)
{
    struct step_record record = {.kind = 0};
    size_t at = *cursor;

    if (length - at < HEAD_BYTES) {
        return false;
    }
    uint32_t kind = little_get_u32(bytes + at);
    record.kind = kind & 0xf;
    record.releases = (kind >> 4 & 1) != 0;
    record.space = kind >> 5 & 1;
    record.bytes = kind >> 8 & 0xff;
    record.warp = kind >> 16;
    record.place = little_get_u32(bytes + at + 4);
    record.lanes = little_get_u32(bytes + at + 8);
    record.other = little_get_u32(bytes + at + 12);
    at += HEAD_BYTES;
    bool has_list = (kind >> 6 & 1) != 0;
    size_t numbers = !is_access(record.kind) ? 0
                     : has_list              ? (size_t)__builtin_popcount(record.lanes)
                                             : 2;
    if (!is_valid(&record) || (length - at) / ADDRESS_BYTES < numbers) {
        return false;
    }
    unsigned first = (unsigned)__builtin_ctz(record.lanes);
    for (uint32_t left = numbers > 0 ? record.lanes : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (has_list) {
            record.addresses[lane] = little_get_u64(bytes + at);
            at += ADDRESS_BYTES;
        } else {
            record.addresses[lane] = little_get_u64(bytes + at) +
                                     little_get_u64(bytes + at + ADDRESS_BYTES) * (lane - first);
        }
    }
    *cursor = has_list ? at : at + numbers * ADDRESS_BYTES;
    *out_record = record;
    return true;
}

void step_region_pack(const struct step_region *region, struct text *out)
{
    uint8_t space[4];

    little_put_u32(space, region->space);
    text_append_bytes(out, space, sizeof space);
    append_u64(out, region->start);
    append_u64(out, region->bytes);
    text_append_bytes(out, region->name, sizeof region->name);
}

bool step_region_unpack(const uint8_t *bytes, struct step_region *out_region)
{
    struct step_region region = {
        .space = little_get_u32(bytes),
        .start = little_get_u64(bytes + 4),
        .bytes = little_get_u64(bytes + 12),
    };

    memcpy(region.name, bytes + 20, sizeof region.name);
    if (region.space > TRACE_RECORD_SHARED || region.name[sizeof region.name - 1] != '\0') {
        return false;
    }
    *out_region = region;
    return true;
}
