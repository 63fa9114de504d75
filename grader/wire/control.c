/* control.c: packs and unpacks the records of the control channel.
 *
 *   resources    name length u32, name, then six u32 in the order of the struct
 *   call error   three lengths u32 (call, kernel, message), the three strings,
 *                cuda_error u32, is_unknown u32, fetched u32, count u64
 *   GPU          UUID length u32, UUID, driver version u32, its model [CONTROL_MODEL_BYTES]
 *
 * Strings carry no NUL on the wire; a record whose string does not fit its field, or holds a NUL,
 * is refused.
 */
#include "wire/control.h"

#include "wire/little_endian.h"

#include <string.h>

uint64_t control_dimensions_pack(const uint32_t dimensions[3])
{
    return (uint64_t)dimensions[0] | (uint64_t)(dimensions[1] & 0xffff) << 32 |
           (uint64_t)(dimensions[2] & 0xffff) << 48;
}

void control_dimensions_unpack(uint64_t word, uint32_t out_dimensions[3])
{
    out_dimensions[0] = (uint32_t)word;
    out_dimensions[1] = (uint32_t)(word >> 32) & 0xffff;
    out_dimensions[2] = (uint32_t)(word >> 48);
}

/* What is still to be read. */
struct reader {
    const uint8_t *bytes;
    size_t length;
    size_t at;
    bool failed;
};

static void put_u32(struct text *out, uint32_t value)
{
    uint8_t bytes[4];

    little_put_u32(bytes, value);
    text_append_bytes(out, bytes, sizeof(bytes));
}

static void put_u64(struct text *out, uint64_t value)
{
    uint8_t bytes[8];

    little_put_u64(bytes, value);
    text_append_bytes(out, bytes, sizeof(bytes));
}

static const uint8_t *take(struct reader *reader, size_t length)
{
    if (reader->failed || reader->length - reader->at < length) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *bytes = reader->bytes + reader->at;
    reader->at += length;
    return bytes;
}

static uint32_t take_u32(struct reader *reader)
{
    const uint8_t *bytes = take(reader, 4);

    return bytes == NULL ? 0 : little_get_u32(bytes);
}

static uint64_t take_u64(struct reader *reader)
{
    const uint8_t *bytes = take(reader, 8);

    return bytes == NULL ? 0 : little_get_u64(bytes);
}

static void take_string(struct reader *reader, size_t length, char *out, size_t capacity)
{
    if (length >= capacity) {
        reader->failed = true;
        return;
    }
    const uint8_t *bytes = take(reader, length);
    if (bytes == NULL || memchr(bytes, '\0', length) != NULL) {
        reader->failed = true;
        return;
    }
    memcpy(out, bytes, length);
    out[length] = '\0';
}

/* Starts to read a record; false at the end. */
static bool reader_start(struct reader *reader, const uint8_t *bytes, size_t length, size_t cursor)
{
    *reader = (struct reader){.bytes = bytes, .length = length, .at = cursor};
    return cursor < length;
}

/* A length and the bytes of a string. */
static void put_string(struct text *out, const char *string, size_t capacity)
{
    size_t length = strnlen(string, capacity - 1);

    put_u32(out, (uint32_t)length);
    text_append_bytes(out, string, length);
}

void control_resources_pack(const struct control_resources *resources, struct text *out)
{
    put_string(out, resources->name, sizeof(resources->name));
    put_u32(out, resources->registers);
    put_u32(out, resources->static_shared_bytes);
    put_u32(out, resources->local_bytes);
    put_u32(out, resources->constant_bytes);
    put_u32(out, resources->max_threads);
    put_u32(out, resources->first_registers);
}

bool control_resources_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                              struct control_resources *out_resources)
{
    struct reader reader;
    struct control_resources resources = {.registers = 0};

    if (!reader_start(&reader, bytes, length, *cursor)) {
        return false;
    }
    take_string(&reader, take_u32(&reader), resources.name, sizeof(resources.name));
    resources.registers = take_u32(&reader);
    resources.static_shared_bytes = take_u32(&reader);
    resources.local_bytes = take_u32(&reader);
    resources.constant_bytes = take_u32(&reader);
    resources.max_threads = take_u32(&reader);
    resources.first_registers = take_u32(&reader);
    if (reader.failed) {
        return false;
    }
    *cursor = reader.at;
    *out_resources = resources;
    return true;
}

void control_call_error_pack(const struct control_call_error *error, struct text *out)
{
    size_t call = strnlen(error->call, sizeof(error->call) - 1);
    size_t kernel = strnlen(error->kernel, sizeof(error->kernel) - 1);
    size_t message = strnlen(error->message, sizeof(error->message) - 1);

    put_u32(out, (uint32_t)call);
    put_u32(out, (uint32_t)kernel);
    put_u32(out, (uint32_t)message);
    text_append_bytes(out, error->call, call);
    text_append_bytes(out, error->kernel, kernel);
    text_append_bytes(out, error->message, message);
    put_u32(out, (uint32_t)error->cuda_error);
    put_u32(out, error->is_unknown);
    put_u32(out, error->fetched);
    put_u32(out, error->site);
    put_u64(out, error->count);
    put_u32(out, error->memory);
}

