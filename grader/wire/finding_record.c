/* finding_record.c: lays findings out and reads them back; the order is that of the struct. */
#include "wire/finding_record.h"

#include "wire/control.h"
#include "wire/little_endian.h"

#include <string.h>

enum { PLACE_NUMBERS = 13 };

/* Names the numbers of a place in their order. */
static void place_numbers(struct finding_record_place *place, uint32_t *out_numbers[PLACE_NUMBERS])
{
    uint32_t *numbers[PLACE_NUMBERS] = {
        &place->access,       &place->file,         &place->line,           &place->column,
        &place->inlined_file, &place->inlined_line, &place->inlined_column, &place->block[0],
        &place->block[1],     &place->block[2],     &place->thread[0],      &place->thread[1],
        &place->thread[2],
    };

    memcpy(out_numbers, numbers, sizeof(numbers));
}

static uint8_t *launch_pack(const struct finding_record_launch *launch, uint8_t *at)
{
    little_put_u64(at, control_dimensions_pack(launch->grid));
    little_put_u64(at + 8, control_dimensions_pack(launch->block));
    little_put_u32(at + 16, launch->known);
    at += 20;
    for (size_t i = 0; i < FINDING_RECORD_ARGUMENTS; i++, at += 8) {
        little_put_u64(at, launch->arguments[i]);
    }
    return at;
}

static const uint8_t *launch_unpack(const uint8_t *at, struct finding_record_launch *out_launch)
{
    control_dimensions_unpack(little_get_u64(at), out_launch->grid);
    control_dimensions_unpack(little_get_u64(at + 8), out_launch->block);
    out_launch->known = little_get_u32(at + 16);
    at += 20;
    for (size_t i = 0; i < FINDING_RECORD_ARGUMENTS; i++, at += 8) {
        out_launch->arguments[i] = little_get_u64(at);
    }
    return at;
}

void finding_record_pack(const struct finding_record *record, uint8_t *out_bytes)
{
    const uint32_t head[4] = {record->kind, record->module, record->function, record->place_count};
    uint8_t *at = out_bytes;

    for (size_t i = 0; i < 4; i++, at += 4) {
        little_put_u32(at, head[i]);
    }
    little_put_u64(at, record->count);
    little_put_u64(at + 8, record->address);
    little_put_u32(at + 16, record->access_bytes);
    little_put_u64(at + 20, (uint64_t)record->distance_bytes);
    little_put_u64(at + 28, record->object_bytes);
    little_put_u32(at + 36, record->object_site);
    little_put_u32(at + 40, record->freed_site);
    little_put_u32(at + 44, record->has_base);
    at += 48;
    size_t text_length = strnlen(record->text, FINDING_RECORD_TEXT_BYTES - 1);
    memset(at, 0, FINDING_RECORD_TEXT_BYTES);
    memcpy(at, record->text, text_length);
    at = launch_pack(&record->launch, at + FINDING_RECORD_TEXT_BYTES);
    for (size_t i = 0; i < FINDING_RECORD_PLACES; i++) {
        struct finding_record_place place = record->places[i];
        uint32_t *numbers[PLACE_NUMBERS];

        place_numbers(&place, numbers);
        for (size_t k = 0; k < PLACE_NUMBERS; k++, at += 4) {
            little_put_u32(at, *numbers[k]);
        }
    }
}

static bool is_valid(const struct finding_record *record)
{
    if (record->kind == 0 || record->kind >= FINDING_RECORD_KIND_END ||
        record->place_count > FINDING_RECORD_PLACES || record->count == 0 || record->has_base > 1) {
        return false;
    }
    for (size_t i = 0; i < FINDING_RECORD_PLACES; i++) {
        if (record->places[i].access > FINDING_RECORD_COPY) {
            return false;
        }
    }
    return memchr(record->text, '\0', FINDING_RECORD_TEXT_BYTES) != NULL;
}

bool finding_record_unpack(const uint8_t *bytes, struct finding_record *out_record)
{
    struct finding_record record;
    const uint8_t *at = bytes + 16;

    memset(&record, 0, sizeof(record));
    record.kind = little_get_u32(bytes);
    record.module = little_get_u32(bytes + 4);
    record.function = little_get_u32(bytes + 8);
    record.place_count = little_get_u32(bytes + 12);
    record.count = little_get_u64(at);
    record.address = little_get_u64(at + 8);
    record.access_bytes = little_get_u32(at + 16);
    record.distance_bytes = (int64_t)little_get_u64(at + 20);
    record.object_bytes = little_get_u64(at + 28);
    record.object_site = little_get_u32(at + 36);
    record.freed_site = little_get_u32(at + 40);
    record.has_base = little_get_u32(at + 44);
    at += 48;
    memcpy(record.text, at, FINDING_RECORD_TEXT_BYTES);
    at = launch_unpack(at + FINDING_RECORD_TEXT_BYTES, &record.launch);
    for (size_t i = 0; i < FINDING_RECORD_PLACES; i++) {
        uint32_t *numbers[PLACE_NUMBERS];

        place_numbers(&record.places[i], numbers);
        for (size_t k = 0; k < PLACE_NUMBERS; k++, at += 4) {
            *numbers[k] = little_get_u32(at);
        }
    }
    if (!is_valid(&record)) {
        return false;
    }
    *out_record = record;
    return true;
}
