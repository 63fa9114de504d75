/* texture_units.c: see texture_units.h. */
#include "device/emulated/memory/texture_units.h"

#include "device/emulated/arithmetic/half_values.h"
#include "device/emulated/exec/atomics.h"
#include "device/emulated/memory/access_check.h"
#include "device/emulated/memory/texture_filter.h"
#include "device/emulated/memory/value_origins.h"

#include <math.h>
#include <string.h>

enum { F16_EXPONENT = 0x7c00 };

static uint32_t argument(const struct warp *warp, const struct op *op, unsigned number,
                         unsigned lane)
{
    const uint8_t *slots = warp->file + op->slot[TEXTURE_ARGUMENTS];

    return ((const uint32_t *)(const void *)slots)[number * LANES + lane];
}

static float float_argument(const struct warp *warp, const struct op *op, unsigned number,
                            unsigned lane)
{
    uint32_t bits = argument(warp, op, number, lane);
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The objects that the lanes of a warp name. Kernels can write to records, so these are copies. */
struct named_objects {
    uint64_t addresses[LANES];
    struct texture_record copies[LANES];
    const struct texture_record *records[LANES]; /* NULL: it is none */
};

/* Copies the record of the object that a lane names, or reports that it names none. The lane before
 * often names the same one. */
static void find_object(struct warp *warp, const struct op *op, unsigned lane, bool is_surface,
                        struct named_objects *objects)
{
    const struct window_memory *memory = warp->block->launch->memory;
    const uint64_t address = access_address(warp, op, lane);
    const struct window_block *block = window_find(memory, address);
    struct texture_record *copy = &objects->copies[lane];

    objects->addresses[lane] = address;
    objects->records[lane] = NULL;
    if (block != NULL && block->end - address >= sizeof *copy) {
        memcpy(copy, window_host(memory, address), sizeof *copy);
        if (texture_record_is_valid(copy) && (copy->is_surface != 0) == is_surface) {
            objects->records[lane] = copy;
        }
    }
    if (objects->records[lane] == NULL) {
        access_report_texture(warp, op, lane, address);
    }
}

static void find_objects(struct warp *warp, const struct op *op, uint32_t mask, bool is_surface,
                         struct named_objects *objects)
{
    unsigned before = LANES;

    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (before < LANES && objects->records[before] != NULL &&
            objects->addresses[before] == access_address(warp, op, lane)) {
            objects->addresses[lane] = objects->addresses[before];
            objects->records[lane] = objects->records[before];
        } else {
            find_object(warp, op, lane, is_surface, objects);
        }
        before = lane;
    }
}

static void place_of(const struct warp *warp, const struct op *op, unsigned lane,
                     const struct texture_record *record, struct texture_place *out_place)
{
    struct texture_place place = {
        .geometry = (enum ptx_geometry)op->target,
        .is_fetch = op->source_type == PTX_S32,
        .index = (int32_t)argument(warp, op, TEXTURE_AT, lane),
        .layer = argument(warp, op, TEXTURE_LAYER, lane),
        .gathers = op->kind >= PTX_SUB_GATHER_R && op->kind <= PTX_SUB_GATHER_A,
    };

    for (unsigned i = 0; i < 3; i++) {
        place.at[i] = float_argument(warp, op, TEXTURE_AT + i, lane);
    }
    if (op->kind == PTX_SUB_LEVEL) {
        place.level = float_argument(warp, op, TEXTURE_LEVEL, lane);
    } else if (op->kind == PTX_SUB_GRAD) {
        float gradients[6];
        for (unsigned i = 0; i < 6; i++) {
            gradients[i] = float_argument(warp, op, TEXTURE_LEVEL + i, lane);
        }
        place.level = texture_gradient_level(record, gradients);
    }
    place.gathered = place.gathers ? op->kind - PTX_SUB_GATHER_R : 0;
    *out_place = place;
}

/* What the lanes of a warp read. */
struct warp_reads {
    struct named_objects objects; /* without a record the result is poison */
    struct texture_place places[LANES];
    struct texture_taps taps[LANES];
    struct texture_texel texels[LANES][TEXTURE_TAPS_MAX];
};

/* The tap before this one that reads the same texel; the tap itself if there is none. */
static unsigned first_of_same(const struct texture_taps *taps, unsigned number)
{
    unsigned first = number;

    for (unsigned i = 0; i < number && first == number; i++) {
        bool is_read = !taps->taps[i].is_outside && taps->taps[i].weight != 0;
        first = is_read && taps->taps[i].address == taps->taps[number].address ? i : number;
    }
    return first;
}

/* Reads one tap of all lanes whose texels have as many bytes as that of the first. Returns these
 * lanes. */
