/* texture_filter.h: which texels a texture unit reads, and what it makes of them.
 *
 * A coordinate becomes a number of texels with 8 bits of fraction, rounded to the nearest (CUDA C++
 * Programming Guide, "Linear Filtering"); what that leaves open follows an H200, bit for bit
 * (tests/gpu/texture_rows.cu):
 *   - A normalised coordinate that wraps or mirrors is cut to 21 bits of fraction first.
 *   - The four texels of a square have weights of 8 bits that add up to 256: the one at the high
 *     corner is rounded, the others take what is left on their side. Two squares, of two slices or
 *     two levels, share the 256 among them.
 *   - Floats are cut to 4 bits beyond those of the largest texel with a weight, then added up
 *     exactly and rounded once, halves away from zero. Denormal numbers count as 0.
 *   - Integers that are read as fractions are added up exactly and rounded to 16 bits.
 *   - A texture of one dimension is read as one row of two, at y = 0: half of what is filtered is
 *     the border, if it has one.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_TEXTURE_FILTER_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_TEXTURE_FILTER_H

#include "ptx/ptx.h"
#include "wire/texture_record.h"

/* Where a thread reads. */
struct texture_place {
    enum ptx_geometry geometry;
    bool is_fetch;     /* `index` counts, of memory without filters */
    int32_t index;     /* of a fetch */
    uint32_t layer;    /* of an array; the number of a cube */
    float at[3];       /* x, y, z */
    float level;       /* coarser ones are larger */
    bool gathers;      /* the four texels of a square, unfiltered */
    unsigned gathered; /* their channel */
};

/* A texel that is read. */
struct texture_tap {
    uint64_t address;
    uint32_t weight; /* of 256 */
    bool is_outside; /* it is the border, or 0: there is nothing to read */
};

/* Four texels of a square each: two squares at most for slices, times two for levels. */
enum { TEXTURE_SQUARE = 4, TEXTURE_TAPS_MAX = 4 * TEXTURE_SQUARE };

struct texture_taps {
    struct texture_tap taps[TEXTURE_TAPS_MAX]; /* [count] */
    unsigned count;                            /* 1, or a multiple of TEXTURE_SQUARE */
};

/* The bytes of a texel. */
struct texture_texel {
    uint8_t bytes[16];
};

/* Which texels are read at a place of a valid record. False if the geometry of the instruction is
 * not that of the texture. */
bool texture_find_taps(const struct texture_record *record, const struct texture_place *place,
                       struct texture_taps *out_taps);

/* The four channels of the result, as bits of the type that the texture is read as, from the texel
 * of each tap. */
void texture_combine(const struct texture_record *record, const struct texture_place *place,
                     const struct texture_taps *taps, const struct texture_texel texels[],
                     uint32_t out_values[4]);

/* The level for gradients: how far x, y and z go from one pixel to the next one on its right, then
 * to the one below. */
float texture_gradient_level(const struct texture_record *record, const float gradients[6]);

#endif
