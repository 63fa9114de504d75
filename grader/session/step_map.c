/* step_map.c: see step_map.h. */
#include "session/step_map.h"

#include "model/kernel_pattern.h"
#include "session/finding_map.h"
#include "toolchain/toolchain.h"
#include "wire/step_record.h"

#include <string.h>

enum { BLOCK_THREADS_MAX = 1024 };

_Static_assert((int)STEP_BARRIER_PASSED == (int)STEP_ARRIVES_ONLY, "steps keep their barriers");

static enum error watch_kernel(struct device_link *link, size_t module, const char *name,
                               const struct step_request *request, struct diagnostic *diagnostic)
{
    const struct message watch = {
        .type = CONTROL_STEPS_WATCH,
        .words = {module, request->has_block, control_dimensions_pack(request->block)},
        .payload = name,
        .payload_bytes = strlen(name),
    };

    return device_link_call(link, &watch, NULL, diagnostic);
}

enum error steps_watch(struct device_link *link, const struct code_index *code, const char *pattern,
                       const struct step_request *request, struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < code->module_count; i++) {
        const struct code_module *module = &code->modules[i];
        for (size_t k = 0; k < module->kernel_count && error == ERROR_NONE; k++) {
            const struct code_kernel *kernel = &module->kernels[k];
            bool is_wanted = pattern == NULL ? !kernel->is_library
                                             : kernel_pattern_matches(pattern, kernel->plain_name);
            if (is_wanted) {
                error = watch_kernel(link, i, kernel->name, request, diagnostic);
            }
        }
    }
    return error;
}

/* What a reply is read with. */
struct step_reader {
    struct arena *arena;
    const struct code_module *module;
    const uint8_t *bytes; /* [length] of the steps, then places, then regions */
    size_t length;
    size_t place_count;
    uint32_t warps; /* of a block */
};

static const struct trace_line *read_lines(const struct step_reader *reader)
{
    struct trace_line *lines = arena_array(reader->arena, reader->place_count + 1, sizeof *lines);
    const uint8_t *packed = reader->bytes + reader->length;

    for (size_t i = 0; i < reader->place_count; i++) {
        struct finding_record_place record;
        struct place place;

        memset(&place, 0, sizeof place);
        trace_place_unpack(packed + i * TRACE_PLACE_BYTES, &record);
        place_from_record(reader->module, &record, &place);
        lines[i] = (struct trace_line){place.file, place.line, place.column};
    }
    return lines;
}

static const int64_t *read_list(struct arena *arena, const struct step_record *record,
                                uint64_t first, int64_t *out_distance)
{
    unsigned lowest = (unsigned)__builtin_ctz(record->lanes);
    uint32_t rest = record->lanes & (record->lanes - 1);
    bool is_even = true;
    size_t count = 0;

    *out_distance = 0;
    if (rest != 0) {
        unsigned next = (unsigned)__builtin_ctz(rest);
        *out_distance = (int64_t)(record->addresses[next] - first) / (int64_t)(next - lowest);
    }
    for (; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        is_even =
            is_even && record->addresses[lane] == first + (uint64_t)*out_distance * (lane - lowest);
    }
    if (is_even) {
        return NULL;
    }
    int64_t *list = arena_array(arena, (size_t)__builtin_popcount(record->lanes), sizeof *list);
    for (uint32_t left = record->lanes; left != 0; left &= left - 1) {
        list[count++] = (int64_t)(record->addresses[__builtin_ctz(left)] - first);
    }
    return list;
}

static struct block_step step_of(const struct step_reader *reader, const struct step_record *record)
{
    static const uint8_t kinds[] = {
        [STEP_RECORD_READ] = STEP_READ,     [STEP_RECORD_WRITE] = STEP_WRITE,
        [STEP_RECORD_ATOMIC] = STEP_ATOMIC, [STEP_RECORD_BARRIER] = STEP_BARRIER,
        [STEP_RECORD_BRANCH] = STEP_BRANCH, [STEP_RECORD_EXIT] = STEP_EXIT,
    };
    struct block_step step = {
        .kind = kinds[record->kind],
        .space = record->space == TRACE_RECORD_SHARED ? TRACE_SHARED : TRACE_GLOBAL,
        .bytes = (uint8_t)record->bytes,
        .releases = record->releases,
        .warp = record->warp,
        .line = record->place,
        .lanes = record->lanes,
        .other = record->other,
    };

    if (step.kind <= STEP_ATOMIC) {
        step.first = record->addresses[__builtin_ctz(record->lanes)];
        step.list = read_list(reader->arena, record, step.first, &step.distance);
    }
    return step;
}

/* False if the bytes are not the steps of such a block. */
static bool read_records(const struct step_reader *reader, size_t count, struct block_steps *steps)
{
    struct block_step *read = arena_array(reader->arena, count + 1, sizeof *read);
    size_t cursor = 0;

    for (size_t i = 0; i < count; i++) {
        struct step_record record;
        if (!step_record_unpack(reader->bytes, reader->length, &cursor, &record) ||
            record.place >= reader->place_count || record.warp >= reader->warps) {
            return false;
        }
        read[i] = step_of(reader, &record);
    }
    steps->steps = read;
    steps->step_count = count;
    return cursor == reader->length;
}

