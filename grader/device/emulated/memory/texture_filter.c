/* texture_filter.c: see texture_filter.h. */
#include "device/emulated/memory/texture_filter.h"

#include "device/emulated/arithmetic/approximate.h"
#include "device/emulated/arithmetic/half_values.h"

#include <math.h>
#include <string.h>

enum { WHOLE = 256, HALF = WHOLE / 2, OUTSIDE = -1 };

/* What the geometry of an instruction says of a texture. */
static const struct {
    uint8_t dimensions;
    bool has_layers, is_cube;
} geometries[] = {
    [PTX_GEOMETRY_1D] = {1, false, false},  [PTX_GEOMETRY_2D] = {2, false, false},
    [PTX_GEOMETRY_3D] = {3, false, false},  [PTX_GEOMETRY_A1D] = {1, true, false},
    [PTX_GEOMETRY_A2D] = {2, true, false},  [PTX_GEOMETRY_CUBE] = {2, true, true},
    [PTX_GEOMETRY_ACUBE] = {2, true, true},
};

/* Two texels next to each other on one axis. */
struct axis {
    int32_t index[2]; /* OUTSIDE: the border */
    uint32_t share;   /* of the second one, of 256 */
};

static int32_t index_on_axis(int64_t index, uint32_t size, uint8_t mode, bool repeats)
{
    const int64_t count = size;
    int64_t rest;

    if (repeats && mode == TEXTURE_WRAP) {
        rest = index % count;
        return (int32_t)(rest < 0 ? rest + count : rest);
    }
    if (repeats) {
        rest = index % (2 * count);
        rest = rest < 0 ? rest + 2 * count : rest;
        return (int32_t)(rest < count ? rest : 2 * count - 1 - rest);
    }
    if (mode == TEXTURE_BORDER) {
        return index < 0 || index >= count ? OUTSIDE : (int32_t)index;
    }
    return (int32_t)(index < 0 ? 0 : index >= count ? count - 1 : index);
}

/* A coordinate in texels. */
static double texels_of(float coordinate, uint32_t size, bool is_normalized, bool repeats)
{
    const double steps = 2097152.0; /* 2 to the power of 21 */
    double at = isnan(coordinate) ? 0 : (double)coordinate;

    if (repeats) { /* a mirror repeats after 2 */
        at = isinf(at) ? 0 : fmod(at, 2);
        at += at < 0 ? 2 : 0;
    }
    return is_normalized ? floor(at * steps) / steps * size : at;
}

static struct axis find_on_axis(const struct texture_record *record,
                                const struct texture_place *place, unsigned number,
                                float coordinate, uint32_t size)
{
    const uint8_t mode = record->modes[number];
    const bool is_cube = geometries[place->geometry].is_cube;
    const bool repeats =
        (record->is_normalized || is_cube) && (mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR);
    const double farthest = 1073741824.0;
    double at = texels_of(coordinate, size, record->is_normalized || is_cube, repeats);
    const bool gathers = place->gathers;
    const bool is_filtered = record->is_filtered || gathers;
    at = at < -farthest ? -farthest : at > farthest ? farthest : at;
    int64_t fixed =
        is_filtered ? (int64_t)floor(at * WHOLE + 0.5) - HALF : (int64_t)floor(at) * WHOLE;
    struct axis axis;

    if (!repeats && mode != TEXTURE_BORDER && !gathers) {
        const int64_t last = ((int64_t)size - 1) * WHOLE;
        fixed = fixed < 0 ? 0 : fixed > last ? last : fixed;
    }
    axis.share = (uint32_t)(fixed & (WHOLE - 1));
    for (int i = 0; i < 2; i++) {
        axis.index[i] = index_on_axis((fixed >> 8) + i, size, mode, repeats);
    }
    return axis;
}

static uint32_t part_of(uint32_t weight, uint32_t share)
{
    return (weight * share + HALF) / WHOLE;
}

/* The weights of the four texels of a square that has a weight itself. */
static void share_weight(uint32_t weight, uint32_t x, uint32_t y, uint32_t out_weights[4])
{
    const uint32_t right = part_of(weight, x);
    const uint32_t left = weight - right;

    out_weights[3] = part_of(right, y);
    out_weights[1] = right - out_weights[3];
    out_weights[0] = part_of(left, WHOLE - y);
    out_weights[2] = left - out_weights[0];
}