bool control_call_error_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                               struct control_call_error *out_error)
{
    struct reader reader;
    struct control_call_error error = {.count = 0};

    if (!reader_start(&reader, bytes, length, *cursor)) {
        return false;
    }
    uint32_t call = take_u32(&reader);
    uint32_t kernel = take_u32(&reader);
    uint32_t message = take_u32(&reader);
    take_string(&reader, call, error.call, sizeof(error.call));
    take_string(&reader, kernel, error.kernel, sizeof(error.kernel));
    take_string(&reader, message, error.message, sizeof(error.message));
    error.cuda_error = (int32_t)take_u32(&reader);
    error.is_unknown = take_u32(&reader);
    error.fetched = take_u32(&reader);
    error.site = take_u32(&reader);
    error.count = take_u64(&reader);
    error.memory = take_u32(&reader);
    if (reader.failed || error.is_unknown > 1 || error.fetched > 1 ||
        error.memory >= CONTROL_CALL_MEMORY_END) {
        return false;
    }
    *cursor = reader.at;
    *out_error = error;
    return true;
}

void control_streams_pack(const struct control_streams *streams, struct text *out)
{
    put_u64(out, streams->work);
    put_u64(out, streams->bytes);
    put_u64(out, streams->longest);
    put_u64(out, streams->host_waits);
    put_u64(out, streams->left_out);
}

bool control_streams_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                            struct control_streams *out_streams)
{
    struct reader reader;

    if (!reader_start(&reader, bytes, length, *cursor)) {
        return false;
    }
    out_streams->work = take_u64(&reader);
    out_streams->bytes = take_u64(&reader);
    out_streams->longest = take_u64(&reader);
    out_streams->host_waits = take_u64(&reader);
    out_streams->left_out = take_u64(&reader);
    *cursor = reader.at;
    return !reader.failed;
}

void control_conflict_pack(const struct control_conflict *conflict, struct text *out)
{
    for (size_t i = 0; i < 2; i++) {
        const struct control_work *work = &conflict->works[i];

        put_string(out, work->call, sizeof(work->call));
        put_string(out, work->kernel, sizeof(work->kernel));
        put_u32(out, work->site);
        put_u32(out, work->stream);
        put_u32(out, work->access);
    }
    put_u64(out, conflict->address);
    put_u64(out, conflict->bytes);
    put_u32(out, conflict->object_site);
    put_u64(out, conflict->count);
}

bool control_conflict_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                             struct control_conflict *out_conflict)
{
    struct reader reader;
    struct control_conflict conflict = {.count = 0};

    if (!reader_start(&reader, bytes, length, *cursor)) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        struct control_work *work = &conflict.works[i];

        take_string(&reader, take_u32(&reader), work->call, sizeof(work->call));
        take_string(&reader, take_u32(&reader), work->kernel, sizeof(work->kernel));
        work->site = take_u32(&reader);
        work->stream = take_u32(&reader);
        work->access = take_u32(&reader);
    }
    conflict.address = take_u64(&reader);
    conflict.bytes = take_u64(&reader);
    conflict.object_site = take_u32(&reader);
    conflict.count = take_u64(&reader);
    if (reader.failed || conflict.works[0].access > 2 || conflict.works[1].access > 2) {
        return false;
    }
    *cursor = reader.at;
    *out_conflict = conflict;
    return true;
}

void control_site_pack(const struct control_site *site, struct text *out)
{
    for (size_t i = 0; i < CLIENT_SITE_ADDRESSES; i++) {
        put_u64(out, site->addresses[i]);
    }
    put_u64(out, site->live_allocations);
    put_u64(out, site->live_bytes);
}

bool control_site_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                         struct control_site *out_site)
{
    struct reader reader;

    if (!reader_start(&reader, bytes, length, *cursor)) {
        return false;
    }
    for (size_t i = 0; i < CLIENT_SITE_ADDRESSES; i++) {
        out_site->addresses[i] = take_u64(&reader);
    }
    out_site->live_allocations = take_u64(&reader);
    out_site->live_bytes = take_u64(&reader);
    *cursor = reader.at;
    return !reader.failed;
}

void control_gpu_pack(const struct control_gpu *gpu, struct text *out)
{
    size_t length = strnlen(gpu->uuid, sizeof(gpu->uuid) - 1);

    put_u32(out, (uint32_t)length);
    text_append_bytes(out, gpu->uuid, length);
    put_u32(out, gpu->driver_version);
    text_append_bytes(out, gpu->model, sizeof(gpu->model));
}

bool control_gpu_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                        struct control_gpu *out_gpu)
{
    struct reader reader;
    struct control_gpu gpu = {.driver_version = 0};

    if (!reader_start(&reader, bytes, length, *cursor)) {
        return false;
    }
    take_string(&reader, take_u32(&reader), gpu.uuid, sizeof(gpu.uuid));
    gpu.driver_version = take_u32(&reader);
    const uint8_t *model = take(&reader, sizeof(gpu.model));
    if (model == NULL || gpu.uuid[0] == '\0') {
        return false;
    }
    memcpy(gpu.model, model, sizeof(gpu.model));
    *cursor = reader.at;
    *out_gpu = gpu;
    return true;
}