/* The operand that fills an allocation; NULL if none does. */
static const struct operand_memory *operand_at(const struct operand_memories *operands,
                                               const struct step_region *region)
{
    for (size_t i = 0; operands != NULL && i < operands->count; i++) {
        const struct operand_memory *operand = &operands->items[i];
        if (operand->start == region->start && operand->bytes == region->bytes) {
            return operand;
        }
    }
    return NULL;
}

static struct step_memory memory_of(const struct step_reader *reader,
                                    const struct operand_memories *operands,
                                    const struct step_region *region)
{
    bool is_shared = region->space == TRACE_RECORD_SHARED;
    const struct operand_memory *operand = is_shared ? NULL : operand_at(operands, region);

    return (struct step_memory){
        .space = is_shared ? TRACE_SHARED : TRACE_GLOBAL,
        .name = is_shared         ? toolchain_variable_name(reader->arena, region->name)
                : operand == NULL ? ""
                                  : operand->name,
        .start = region->start,
        .bytes = region->bytes,
        .element_bytes = operand == NULL ? 0 : operand->element_bytes,
    };
}

static bool read_regions(const struct step_reader *reader, const struct operand_memories *operands,
                         size_t count, struct block_steps *steps)
{
    struct step_memory *memories = arena_array(reader->arena, count + 1, sizeof *memories);
    const uint8_t *packed =
        reader->bytes + reader->length + reader->place_count * TRACE_PLACE_BYTES;

    for (size_t i = 0; i < count; i++) {
        struct step_region region;
        if (!step_region_unpack(packed + i * STEP_REGION_BYTES, &region)) {
            return false;
        }
        memories[i] = memory_of(reader, operands, &region);
    }
    steps->memories = memories;
    steps->memory_count = count;
    return true;
}

/* 0 if no block has so many threads. */
static uint32_t warps_of(const uint32_t block[3])
{
    uint64_t threads = 1;

    for (int i = 0; i < 3; i++) {
        threads *= block[i];
        if (threads > BLOCK_THREADS_MAX) {
            return 0;
        }
    }
    return ((uint32_t)threads + STEP_LANES - 1) / STEP_LANES;
}

bool steps_from_reply(struct arena *arena, const struct code_index *code,
                      const struct operand_memories *operands, const struct message *reply,
                      struct block_steps *out_steps)
{
    struct block_steps *steps = out_steps;
    const uint64_t *words = reply->words;
    const uint32_t function = (uint32_t)words[1];

    memset(steps, 0, sizeof *steps);
    if (words[1] >> 32 >= code->module_count || words[8] > TRACE_PLACES_MAX ||
        words[9] > STEP_REGIONS_MAX) {
        return false;
    }
    uint64_t tail = words[8] * TRACE_PLACE_BYTES + words[9] * STEP_REGION_BYTES;
    if (tail > reply->payload_bytes ||
        words[6] > (reply->payload_bytes - tail) / STEP_RECORD_BYTES_MIN || words[6] > words[7]) {
        return false;
    }
    const struct code_module *module = &code->modules[words[1] >> 32];
    struct step_reader reader = {
        .arena = arena,
        .module = module,
        .bytes = reply->payload,
        .length = reply->payload_bytes - (size_t)tail,
        .place_count = (size_t)words[8],
    };
    if (function >= module->kernel_count) {
        return false;
    }
    steps->kernel = module->kernels[function].plain_name;
    steps->case_name = "";
    steps->has_finding = (words[0] & 2) != 0;
    control_dimensions_unpack(words[2], steps->grid);
    control_dimensions_unpack(words[3], steps->block);
    control_dimensions_unpack(words[4], steps->block_index);
    steps->shared_bytes = words[5];
    steps->total = words[7];
    steps->lines = read_lines(&reader);
    steps->line_count = reader.place_count;
    reader.warps = warps_of(steps->block);
    return read_records(&reader, (size_t)words[6], steps) &&
           read_regions(&reader, operands, (size_t)words[9], steps);
}

enum error steps_take(struct device_link *link, struct arena *arena, const struct code_index *code,
                      const struct operand_memories *operands, const struct block_steps **out_steps,
                      struct diagnostic *diagnostic)
{
    const struct message take = {.type = CONTROL_STEPS};
    struct message reply;
    struct block_steps *steps = arena_alloc(arena, sizeof *steps);
    enum error error = device_link_call(link, &take, &reply, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (reply.words[0] == 0) {
        *out_steps = NULL;
        return ERROR_NONE;
    }
    if (!steps_from_reply(arena, code, operands, &reply, steps)) {
        diagnostic_set(diagnostic, BLAME_GRADER, "device: sends steps that no block has");
        return ERROR_PEER;
    }
    *out_steps = steps;
    return ERROR_NONE;
}