static uint32_t read_taps(struct warp *warp, const struct op *op, struct warp_reads *reads,
                          uint32_t lanes, unsigned number)
{
    const uint32_t bytes = texture_texel_bytes(reads->objects.records[__builtin_ctz(lanes)]);
    uint64_t addresses[LANES] = {0};
    uint8_t *where[LANES];
    uint32_t mask = 0;

    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (texture_texel_bytes(reads->objects.records[lane]) == bytes) {
            addresses[lane] = reads->taps[lane].taps[number].address;
            mask |= UINT32_C(1) << lane;
        }
    }
    access_resolve_at(warp, op, mask, &(struct access_wish){addresses, bytes, FINDING_RECORD_READ},
                      where);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (where[lane] != NULL) {
            memcpy(reads->texels[lane][number].bytes, where[lane], bytes);
        } else {
            reads->objects.records[lane] = NULL;
        }
    }
    return mask;
}

/* The lanes whose tap of a number is to be read; a texel that was read before is copied. */
static uint32_t lanes_to_read(struct warp_reads *reads, uint32_t mask, unsigned number)
{
    uint32_t lanes = 0;

    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const struct texture_taps *taps = &reads->taps[lane];
        const struct texture_tap *tap = &taps->taps[number];
        if (reads->objects.records[lane] == NULL || number >= taps->count || tap->is_outside ||
            tap->weight == 0) {
            continue;
        }
        unsigned first = first_of_same(taps, number);
        if (first == number) {
            lanes |= UINT32_C(1) << lane;
        } else {
            reads->texels[lane][number] = reads->texels[lane][first];
        }
    }
    return lanes;
}

static uint32_t *result_slot(const struct warp *warp, const struct op *op, unsigned number)
{
    return (uint32_t *)(void *)(warp->file + op->slot[number]);
}

void texture_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct warp_reads reads;

    find_objects(warp, op, mask, false, &reads.objects);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const struct texture_record *record = reads.objects.records[lane];
        if (record != NULL) {
            place_of(warp, op, lane, record, &reads.places[lane]);
            if (!texture_find_taps(record, &reads.places[lane], &reads.taps[lane])) {
                reads.objects.records[lane] = NULL;
            }
        }
    }
    for (unsigned i = 0; i < TEXTURE_TAPS_MAX; i++) {
        uint32_t lanes = lanes_to_read(&reads, mask, i);
        while (lanes != 0) {
            lanes &= ~read_taps(warp, op, &reads, lanes, i);
        }
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t values[4] = {(uint32_t)POISON_WORD, (uint32_t)POISON_WORD, (uint32_t)POISON_WORD,
                              (uint32_t)POISON_WORD};
        if (reads.objects.records[lane] != NULL) {
            texture_combine(reads.objects.records[lane], &reads.places[lane], &reads.taps[lane],
                            reads.texels[lane], values);
        }
        for (unsigned i = 0; i < op->count; i++) {
            result_slot(warp, op, i)[lane] = values[i];
        }
    }
}

/* One coordinate of an access to a surface. */
struct surface_axis {
    const char *part;    /* what is left on the far side of it */
    int64_t at;          /* below `count` where it is inside */
    int64_t count;       /* of places where an access can begin */
    uint64_t unit_bytes; /* from one to the next */
    uint64_t part_bytes; /* of the part */
};

/* The bytes that a lane moves. */
static uint32_t bytes_moved(const struct op *op, const struct texture_record *record)
{
    return op->is_formatted && op->code == OP_SURFACE_STORE ? texture_texel_bytes(record)
                                                            : (uint32_t)op->bytes * op->count;
}

/* The axes of a lane's access: bytes or texels in a row, rows, slices or layers. */
static void find_axes(const struct warp *warp, const struct op *op, unsigned lane,
                      const struct texture_record *record, struct surface_axis out_axes[3])
{
    const struct texture_level level = texture_record_level(record, 0);
    const bool has_layer = op->target == PTX_GEOMETRY_A1D || op->target == PTX_GEOMETRY_A2D;
    const int64_t row_bytes = (int64_t)level.width * texture_texel_bytes(record);
    const int64_t at = (int32_t)argument(warp, op, TEXTURE_AT, lane);

    out_axes[0] = op->is_formatted
                      ? (struct surface_axis){"a row of the surface", at, level.width,
                                              texture_texel_bytes(record), (uint64_t)row_bytes}
                      : (struct surface_axis){"a row of the surface", at,
                                              row_bytes - bytes_moved(op, record) + 1, 1,
                                              (uint64_t)row_bytes};
    out_axes[1] = (struct surface_axis){has_layer ? "a layer of the surface" : "the surface",
                                        (int32_t)argument(warp, op, TEXTURE_AT + 1, lane),
                                        level.height, level.pitch, level.slice};
    out_axes[2] = (struct surface_axis){
        "the surface",
        (int32_t)argument(warp, op, has_layer ? TEXTURE_LAYER : TEXTURE_AT + 2, lane), level.depth,
        level.slice, level.slice * level.depth};
    if (record->dimensions == 3) {
        out_axes[1].part = "a slice of the surface";
    }
    if (has_layer && op->border == PTX_BORDER_CLAMP &&
        out_axes[2].at < 0) { /* layers have no sign */
        out_axes[2].at = level.depth;
    }
}

