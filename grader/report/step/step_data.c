/* step_data.c: see step_data.h. */
#include "report/step/step_data.h"

#include "base/arena.h"
#include "base/hash_index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WARPS_MAX = 32, BARRIERS_MAX = 16, LEAST_STEPS = 256 };

/* Addresses are exact in a script up to here; none that is valid comes near. */
#define ADDRESS_MAX (INT64_C(1) << 51)

/* What lanes do beside the steps that are shown. */
struct lane_state {
    uint32_t waits[WARPS_MAX][BARRIERS_MAX], ended[WARPS_MAX];
};

/* A table of what occurs, each once, in the order in which it first does. */
struct table {
    struct hash_index index;
    uint64_t *keys; /* a hash tells them apart as well as need be: 64 bits */
    size_t count, capacity;
    struct text json;
};

struct encoder {
    const struct block_steps *steps;
    struct arena *arena;
    struct table ops, lanes, shapes;
    uint64_t *before; /* of each op: the first address of its step before */
    size_t before_capacity;
    struct text stream, gaps;
    size_t shown;
};

static bool is_access(const struct block_step *step)
{
    return step->kind <= STEP_ATOMIC;
}

/* Finds a key, or adds it: then *out_is_new, and its JSON is still to be appended. */
static size_t find_key(struct encoder *encoder, struct table *table, uint64_t key, bool *out_is_new)
{
    size_t at = hash_index_first(&table->index, key);

    while (at != HASH_INDEX_NONE && table->keys[at] != key) {
        at = hash_index_next(&table->index, at);
    }
    *out_is_new = at == HASH_INDEX_NONE;
    if (at != HASH_INDEX_NONE) {
        return at;
    }
    hash_index_add(&table->index, encoder->arena, key);
    arena_grow(encoder->arena, &table->keys, &table->capacity, table->count + 1,
               sizeof *table->keys);
    table->keys[table->count] = key;
    text_append(&table->json, table->count == 0 ? "" : ",");
    return table->count++;
}

static size_t find_op(struct encoder *encoder, const struct block_step *step)
{
    uint64_t key = (uint64_t)step->line << 32 | (uint64_t)step->bytes << 16 |
                   (uint64_t)step->kind << 8 | (uint64_t)step->space << 1 | step->releases;
    bool is_new = false;
    size_t op = find_key(encoder, &encoder->ops, key, &is_new);

    if (is_new) {
        text_printf(&encoder->ops.json, "[%u,%u,%u,%" PRIu32 ",%d]", step->kind, step->space,
                    step->bytes, step->line, step->releases);
        arena_grow(encoder->arena, &encoder->before, &encoder->before_capacity, op + 1,
                   sizeof *encoder->before);
        encoder->before[op] = 0;
    }
    return op;
}

static size_t find_lanes(struct encoder *encoder, uint32_t lanes)
{
    bool is_new = false;
    size_t number = find_key(encoder, &encoder->lanes, lanes, &is_new);

    if (is_new) {
        text_printf(&encoder->lanes.json, "%" PRIu32, lanes);
    }
    return number;
}

static int64_t clamp(int64_t value)
{
    return value > ADDRESS_MAX ? ADDRESS_MAX : value < -ADDRESS_MAX ? -ADDRESS_MAX : value;
}

static size_t find_shape(struct encoder *encoder, const struct block_step *step)
{
    size_t count = step->list == NULL ? 0 : (size_t)__builtin_popcount(step->lanes);
    uint64_t key = hash_number(HASH_START, count);
    bool is_new = false;

    key = hash_number(key, (uint64_t)(count == 0 ? step->distance : 0));
    for (size_t i = 0; i < count; i++) {
        key = hash_number(key, (uint64_t)step->list[i]);
    }
    size_t number = find_key(encoder, &encoder->shapes, key, &is_new);
    if (is_new && count == 0) {
        text_printf(&encoder->shapes.json, "%" PRId64, clamp(step->distance));
    } else if (is_new) {
        for (size_t i = 0; i < count; i++) {
            text_printf(&encoder->shapes.json, "%c%" PRId64, i == 0 ? '[' : ',',
                        clamp(step->list[i]));
        }
        text_append_char(&encoder->shapes.json, ']');
    }
    return number;
}

