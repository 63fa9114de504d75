/* texture_record.c: see texture_record.h. */
#include "wire/texture_record.h"

static bool is_power(unsigned value, unsigned largest)
{
    return value != 0 && value <= largest && (value & (value - 1)) == 0;
}

bool texture_record_is_valid(const struct texture_record *record)
{
    bool has_modes = true;

    for (unsigned i = 0; i < 3; i++) {
        has_modes = has_modes && record->modes[i] <= TEXTURE_BORDER;
    }
    return record->magic == TEXTURE_MAGIC && record->dimensions >= 1 && record->dimensions <= 3 &&
           is_power(record->channels, 4) && is_power(record->channel_bytes, 4) &&
           record->kind <= TEXTURE_FLOAT && has_modes && record->width != 0 &&
           record->height != 0 && record->depth != 0 && record->levels >= 1 &&
           record->levels <= TEXTURE_LEVELS_MAX;
}

static uint32_t halved(uint32_t size, unsigned times)
{
    return size >> times != 0 ? size >> times : 1;
}

struct texture_level texture_record_level(const struct texture_record *record, unsigned number)
{
    uint32_t texel_bytes = texture_texel_bytes(record);
    struct texture_level level = {.address = record->address};

    for (unsigned i = 0;; i++) {
        level.width = halved(record->width, i);
        level.height = halved(record->height, i);
        level.depth = record->is_layered ? record->depth : halved(record->depth, i);
        level.pitch = i == 0 ? record->pitch : (uint64_t)level.width * texel_bytes;
        level.slice = level.pitch * level.height;
        if (i == number) {
            return level;
        }
        level.address += level.slice * level.depth;
    }
}