/* Where a lane's access to a surface leads to; false if that is outside of the surface, after a
 * finding if the instruction asks for a trap. */
static bool find_in_surface(struct warp *warp, const struct op *op, unsigned lane,
                            const struct texture_record *record, uint64_t *out_address)
{
    struct surface_axis axes[3];
    uint64_t address = record->address;

    find_axes(warp, op, lane, record, axes);
    for (unsigned i = 0; i < 3; i++) {
        struct surface_axis *axis = &axes[i];
        if (op->border == PTX_BORDER_CLAMP && axis->count > 0) {
            axis->at = axis->at < 0 ? 0 : axis->at < axis->count ? axis->at : axis->count - 1;
        }
        if (axis->at >= 0 && axis->at < axis->count) {
            address += (uint64_t)axis->at * axis->unit_bytes;
            continue;
        }
        if (op->border == PTX_BORDER_TRAP) {
            const struct access_beyond beyond = {record->address, axis->part, axis->part_bytes,
                                                 (int64_t)((uint64_t)axis->at * axis->unit_bytes)};
            access_report_beyond(warp, op, lane, &beyond);
        }
        return false;
    }
    *out_address = address;
    return true;
}

/* What the lanes of a warp do to surfaces. */
struct surface_accesses {
    struct named_objects objects;
    uint64_t addresses[LANES];
    uint8_t *where[LANES]; /* NULL: there is nothing to access */
};

/* Resolves the accesses of all lanes; those outside of their surface are taken off the mask. */
static uint32_t resolve_surface(struct warp *warp, const struct op *op, uint32_t mask,
                                enum finding_record_access access,
                                struct surface_accesses *accesses)
{
    struct access_wish wish = {accesses->addresses, 0, access};
    uint32_t inside = 0;

    memset(accesses->addresses, 0, sizeof accesses->addresses);
    memset(accesses->where, 0, sizeof accesses->where);
    find_objects(warp, op, mask, true, &accesses->objects);
    const struct texture_record *const *records = accesses->objects.records;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (records[lane] != NULL &&
            find_in_surface(warp, op, lane, records[lane], &accesses->addresses[lane])) {
            inside |= UINT32_C(1) << lane;
        }
    }
    for (uint32_t left = inside; left != 0;) { /* those that move as many bytes, at once */
        uint32_t together = 0;
        wish.bytes = bytes_moved(op, records[__builtin_ctz(left)]);
        for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            together |= bytes_moved(op, records[lane]) == wish.bytes ? UINT32_C(1) << lane : 0;
        }
        access_resolve_at(warp, op, together, &wish, accesses->where);
        left &= ~together;
    }
    return inside;
}

static void put_element(const struct warp *warp, const struct op *op, unsigned number,
                        unsigned lane, uint64_t value)
{
    memcpy(warp->file + op->slot[number] + (size_t)lane * op->slot_bytes, &value, op->slot_bytes);
}

void surface_load_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct surface_accesses accesses;
    uint32_t inside = resolve_surface(warp, op, mask, FINDING_RECORD_READ, &accesses);

    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        bool is_inside = (inside >> lane & 1) != 0;
        for (unsigned i = 0; i < op->count; i++) {
            uint64_t value = is_inside || op->border == PTX_BORDER_TRAP ? POISON_WORD : 0;
            if (is_inside && accesses.where[lane] != NULL) {
                value = 0;
                memcpy(&value, accesses.where[lane] + (size_t)i * op->bytes, op->bytes);
            }
            put_element(warp, op, i, lane, value);
        }
    }
}

/* What a channel holds after a formatted store of 32 bits: a float or an integer, which ends at the
 * largest one there is, as on an H200. */
static uint32_t channel_bits(const struct texture_record *record, uint32_t bits)
{
    const uint32_t unused = 32 - 8u * record->channel_bytes;

    if (unused == 0) {
        return bits;
    }
    if (record->kind == TEXTURE_FLOAT) {
        const uint32_t half = f16_of_f32(f32_of_bits(bits));
        return (half & F16_EXPONENT) == F16_EXPONENT && isfinite(f32_of_bits(bits)) ? half - 1
                                                                                    : half;
    }
    if (record->kind == TEXTURE_UNSIGNED) {
        return bits < UINT32_MAX >> unused ? bits : UINT32_MAX >> unused;
    }
    const int32_t most = INT32_MAX >> unused, least = -most - 1;
    const int32_t value = (int32_t)bits;
    return (uint32_t)(value < least ? least : value > most ? most : value);
}