/* The face of a cube that a direction leads to, and the place on it. */
static uint32_t find_face(const float at[3], float out_place[2])
{
    const float x = at[0], y = at[1], z = at[2];
    const float width = fabsf(x), height = fabsf(y), depth = fabsf(z);
    const bool is_z = depth >= width && depth >= height;
    const bool is_y = !is_z && height >= width;
    const float longest = is_z ? z : is_y ? y : x;
    const bool is_back = signbit(longest);
    float s = is_z ? (is_back ? -x : x) : is_y ? x : (is_back ? z : -z);
    float t = is_y ? (is_back ? -z : z) : -y;

    out_place[0] = longest == 0 ? 0.5f : (float)(((double)s / fabsf(longest) + 1) / 2);
    out_place[1] = longest == 0 ? 0.5f : (float)(((double)t / fabsf(longest) + 1) / 2);
    return (is_z ? 4u : is_y ? 2u : 0u) + is_back;
}

/* A place in one level: coordinates, and the layer that it is in. */
struct level_place {
    float at[3];
    uint32_t layer;
};

static struct level_place find_layer(const struct texture_record *record,
                                     const struct texture_place *place)
{
    struct level_place found = {.at = {place->at[0], place->at[1], place->at[2]}};
    uint32_t count = record->depth;
    uint32_t layer;

    if (geometries[place->geometry].is_cube) {
        count = count / 6 != 0 ? count / 6 : 1;
    }
    layer = place->layer >= count ? count - 1 : place->layer;
    if (geometries[place->geometry].is_cube) {
        layer = layer * 6 + find_face(place->at, found.at);
    }
    found.layer = layer < record->depth ? layer : record->depth - 1;
    return found;
}

static struct texture_tap tap_at(const struct texture_record *record,
                                 const struct texture_level *level, const int32_t index[3])
{
    struct texture_tap tap = {.is_outside = index[0] == OUTSIDE || index[1] == OUTSIDE ||
                                            index[2] == OUTSIDE};

    if (!tap.is_outside) {
        tap.address = level->address + (uint64_t)index[2] * level->slice +
                      (uint64_t)index[1] * level->pitch +
                      (uint64_t)index[0] * texture_texel_bytes(record);
    }
    return tap;
}

static void add_square(const struct texture_record *record, const struct texture_level *level,
                       const struct axis axes[2], int32_t slice, uint32_t weight,
                       struct texture_taps *taps)
{
    uint32_t weights[TEXTURE_SQUARE];

    share_weight(weight, axes[0].share, axes[1].share, weights);
    for (unsigned i = 0; i < TEXTURE_SQUARE; i++) {
        const int32_t index[3] = {axes[0].index[i & 1], axes[1].index[i >> 1], slice};
        taps->taps[taps->count] = tap_at(record, level, index);
        taps->taps[taps->count++].weight = weights[i];
    }
}

/* Adds the texels of one level, which has a weight. */
static void add_level(const struct texture_record *record, const struct texture_place *place,
                      unsigned number, uint32_t weight, struct texture_taps *taps)
{
    const struct texture_level level = texture_record_level(record, number);
    const bool has_layers = geometries[place->geometry].has_layers;
    const bool is_filtered = record->is_filtered || place->gathers;
    const uint32_t sizes[3] = {level.width, level.height, level.depth};
    struct level_place found = {.at = {place->at[0], place->at[1], place->at[2]}};
    struct axis axes[3];

    if (has_layers) {
        found = find_layer(record, place);
    }
    for (unsigned i = 0; i < 3; i++) {
        axes[i] = find_on_axis(record, place, i, found.at[i], sizes[i]);
    }
    if (has_layers && record->dimensions == 1) {
        axes[1] = (struct axis){.index = {0, 0}};
    }
    if (has_layers || record->dimensions < 3) {
        axes[2] = (struct axis){.index = {(int32_t)found.layer, (int32_t)found.layer}};
    }
    if (!is_filtered) {
        const int32_t index[3] = {axes[0].index[0], axes[1].index[0], axes[2].index[0]};
        taps->taps[taps->count] = tap_at(record, &level, index);
        taps->taps[taps->count++].weight = weight;
        return;
    }
    uint32_t far = part_of(weight, axes[2].share);
    add_square(record, &level, axes, axes[2].index[0], weight - far, taps);
    if (record->dimensions == 3) {
        add_square(record, &level, axes, axes[2].index[1], far, taps);
    }
}

/* A level in units of 1/256. */
static int32_t parts_of(float level)
{
    const float most = TEXTURE_LEVELS_MAX;

    level = !(level > -most) ? -most : level > most ? most : level;
    return (int32_t)(level * WHOLE);
}

/* The level of a place, the finest is 0, in units of 1/256. */
static uint32_t level_of(const struct texture_record *record, float wanted)
{
    const int32_t least = parts_of(record->least_level);
    const int32_t most = parts_of(record->most_level);
    const int32_t last = (record->levels - 1) * WHOLE;
    int32_t level = parts_of(wanted) + parts_of(record->bias);

    level = level < least ? least : level;
    level = level > most ? most : level;
    return (uint32_t)(level < 0 ? 0 : level > last ? last : level);
}