/* A number in base 36, with the character that follows it. */
static void append_number(struct text *out, int64_t value, char end)
{
    char digits[16];
    size_t at = sizeof digits;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;

    digits[--at] = end;
    do {
        digits[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[left % 36];
        left /= 36;
    } while (left > 0);
    if (value < 0) {
        digits[--at] = '-';
    }
    text_append_bytes(out, digits + at, sizeof digits - at);
}

static void append_step(struct encoder *encoder, const struct block_step *step)
{
    struct text *out = &encoder->stream;
    size_t op = find_op(encoder, step);

    append_number(out, (int64_t)op, ',');
    append_number(out, step->warp, ',');
    append_number(out, (int64_t)find_lanes(encoder, step->lanes), ',');
    append_number(out,
                  step->kind == STEP_BARRIER || step->kind == STEP_EXIT
                      ? (int64_t)step->other
                      : (int64_t)find_lanes(encoder, step->other),
                  is_access(step) ? ',' : ';');
    if (is_access(step)) {
        uint64_t first = (uint64_t)clamp((int64_t)step->first);
        append_number(out, (int64_t)find_shape(encoder, step), ',');
        append_number(out, (int64_t)(first - encoder->before[op]), ';');
        encoder->before[op] = first;
    }
    encoder->shown++;
}

/* What a step does to lanes that wait and end. */
static void pass_step(struct lane_state *state, const struct block_step *step)
{
    uint32_t barrier = step->other % BARRIERS_MAX;

    if (step->kind == STEP_EXIT) {
        state->ended[step->warp] |= step->lanes;
    } else if (step->kind == STEP_BARRIER && (step->other & STEP_BARRIER_PASSED) == 0) {
        state->waits[step->warp][barrier] |= step->lanes;
    }
    for (uint32_t w = 0; step->releases && w < WARPS_MAX; w++) {
        state->waits[w][barrier] = 0;
    }
}

static void append_gap(struct encoder *encoder, size_t left_out, const struct lane_state *state)
{
    struct text *out = &encoder->gaps;
    const char *between = "";

    text_printf(out, "%s[%zu,%zu,[", out->length == 0 ? "" : ",", encoder->shown, left_out);
    for (uint32_t w = 0; w < WARPS_MAX; w++) {
        for (uint32_t b = 0; b < BARRIERS_MAX; b++) {
            if (state->waits[w][b] != 0) {
                text_printf(out, "%s[%u,%u,%u]", between, w, b, state->waits[w][b]);
                between = ",";
            }
        }
    }
    text_append(out, "],[");
    between = "";
    for (uint32_t w = 0; w < WARPS_MAX; w++) {
        if (state->ended[w] != 0) {
            text_printf(out, "%s[%u,%u]", between, w, state->ended[w]);
            between = ",";
        }
    }
    text_append(out, "]]");
}

/* Marks `most` steps at most: half of them around the moments, and the first ones. */
static void choose(const struct block_steps *steps, const size_t *moments, size_t count,
                   size_t most, bool *out_kept)
{
    size_t around = count == 0 ? 0 : most / 2 / count;
    size_t left = most;

    memset(out_kept, 0, steps->step_count * sizeof *out_kept);
    for (size_t k = 0; k < count; k++) {
        size_t first = moments[k] > around / 2 ? moments[k] - around / 2 : 0;
        for (size_t i = first; i < steps->step_count && i < first + around; i++) {
            left -= !out_kept[i];
            out_kept[i] = true;
        }
    }
    for (size_t i = 0; i < steps->step_count && left > 0; i++) {
        left -= !out_kept[i];
        out_kept[i] = true;
    }
}

static void encode(struct encoder *encoder, const bool *kept, size_t *out_numbers)
{
    const struct block_steps *steps = encoder->steps;
    struct lane_state state;
    size_t left_out = 0;

    memset(&state, 0, sizeof state);
    for (size_t i = 0; i < steps->step_count; i++) {
        out_numbers[i] = kept[i] ? encoder->shown : SIZE_MAX;
        if (kept[i] && left_out > 0) {
            append_gap(encoder, left_out, &state);
            left_out = 0;
        }
        pass_step(&state, &steps->steps[i]);
        if (kept[i]) {
            append_step(encoder, &steps->steps[i]);
        } else {
            left_out++;
        }
    }
}

static void encoder_init(struct encoder *encoder, const struct block_steps *steps)
{
    *encoder = (struct encoder){.steps = steps, .arena = arena_new()};
    text_init(&encoder->ops.json);
    text_init(&encoder->lanes.json);
    text_init(&encoder->shapes.json);
    text_init(&encoder->stream);
    text_init(&encoder->gaps);
}

static void encoder_release(struct encoder *encoder)
{
    text_release(&encoder->ops.json);
    text_release(&encoder->lanes.json);
    text_release(&encoder->shapes.json);
    text_release(&encoder->stream);
    text_release(&encoder->gaps);
    arena_free(encoder->arena);
}

static void append_json(const struct encoder *encoder, struct text *out)
{
    const struct block_steps *steps = encoder->steps;
    const uint32_t *b = steps->block;

    text_printf(out,
                "{\"block\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],\"shared\":%" PRIu64
                ",\"total\":%" PRIu64 ",\"count\":%zu,\"ops\":[",
                b[0], b[1], b[2], steps->shared_bytes, steps->total, encoder->shown);
    text_append(out, encoder->ops.json.bytes);
    text_append(out, "],\"lanes\":[");
    text_append(out, encoder->lanes.json.bytes);
    text_append(out, "],\"shapes\":[");
    text_append(out, encoder->shapes.json.bytes);
    text_append(out, "],\"gaps\":[");
    text_append(out, encoder->gaps.bytes);
    text_append(out, "],\"steps\":\"");
    text_append(out, encoder->stream.bytes);
    text_append(out, "\"}");
}

void step_data_make(const struct block_steps *steps, const size_t *moments, size_t count,
                    struct step_data *out_data)
{
    bool *kept = calloc(steps->step_count + 1, sizeof *kept);
    size_t *numbers = calloc(steps->step_count + 1, sizeof *numbers);
    size_t most = STEP_DATA_STEPS;

    if (kept == NULL || numbers == NULL) {
        abort();
    }
    text_init(&out_data->json);
    for (;;) {
        struct encoder encoder;
        encoder_init(&encoder, steps);
        choose(steps, moments, count, most, kept);
        encode(&encoder, kept, numbers);
        text_clear(&out_data->json);
        append_json(&encoder, &out_data->json);
        out_data->shown = encoder.shown;
        encoder_release(&encoder);
        if (out_data->json.length <= STEP_DATA_BYTES || most <= LEAST_STEPS) {
            break;
        }
        most = most / 4 * 3;
    }
    free(kept);
    out_data->number = numbers;
}

void step_data_release(struct step_data *data)
{
    text_release(&data->json);
    free(data->number);
}