/* Stores what a lane has: its bytes, or one texel, of which channels that it has no number for hold
 * anything. */
static void store_lane(const struct warp *warp, const struct op *op, unsigned lane,
                       const struct texture_record *record, uint8_t *where)
{
    const unsigned count = op->is_formatted ? record->channels : op->count;
    const size_t bytes = op->is_formatted ? record->channel_bytes : op->bytes;

    for (unsigned i = 0; i < count; i++) {
        uint64_t value = POISON_WORD;
        if (i < op->count) {
            value = access_stored_bits(warp, op, i, lane);
            value = op->is_formatted ? channel_bits(record, (uint32_t)value) : value;
        }
        memcpy(where + i * bytes, &value, bytes);
    }
}

void surface_store_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct value_origins *origins = warp->block->launch->origins;
    struct surface_accesses accesses;
    uint32_t inside = resolve_surface(warp, op, mask, FINDING_RECORD_WRITE, &accesses);

    for (uint32_t left = inside; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const struct texture_record *record = accesses.objects.records[lane];
        if (accesses.where[lane] == NULL) {
            continue;
        }
        store_lane(warp, op, lane, record, accesses.where[lane]);
        if (origins != NULL) {
            value_origins_clear(origins, accesses.addresses[lane], bytes_moved(op, record));
        }
    }
}

void surface_reduce_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct value_origins *origins = warp->block->launch->origins;
    struct surface_accesses accesses;
    uint32_t inside = resolve_surface(warp, op, mask, FINDING_RECORD_ATOMIC, &accesses);

    atomic_pay(warp, op);
    for (uint32_t left = inside; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t old = 0;
        struct op typed = *op;
        if (accesses.where[lane] == NULL) {
            continue;
        }
        if (op->is_formatted) {
            bool is_signed = accesses.objects.records[lane]->kind == TEXTURE_SIGNED;
            typed.type = is_signed ? PTX_S32 : PTX_U32;
        }
        memcpy(&old, accesses.where[lane], op->bytes);
        const uint64_t value = atomic_result(&typed, old, access_stored_bits(warp, op, 0, lane), 0);
        warp->has_acted = warp->has_acted || memcmp(&value, &old, op->bytes) != 0;
        memcpy(accesses.where[lane], &value, op->bytes);
        if (origins != NULL) {
            value_origins_clear(origins, accesses.addresses[lane], op->bytes);
        }
    }
}

/* The size of an object in a dimension, 1 to 3. Layers come after the dimensions that it has; after
 * those an H200 says 0, but for the height of a texture. */
static uint32_t size_of(const struct texture_record *record, const struct texture_level *level,
                        unsigned dimension, bool is_surface)
{
    const uint32_t sizes[] = {level->width, level->height, level->depth};

    if (dimension <= record->dimensions) {
        return sizes[dimension - 1];
    }
    if (record->is_layered != 0 && dimension == record->dimensions + 1u) {
        return record->depth;
    }
    return dimension == 2 && !is_surface ? 1 : 0;
}

/* The answer to a query of a level of an object. */
static uint32_t answer(const struct texture_record *record, enum ptx_suboperation query,
                       uint32_t number, bool is_surface)
{
    const struct texture_level level =
        texture_record_level(record, number < record->levels ? number : record->levels - 1u);

    switch (query) {
    case PTX_SUB_WIDTH:
        return size_of(record, &level, 1, is_surface);
    case PTX_SUB_HEIGHT:
        return size_of(record, &level, 2, is_surface);
    case PTX_SUB_DEPTH:
        return size_of(record, &level, 3, is_surface);
    case PTX_SUB_ARRAY_SIZE:
        return record->is_layered != 0 ? record->depth / (record->is_cube != 0 ? 6 : 1) : 1;
    case PTX_SUB_MIPMAP_LEVELS:
        return record->levels;
    default:
        return record->is_normalized != 0;
    }
}

void texture_query_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    const uint32_t *levels = (const uint32_t *)(const void *)(warp->file + op->slot[1]);
    const bool is_surface = op_source(warp->block->launch->code, op)->opcode == PTX_OP_SUQ;
    struct named_objects objects;

    find_objects(warp, op, mask, is_surface, &objects);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const struct texture_record *record = objects.records[lane];
        result_slot(warp, op, 0)[lane] =
            record != NULL
                ? answer(record, (enum ptx_suboperation)op->kind, levels[lane], is_surface)
                : (uint32_t)POISON_WORD;
    }
}