bool texture_find_taps(const struct texture_record *record, const struct texture_place *place,
                       struct texture_taps *out_taps)
{
    const uint32_t level = level_of(record, place->level);
    const unsigned last = record->levels - 1u;

    out_taps->count = 0;
    if (place->is_fetch || record->is_linear_memory) {
        struct texture_tap *tap = &out_taps->taps[out_taps->count++];
        *tap = (struct texture_tap){
            .address =
                record->address + (uint64_t)(uint32_t)place->index * texture_texel_bytes(record),
            .weight = WHOLE,
            .is_outside = place->index < 0 || (uint32_t)place->index >= record->width,
        };
        return place->is_fetch && record->is_linear_memory;
    }
    if (geometries[place->geometry].dimensions != record->dimensions ||
        geometries[place->geometry].has_layers != (record->is_layered != 0)) {
        return false;
    }
    if (!record->blends_levels || last == 0) {
        unsigned number = (level + HALF) / WHOLE;
        add_level(record, place, number < last ? number : last, WHOLE, out_taps);
        for (unsigned i = 0; i < out_taps->count && place->gathers; i++) {
            out_taps->taps[i].weight = WHOLE;
        }
        return true;
    }
    unsigned finer = level / WHOLE;

    add_level(record, place, finer, WHOLE - level % WHOLE, out_taps);
    add_level(record, place, finer < last ? finer + 1 : last, level % WHOLE, out_taps);
    return true;
}

/* A channel of a texel, its sign or zeros above it. */
static uint32_t channel_of(const struct texture_record *record, const uint8_t *texel, unsigned i)
{
    uint32_t value = 0;

    memcpy(&value, texel + (size_t)i * record->channel_bytes, record->channel_bytes);
    if (record->kind != TEXTURE_SIGNED) {
        return value;
    }
    return record->channel_bytes == 1   ? (uint32_t)(int8_t)value
           : record->channel_bytes == 2 ? (uint32_t)(int16_t)value
                                        : value;
}

static double float_of(const struct texture_record *record, const struct texture_tap *tap,
                       const uint8_t *texel, unsigned channel)
{
    float value = tap->is_outside              ? record->border[channel]
                  : record->channel_bytes == 2 ? f32_of_f16(channel_of(record, texel, channel))
                                               : f32_of_bits(channel_of(record, texel, channel));
    return (double)flush_f32(value);
}

/* Rounds to so many bits, halves away from zero. */
static double rounded(double value, int bits, int least_exponent)
{
    int exponent;

    if (value == 0 || !isfinite(value)) {
        return value;
    }
    frexp(value, &exponent);
    exponent = exponent - bits < least_exponent ? least_exponent : exponent - bits;
    return copysign(ldexp(floor(ldexp(fabs(value), -exponent) + 0.5), exponent), value);
}

