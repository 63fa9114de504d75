/* texture_units.c: see texture_units.h. */
#include "device/emulated/memory/texture_units.h"

#include "device/emulated/memory/access_check.h"
#include "device/emulated/memory/texture_filter.h"
#include "device/emulated/memory/value_origins.h"

#include <string.h>

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

/* The axes of a lane's access: bytes in a row, rows, slices or layers. */
static void find_axes(const struct warp *warp, const struct op *op, unsigned lane,
                      const struct texture_record *record, struct surface_axis out_axes[3])
{
    const struct texture_level level = texture_record_level(record, 0);
    const bool has_layer = op->target == PTX_GEOMETRY_A1D || op->target == PTX_GEOMETRY_A2D;
    const int64_t row_bytes = (int64_t)level.width * texture_texel_bytes(record);

    out_axes[0] = (struct surface_axis){
        "a row of the surface", (int32_t)argument(warp, op, TEXTURE_AT, lane),
        row_bytes - (int64_t)op->bytes * op->count + 1, 1, (uint64_t)row_bytes};
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
    if (has_layer && op->kind == PTX_SUB_CLAMP && out_axes[2].at < 0) { /* layers have no sign */
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
        if (op->kind == PTX_SUB_CLAMP && axis->count > 0) {
            axis->at = axis->at < 0 ? 0 : axis->at < axis->count ? axis->at : axis->count - 1;
        }
        if (axis->at >= 0 && axis->at < axis->count) {
            address += (uint64_t)axis->at * axis->unit_bytes;
            continue;
        }
        if (op->kind == PTX_SUB_TRAP) {
            const struct access_beyond beyond = {record->address, axis->part, axis->part_bytes,
                                                 (int64_t)((uint64_t)axis->at * axis->unit_bytes)};
            access_report_beyond(warp, op, lane, &beyond);
        }
        return false;
    }
    *out_address = address;
    return true;
}

/* Resolves the accesses of all lanes; those outside of their surface are taken off the mask. */
static uint32_t resolve_surface(struct warp *warp, const struct op *op, uint32_t mask,
                                enum finding_record_access access, uint8_t *where[LANES],
                                uint64_t addresses[LANES])
{
    struct named_objects objects;
    uint32_t inside = 0;

    find_objects(warp, op, mask, true, &objects);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const struct texture_record *record = objects.records[lane];
        if (record != NULL && find_in_surface(warp, op, lane, record, &addresses[lane])) {
            inside |= UINT32_C(1) << lane;
        }
    }
    const struct access_wish wish = {addresses, (uint32_t)op->bytes * op->count, access};
    access_resolve_at(warp, op, inside, &wish, where);
    return inside;
}

static void put_element(const struct warp *warp, const struct op *op, unsigned number,
                        unsigned lane, uint64_t value)
{
    memcpy(warp->file + op->slot[number] + (size_t)lane * op->slot_bytes, &value, op->slot_bytes);
}

void surface_load_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint64_t addresses[LANES] = {0};
    uint8_t *where[LANES] = {NULL};
    uint32_t inside = resolve_surface(warp, op, mask, FINDING_RECORD_READ, where, addresses);

    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        bool is_inside = (inside >> lane & 1) != 0;
        for (unsigned i = 0; i < op->count; i++) {
            uint64_t value = is_inside || op->kind == PTX_SUB_TRAP ? POISON_WORD : 0;
            if (is_inside && where[lane] != NULL) {
                value = 0;
                memcpy(&value, where[lane] + (size_t)i * op->bytes, op->bytes);
            }
            put_element(warp, op, i, lane, value);
        }
    }
}

void surface_store_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct value_origins *origins = warp->block->launch->origins;
    uint64_t addresses[LANES] = {0};
    uint8_t *where[LANES] = {NULL};
    uint32_t inside = resolve_surface(warp, op, mask, FINDING_RECORD_WRITE, where, addresses);

    for (uint32_t left = inside; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned i = 0; i < op->count && where[lane] != NULL; i++) {
            uint64_t value = access_stored_bits(warp, op, i, lane);
            memcpy(where[lane] + (size_t)i * op->bytes, &value, op->bytes);
        }
        if (where[lane] != NULL && origins != NULL) {
            value_origins_clear(origins, addresses[lane], (uint64_t)op->bytes * op->count);
        }
    }
}
