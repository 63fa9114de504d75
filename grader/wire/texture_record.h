/* texture_record.h: a texture or surface object, as the stand-in runtime makes it and the emulated
 * device reads it.
 *
 * The object is the address of device memory that holds such a record, so an object that was
 * destroyed or never made is an address like any other that leads nowhere. Both ends are built
 * together and run on one machine: the struct is copied as it is. Nothing in it is trusted, and
 * kernels can write to it: read a copy, once it is valid. Texels are accesses to device memory.
 *
 * The texels of an array lie without gaps: rows, then slices or layers; the faces of a cube are six
 * layers. The levels of a mipmapped array follow each other, the finest first.
 */
#ifndef GPUGRADE_WIRE_TEXTURE_RECORD_H
#define GPUGRADE_WIRE_TEXTURE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

enum { TEXTURE_MAGIC = 0x74657874, TEXTURE_LEVELS_MAX = 16 };

/* The largest sizes that an array may have, as an H200 reports them. */
enum { TEXTURE_WIDTH_MAX = 131072, TEXTURE_HEIGHT_MAX = 65536, TEXTURE_DEPTH_MAX = 16384 };

enum texture_kind { TEXTURE_UNSIGNED, TEXTURE_SIGNED, TEXTURE_FLOAT };

enum texture_address_mode { TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER };

struct texture_record {
    uint32_t magic;
    uint8_t dimensions;       /* 1 to 3, without the layers */
    uint8_t is_linear_memory; /* read by tex1Dfetch; beyond its end it is 0 */
    uint8_t is_layered;       /* `depth` counts layers, six for each cube */
    uint8_t is_surface;
    uint64_t address;
    uint64_t pitch;                /* bytes from row to row of the finest level */
    uint32_t width, height, depth; /* at least 1 */
    uint8_t levels;
    uint8_t channels;        /* 1, 2 or 4 */
    uint8_t channel_bytes;   /* 1, 2 or 4 */
    uint8_t kind;            /* enum texture_kind */
    uint8_t modes[3];        /* enum texture_address_mode */
    uint8_t is_filtered;     /* linear, else the nearest texel */
    uint8_t blends_levels;   /* linear, else the nearest level */
    uint8_t is_normalized;   /* coordinates from 0 to 1 */
    uint8_t reads_fractions; /* integers as floats from -1 or 0 to 1 */
    uint8_t is_cube;         /* of six layers each */
    uint8_t is_gathered;     /* made for tex2Dgather */
    uint8_t is_pitched;      /* rows of memory that kernels may write to, no array */
    uint8_t reserved[2];
    float border[4];
    float bias, least_level, most_level;
};

/* One level of it. */
struct texture_level {
    uint64_t address, pitch, slice; /* bytes from row to row and from slice to slice */
    uint32_t width, height, depth;
};

/* The bytes of all channels of a texel. */
static inline uint32_t texture_texel_bytes(const struct texture_record *record)
{
    return (uint32_t)record->channels * record->channel_bytes;
}

/* True if the fields have values that code may count on. */
bool texture_record_is_valid(const struct texture_record *record);

/* The level `number`, below record->levels, of a valid record. Level `levels` begins where the
 * texels end. */
struct texture_level texture_record_level(const struct texture_record *record, unsigned number);

#endif