/* The sum of one square, of values that are cut at `bits` below the largest of them. */
static double sum_of_square(const struct texture_tap *taps, const double values[], unsigned count,
                            int bits)
{
    int largest = -1100;
    double sum = 0;

    for (unsigned i = 0; i < count; i++) {
        int exponent;
        frexp(values[i], &exponent);
        if (taps[i].weight != 0 && values[i] != 0 && isfinite(values[i]) && exponent > largest) {
            largest = exponent;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        double cut = isfinite(values[i])
                         ? ldexp(trunc(ldexp(values[i], bits - largest)), largest - bits)
                         : values[i];
        sum += taps[i].weight != 0 ? cut * taps[i].weight : 0;
    }
    return sum / WHOLE;
}

static uint32_t combine_floats(const struct texture_record *record, const struct texture_taps *taps,
                               const struct texture_texel texels[], unsigned channel)
{
    const int bits = record->channel_bytes == 2 ? 11 : 24;
    const int least_exponent = record->channel_bytes == 2 ? -24 : -149;
    const unsigned together = taps->count < TEXTURE_SQUARE ? 1 : TEXTURE_SQUARE;
    double values[TEXTURE_TAPS_MAX];
    double sum = 0;

    for (unsigned i = 0; i < taps->count; i++) {
        values[i] = float_of(record, &taps->taps[i], texels[i].bytes, channel);
    }
    for (unsigned i = 0; i < taps->count; i += together) {
        sum += sum_of_square(&taps->taps[i], &values[i], together, bits + 4);
    }
    return bits_of_f32(canonical_f32((float)rounded(sum, bits, least_exponent)));
}

/* A fraction of the largest number, as the texture units have it: 16 bits. */
static int64_t fraction_of_border(const struct texture_record *record, float border)
{
    const double largest = record->channel_bytes == 1 ? (record->kind == TEXTURE_SIGNED ? 127 : 255)
                           : record->kind == TEXTURE_SIGNED ? 32767
                                                            : 65535;
    double value = isnan(border) ? 0 : (double)border;

    value = value > 1 ? 1 : value < -1 ? -1 : value;
    value = value < 0 && record->kind != TEXTURE_SIGNED ? 0 : value;
    return (int64_t)ceil(value * largest - 0.5);
}

static uint32_t combine_fractions(const struct texture_record *record,
                                  const struct texture_taps *taps,
                                  const struct texture_texel texels[], unsigned channel)
{
    const bool is_signed = record->kind == TEXTURE_SIGNED;
    const int32_t largest = is_signed ? 32767 : 65535;
    int64_t sum = 0;

    for (unsigned i = 0; i < taps->count; i++) {
        const struct texture_tap *tap = &taps->taps[i];
        uint32_t bits = channel_of(record, texels[i].bytes, channel);
        int64_t value = tap->is_outside ? fraction_of_border(record, record->border[channel])
                        : is_signed     ? (int64_t)(int32_t)bits
                                        : (int64_t)bits;
        sum += value * tap->weight;
    }
    if (record->channel_bytes == 1 && is_signed) { /* times 32767 / 127 / 256, about */
        sum += (sum + HALF / 2 + 16 * (sum >> 12)) >> 7;
    } else {
        sum = record->channel_bytes == 1 ? sum * 257 : sum;
        sum = (sum + HALF) >> 8;
    }
    sum = sum < -largest ? -largest : sum;
    return bits_of_f32((float)((double)sum / largest));
}

/* One texel as a fraction, unfiltered. */
static uint32_t single_fraction(const struct texture_record *record, const struct texture_tap *tap,
                                const uint8_t *texel, unsigned channel)
{
    const bool is_signed = record->kind == TEXTURE_SIGNED;
    const int32_t largest = record->channel_bytes == 1 ? (is_signed ? 127 : 255)
                            : is_signed                ? 32767
                                                       : 65535;
    const uint32_t bits = channel_of(record, texel, channel);
    int64_t value = is_signed ? (int64_t)(int32_t)bits : (int64_t)bits;

    if (tap->is_outside) {
        value = record->is_linear_memory ? 0 : fraction_of_border(record, record->border[channel]);
    }
    value = value < -largest ? -largest : value;
    return bits_of_f32((float)((double)value / largest));
}

/* What one texel is, unfiltered. */
static uint32_t single(const struct texture_record *record, const struct texture_tap *tap,
                       const uint8_t *texel, unsigned channel)
{
    if (tap->is_outside) {
        return record->is_linear_memory ? 0 : bits_of_f32(record->border[channel]);
    }
    uint32_t value = channel_of(record, texel, channel);
    return record->kind == TEXTURE_FLOAT && record->channel_bytes == 2
               ? bits_of_f32(f32_of_f16(value))
               : value;
}

static bool reads_fractions(const struct texture_record *record)
{
    return record->kind != TEXTURE_FLOAT && record->reads_fractions && record->channel_bytes <= 2;
}

static uint32_t combine_channel(const struct texture_record *record,
                                const struct texture_taps *taps,
                                const struct texture_texel texels[], unsigned channel, bool gathers)
{
    if (channel >= record->channels) {
        return 0;
    }
    if (reads_fractions(record) && taps->count == 1 && !gathers) {
        return single_fraction(record, &taps->taps[0], texels[0].bytes, channel);
    }
    if (reads_fractions(record)) {
        return combine_fractions(record, taps, texels, channel);
    }
    if (taps->count == 1 || record->kind != TEXTURE_FLOAT) {
        return single(record, &taps->taps[0], texels[0].bytes, channel);
    }
    return combine_floats(record, taps, texels, channel);
}

void texture_combine(const struct texture_record *record, const struct texture_place *place,
                     const struct texture_taps *taps, const struct texture_texel texels[],
                     uint32_t out_values[4])
{
    static const unsigned char corners[TEXTURE_SQUARE] = {2, 3, 1, 0};

    for (unsigned i = 0; i < 4; i++) {
        if (!place->gathers || taps->count < TEXTURE_SQUARE) {
            out_values[i] = combine_channel(record, taps, texels, i, false);
            continue;
        }
        struct texture_taps one = {.taps = {taps->taps[corners[i]]}, .count = 1};
        one.taps[0].weight = WHOLE;
        out_values[i] = combine_channel(record, &one, &texels[corners[i]], place->gathered, true);
    }
}

float texture_gradient_level(const struct texture_record *record, const float gradients[6])
{
    const float sizes[3] = {(float)record->width, (float)record->height, (float)record->depth};
    float longest = 0;

    for (unsigned i = 0; i < 2; i++) {
        float sum = 0;
        for (unsigned k = 0; k < 3; k++) {
            float step = gradients[3 * i + k] * (record->is_normalized ? sizes[k] : 1);
            sum += step * step;
        }
        longest = sum > longest ? sum : longest;
    }
    return longest > 0 ? approximate_lg2(longest) / 2 : -126;
}
