/* server_memory.c: allocations and copies of the program.
 *
 * An area is checked as a whole before the first byte moves: its extent (from its first byte to the
 * last of its last row) is computed with overflow checks and must lie within one living allocation
 * or variable.
 */
#include "device/server_state.h"

#include "base/clock.h"
#include "wire/little_endian.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Living allocations at once; each takes memory of the device process, and time when all are freed
 * together. Rows of an area between two looks at the clock. */
enum { ALLOCATIONS_MAX = 1 << 16, ROWS_AT_ONCE = 4096 };

/* A rectangle of device memory. */
struct area {
    uint64_t address, pitch, width, rows;
};

/* An address as messages tell it. Host addresses differ from run to run and are left out, so that
 * the same program always gives the same report. */
struct address_text {
    char text[48];
};

static struct address_text address_text(uint64_t address)
{
    struct address_text out;

    if (address == 0) {
        snprintf(out.text, sizeof(out.text), "a null pointer");
    } else if (is_in_device_window(address)) {
        snprintf(out.text, sizeof(out.text), "0x%llx", (unsigned long long)address);
    } else {
        snprintf(out.text, sizeof(out.text), "a host address");
    }
    return out;
}

/* The index of the first allocation at or after an address. */
static size_t allocation_index(const struct server *server, uint64_t address)
{
    size_t low = 0, high = server->allocation_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (server->allocations[middle].address < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The allocation that holds an address; NULL if none does. */
static const struct server_allocation *allocation_of(const struct server *server, uint64_t address)
{
    size_t after = allocation_index(server, address + 1);
    const struct server_allocation *allocation =
        after == 0 ? NULL : &server->allocations[after - 1];

    return allocation != NULL && address - allocation->address < allocation->bytes ? allocation
                                                                                   : NULL;
}

/* True for calls that give memory of the device alone. */
static bool gives_plain_memory(const struct client_origin *origin)
{
    const enum runtime_call call = runtime_call_meaning(origin->call);

    return call == RUNTIME_CALL_cudaMalloc || call == RUNTIME_CALL_cudaMallocPitch ||
           call == RUNTIME_CALL_cudaMalloc3D || call == RUNTIME_CALL_cudaMallocAsync ||
           call == RUNTIME_CALL_cudaMallocFromPoolAsync ||
           call == RUNTIME_CALL_cudaGraphAddMemAllocNode || call == RUNTIME_CALL_cudaGraphAddNode ||
           call == RUNTIME_CALL_cudaGraphConditionalHandleCreate;
}

static void add_allocation(struct server *server, uint64_t address, uint64_t bytes)
{
    size_t index = allocation_index(server, address);

    if (server->allocation_count == server->allocation_capacity) {
        size_t capacity = server->allocation_capacity == 0 ? 64 : server->allocation_capacity * 2;
        struct server_allocation *grown =
            realloc(server->allocations, capacity * sizeof(*server->allocations));
        if (grown == NULL) {
            abort();
        }
        server->allocations = grown;
        server->allocation_capacity = capacity;
    }
    memmove(&server->allocations[index + 1], &server->allocations[index],
            (server->allocation_count - index) * sizeof(*server->allocations));
    server->allocations[index] =
        (struct server_allocation){.address = address,
                                   .bytes = bytes,
                                   .site = server->origin.site,
                                   .may_be_shared = !gives_plain_memory(&server->origin)};
    server->allocation_count++;
    server->allocated_bytes += bytes;
}

enum server_step server_allocate(struct server *server, const struct message *request,
                                 struct message *reply)
{
    uint64_t bytes = request->words[1], address = request->words[2];
    const struct server_allocation *living = allocation_of(server, address);
    struct diagnostic diagnostic = {.message = ""};

    if (bytes == 0) {
        return server_refuse(server, request, reply, CUDA_STATUS_INVALID_VALUE,
                             "an allocation of 0 bytes");
    }
    if (server->allocation_count == ALLOCATIONS_MAX) {
        return server_refuse(server, request, reply, CUDA_STATUS_MEMORY_ALLOCATION,
                             "more than %d live allocations", ALLOCATIONS_MAX);
    }
    if (address != 0 && living != NULL && living->address == address && living->bytes == bytes &&
        server_call_records(server)) {
        reply->words[0] = address; /* what a recorded call frees lives on until its end */
        return SERVER_STEP_REPLY;
    }
    if (bytes > server->config.memory_limit_bytes ||
        (address == 0
             ? device_allocate(server->device, bytes, &address, &diagnostic)
             : device_allocate_again(server->device, bytes, address, &diagnostic)) != ERROR_NONE) {
        return server_refuse(server, request, reply, CUDA_STATUS_MEMORY_ALLOCATION,
                             "%llu bytes requested; %llu of %llu are already in use",
                             (unsigned long long)bytes, (unsigned long long)server->allocated_bytes,
                             (unsigned long long)server->config.memory_limit_bytes);
    }
    add_allocation(server, address, bytes);
    reply->words[0] = address;
    return SERVER_STEP_REPLY;
}

enum server_step server_free_memory(struct server *server, const struct message *request,
                                    struct message *reply)
{
    uint64_t address = request->words[1];
    size_t index = allocation_index(server, address);

    bool is_there =
        index < server->allocation_count && server->allocations[index].address == address;
    if (is_there && server_call_records(server)) {
        return SERVER_STEP_REPLY;
    }
    if (!is_there || !device_release(server->device, address)) {
        return server_refuse(server, request, reply, CUDA_STATUS_INVALID_VALUE,
                             "%s is not the start of a live allocation",
                             address_text(address).text);
    }
    if (server->order != NULL && server->origin.stream == ORDER_NO_STREAM) {
        stream_order_set_caller(server->order, server->origin.site, server->origin.thread);
        stream_order_host_waits_all(server->order); /* cudaFree waits for everything */
    }
    server->freed[server->freed_count++ % SERVER_FREED_MAX] =
        (struct server_freed){server->allocations[index], server->origin.site};
    server->allocated_bytes -= server->allocations[index].bytes;
    server->allocation_count--;
    memmove(&server->allocations[index], &server->allocations[index + 1],
            (server->allocation_count - index) * sizeof(*server->allocations));
    return SERVER_STEP_REPLY;
}

/* The allocation freed last that had the byte at an address; NULL if there is none. */
static const struct server_freed *find_freed(const struct server *server, uint64_t address)
{
    size_t kept = server->freed_count < SERVER_FREED_MAX ? server->freed_count : SERVER_FREED_MAX;

    for (size_t i = 1; i <= kept; i++) {
        const struct server_freed *freed =
            &server->freed[(server->freed_count - i) % SERVER_FREED_MAX];
        if (address - freed->allocation.address < freed->allocation.bytes) {
            return freed;
        }
    }
    return NULL;
}

void server_set_sites(const struct server *server, struct finding_record *finding)
{
    uint64_t address = finding->address;

    if (finding->kind == FINDING_RECORD_USE_AFTER_FREE) {
        const struct server_freed *freed = find_freed(server, address);

        finding->object_site = freed == NULL ? 0 : freed->allocation.site;
        finding->freed_site = freed == NULL ? 0 : freed->site;
        return;
    }
    if (finding->kind == FINDING_RECORD_GLOBAL_RACE ||
        finding->kind == FINDING_RECORD_GLOBAL_UNINITIALISED) {
        finding->object_site = server_site_of(server, address);
    }
    if (finding->kind != FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS || finding->object_bytes == 0) {
        return;
    }
    /* It begins inside, or so far past the last byte of the allocation or before the first one. */
    finding->object_site = finding->distance_bytes == 0 ? server_site_of(server, address) : 0;
    if (finding->object_site == 0) {
        address -= (uint64_t)finding->distance_bytes;
        finding->object_site =
            server_site_of(server, finding->distance_bytes < 0 ? address : address - 1);
    }
}

uint32_t server_site_of(const struct server *server, uint64_t address)
{
    const struct server_allocation *allocation = allocation_of(server, address);

    return allocation != NULL ? allocation->site : 0;
}

bool server_may_share(const struct server *server, uint64_t address)
{
    const struct server_allocation *allocation = allocation_of(server, address);

    return allocation != NULL && allocation->may_be_shared;
}

void server_pack_sites(const struct server *server, struct text *out)
{
    struct control_site *sites = calloc(server->site_count + 1, sizeof(*sites));

    if (sites == NULL) {
        abort();
    }
    for (size_t i = 0; i < server->allocation_count; i++) {
        struct control_site *site = &sites[server->allocations[i].site];

        site->live_allocations++;
        site->live_bytes += server->allocations[i].bytes;
    }
    for (size_t i = 1; i <= server->site_count; i++) {
        memcpy(sites[i].addresses, server->sites[i - 1].addresses, sizeof(sites[i].addresses));
        control_site_pack(&sites[i], out);
    }
    free(sites);
}

void server_release_memory(struct server *server)
{
    /* The last first: nothing has to move up in the tables of the device. */
    for (size_t i = server->allocation_count; i > 0; i--) {
        device_release(server->device, server->allocations[i - 1].address);
    }
    server->allocation_count = 0;
    server->allocated_bytes = 0;
}

/* True if a range lies within one living allocation or variable. */
static bool is_living(struct server *server, uint64_t address, uint64_t bytes)
{
    struct device_allocation found;

    return server_find_memory(server, address, &found) && bytes <= found.bytes &&
           address - found.address <= found.bytes - bytes;
}

/* Refuses a range that is not within one living allocation or variable, by how much is left there.
 */
static enum server_step refuse_range(struct server *server, const struct message *request,
                                     struct message *reply, uint64_t address, uint64_t bytes)
{
    struct device_allocation found;

    if (server_find_memory(server, address, &found)) {
        return server_refuse(server, request, reply, CUDA_STATUS_INVALID_VALUE,
                             "%llu bytes, but the allocation has only %llu from there",
                             (unsigned long long)bytes,
                             (unsigned long long)(found.bytes - (address - found.address)));
    }
    return server_refuse(server, request, reply, CUDA_STATUS_INVALID_VALUE,
                         "%llu bytes at %s, where no device memory is allocated",
                         (unsigned long long)bytes, address_text(address).text);
}

enum server_step server_range(struct server *server, const struct message *request,
                              struct message *reply)
{
    return is_living(server, request->words[1], request->words[2])
               ? SERVER_STEP_REPLY
               : refuse_range(server, request, reply, request->words[1], request->words[2]);
}

enum server_step server_find(struct server *server, const struct message *request,
                             struct message *reply)
{
    struct device_allocation found;

    if (server_find_memory(server, request->words[1], &found)) {
        reply->words[0] = found.address;
        reply->words[1] = found.bytes;
        reply->words[2] = found.is_module_variable;
    }
    return SERVER_STEP_REPLY;
}

/* The bytes from the first of an area to its last; false if it is empty or its rows overlap. */
static bool area_extent(const struct area *area, uint64_t *out_extent)
{
    return area->width > 0 && area->rows > 0 && (area->rows == 1 || area->pitch >= area->width) &&
           !__builtin_mul_overflow(area->pitch, area->rows - 1, out_extent) &&
           !__builtin_add_overflow(*out_extent, area->width, out_extent);
}

/* False also if it leaves its allocation. */
static bool area_is_valid(struct server *server, const struct area *area)
{
    uint64_t extent;

    return area_extent(area, &extent) && is_living(server, area->address, extent);
}

static struct area area_of(const struct message *request)
{
    return (struct area){
        .address = request->words[1],
        .pitch = request->words[2],
        .width = request->words[3],
        .rows = request->words[4],
    };
}

static enum server_step refuse_area(struct server *server, const struct message *request,
                                    struct message *reply, const struct area *area)
{
    uint64_t extent;

    if (area_extent(area, &extent)) {
        return refuse_range(server, request, reply, area->address, extent);
    }
    return server_refuse(server, request, reply, CUDA_STATUS_INVALID_VALUE,
                         "%llu rows of %llu bytes, %llu apart", (unsigned long long)area->rows,
                         (unsigned long long)area->width, (unsigned long long)area->pitch);
}

/* Notes what the call under way does to memory: "goes past the end of `A`: 8 times 8 elements, 16
 * apart, take 480 bytes, and 256 are there". */
static void note_touch(struct server *server, enum control_call_memory what,
                       const struct area *area, uint64_t element_bytes, const char *name)
{
    struct control_call_error error = {.memory = what, .site = server->origin.site, .count = 1};
    struct device_allocation found = {.address = 0};
    const bool is_there = server_find_memory(server, area->address, &found);
    const uint64_t elements = area->width / element_bytes;
    char shape[128];

    if (area->rows == 1) {
        snprintf(shape, sizeof(shape), "%" PRIu64 " element%s", elements, elements == 1 ? "" : "s");
    } else {
        snprintf(shape, sizeof(shape),
                 "%" PRIu64 " times %" PRIu64 " element%s, %" PRIu64 " apart,", area->rows,
                 elements, elements == 1 ? "" : "s", area->pitch / element_bytes);
    }
    if (what == CONTROL_CALL_UNWRITTEN) {
        snprintf(error.message, sizeof(error.message),
                 "reads device memory that nothing has written: `%s`, first at byte %" PRIu64
                 " of an allocation of %" PRIu64,
                 name, area->address - found.address, found.bytes);
    } else if (is_there) {
        snprintf(error.message, sizeof(error.message),
                 "goes past the end of `%s`: %s take %" PRIu64 " bytes, and %" PRIu64 " are there",
                 name, shape, area->pitch * (area->rows - 1) + area->width,
                 found.bytes - (area->address - found.address));
    } else {
        snprintf(error.message, sizeof(error.message),
                 "uses `%s`, whose address %s is in no allocation that is there", name,
                 address_text(area->address).text);
    }
    snprintf(error.call, sizeof(error.call), "%s", runtime_call_name(server->origin.call));
    error.cuda_error =
        what == CONTROL_CALL_OUTSIDE ? CUDA_STATUS_INVALID_VALUE : CUDA_STATUS_SUCCESS;
    server_log_error(&server->log, &error);
}

enum server_step server_touch(struct server *server, const struct message *request,
                              struct message *reply)
{
    struct area area = area_of(request);
    const uint64_t element_bytes = request->words[5];
    char name[CLIENT_OPERAND_LETTERS + 1];
    uint64_t extent, place = 0;

    if (!client_operand_unpack(request->words[7], name) || element_bytes == 0 || area.width == 0 ||
        area.width % element_bytes != 0 || area.rows == 0 ||
        (area.rows > 1 && area.pitch < area.width) ||
        __builtin_mul_overflow(area.pitch, area.rows - 1, &extent) ||
        __builtin_add_overflow(extent, area.width, &extent)) {
        return server_break(server, "an operand of a library that cannot be");
    }
    if (!is_living(server, area.address, extent)) {
        note_touch(server, CONTROL_CALL_OUTSIDE, &area, element_bytes, name);
        server_clear_reply(request, reply);
        reply->status = CUDA_STATUS_INVALID_VALUE;
        return SERVER_STEP_REPLY;
    }
    for (uint64_t row = 0; request->words[6] == 1 && row < area.rows; row++) {
        if (device_unwritten(server->device, area.address + row * area.pitch, area.width,
                             element_bytes, &place)) {
            area.address = place;
            note_touch(server, CONTROL_CALL_UNWRITTEN, &area, element_bytes, name);
            break;
        }
    }
    return SERVER_STEP_REPLY;
}

enum server_step server_upload(struct server *server, const struct message *request,
                               struct message *reply)
{
    struct area area = area_of(request);
    const uint8_t *bytes = request->payload;

    if (!area_is_valid(server, &area)) {
        return refuse_area(server, request, reply, &area);
    }
    if (area.width * area.rows != request->payload_bytes) {
        return server_break(server, "an upload of %zu bytes into an area of %" PRIu64,
                            request->payload_bytes, area.width * area.rows);
    }
    struct device_allocation found;
    if (server_call_records(server) && server_find_memory(server, area.address, &found) &&
        !found.is_module_variable) { /* variables get back what they hold as the call ends */
        const struct call_step_record step = {.to = area.address, .bytes = area.width};
        server_call_keep_upload(server, &step, area.pitch, area.rows, bytes);
    }
    for (uint64_t row = 0; row < area.rows; row++) {
        device_write(server->device, area.address + row * area.pitch, bytes + row * area.width,
                     (size_t)area.width);
    }
    server_clock_copy(server, request->payload_bytes);
    return SERVER_STEP_REPLY;
}

enum server_step server_download(struct server *server, const struct message *request,
                                 struct message *reply)
{
    struct area area = area_of(request);

    if (!area_is_valid(server, &area)) {
        return refuse_area(server, request, reply, &area);
    }
    /* The area is valid: its bytes are no more than those of an allocation. */
    if (area.width * area.rows > CLIENT_PIECE_BYTES) {
        return server_break(server,
                            "a download of %" PRIu64 " bytes at once; at most %d are allowed",
                            area.width * area.rows, CLIENT_PIECE_BYTES);
    }
    size_t total = (size_t)(area.width * area.rows);
    text_clear(&server->bytes);
    text_append_repeated(&server->bytes, '\0', total);
    for (uint64_t row = 0; row < area.rows; row++) {
        device_read(server->device, area.address + row * area.pitch,
                    server->bytes.bytes + row * area.width, (size_t)area.width);
    }
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = total;
    server_clock_copy(server, total);
    return SERVER_STEP_REPLY;
}

enum server_step server_decide(struct server *server, const struct message *request,
                               struct message *reply)
{
    const uint64_t highest = request->words[2];
    uint32_t value = 0;

    if (!is_living(server, request->words[1], sizeof(value))) {
        return refuse_range(server, request, reply, request->words[1], sizeof(value));
    }
    if (highest == 0) {
        return server_break(server, "a decision without a choice");
    }
    device_read(server->device, request->words[1], &value, sizeof(value));
    reply->words[0] = value < highest ? value : highest;
    server_clock_copy(server, sizeof(value));
    return SERVER_STEP_REPLY;
}

/* True if the rows before this one have taken longer than a launch may. */
static bool is_late(const struct server *server, uint64_t row, uint64_t start_ns)
{
    return row % ROWS_AT_ONCE == 0 && clock_now_ns() - start_ns > server->config.launch_deadline_ns;
}

static enum server_step refuse_late(struct server *server, const struct message *request,
                                    struct message *reply, uint64_t rows)
{
    return server_refuse(server, request, reply, CUDA_STATUS_LAUNCH_TIMEOUT,
                         "%" PRIu64 " rows took longer than %.1f s", rows,
                         (double)server->config.launch_deadline_ns / 1e9);
}

enum server_step server_copy(struct server *server, const struct message *request,
                             struct message *reply)
{
    const uint64_t *words = request->words;
    struct area to = {.address = words[1], .pitch = words[2], .width = words[5], .rows = words[6]};
    struct area from = {
        .address = words[3], .pitch = words[4], .width = words[5], .rows = words[6]};

    if (!area_is_valid(server, &to)) {
        return refuse_area(server, request, reply, &to);
    }
    if (!area_is_valid(server, &from)) {
        return refuse_area(server, request, reply, &from);
    }
    if (server_call_records(server)) {
        const struct call_step_record step = {
            .kind = CALL_STEP_COPY, .to = to.address, .from = from.address, .bytes = to.width};
        server_call_keep_rows(server, &step, to.pitch, from.pitch, to.rows);
        return SERVER_STEP_REPLY;
    }
    uint64_t start_ns = clock_now_ns();
    for (uint64_t row = 0; row < to.rows; row++) {
        if (is_late(server, row, start_ns)) {
            return refuse_late(server, request, reply, to.rows);
        }
        device_copy(server->device, to.address + row * to.pitch, from.address + row * from.pitch,
                    to.width);
    }
    server_clock_copy(server, to.width * to.rows);
    return SERVER_STEP_REPLY;
}

enum server_step server_fill(struct server *server, const struct message *request,
                             struct message *reply)
{
    struct area area = area_of(request);

    if (request->words[5] > UINT8_MAX) {
        return server_break(server, "a fill with a value that is not a byte");
    }
    if (!area_is_valid(server, &area)) {
        return refuse_area(server, request, reply, &area);
    }
    if (server_call_records(server)) {
        const struct call_step_record step = {.kind = CALL_STEP_SET,
                                              .to = area.address,
                                              .bytes = area.width,
                                              .value = request->words[5]};
        server_call_keep_rows(server, &step, area.pitch, area.width, area.rows);
        return SERVER_STEP_REPLY;
    }
    uint64_t start_ns = clock_now_ns();
    for (uint64_t row = 0; row < area.rows; row++) {
        if (is_late(server, row, start_ns)) {
            return refuse_late(server, request, reply, area.rows);
        }
        device_fill(server->device, area.address + row * area.pitch, area.width,
                    (uint32_t)request->words[5], 1);
    }
    server_clock_copy(server, area.width * area.rows);
    return SERVER_STEP_REPLY;
}

/* Appends the pages of a range whose hash is not the one that the program knows: first their
 * numbers, then their bytes. Returns how many. */
static uint64_t find_changes(struct server *server, const struct message *request)
{
    const uint8_t *hashes = request->payload;
    uint64_t address = request->words[1], left = request->words[2];
    struct text pages;
    uint64_t count = 0;

    text_clear(&server->bytes);
    text_init(&pages);
    for (uint64_t i = 0; left > 0; i++) {
        size_t length = left < HASH_PAGE_BYTES ? (size_t)left : HASH_PAGE_BYTES;
        uint8_t page[HASH_PAGE_BYTES], number[8];

        device_read(server->device, address + i * HASH_PAGE_BYTES, page, length);
        if (page_hash(page, length) != little_get_u64(hashes + 8 * i)) {
            little_put_u64(number, i);
            text_append_bytes(&server->bytes, number, sizeof(number));
            text_append_bytes(&pages, page, length);
            count++;
        }
        left -= length;
    }
    text_append_bytes(&server->bytes, pages.bytes, pages.length);
    text_release(&pages);
    return count;
}

enum server_step server_changes(struct server *server, const struct message *request,
                                struct message *reply)
{
    uint64_t bytes = request->words[2];

    if (bytes > CLIENT_PIECE_BYTES ||
        request->payload_bytes != (bytes + HASH_PAGE_BYTES - 1) / HASH_PAGE_BYTES * 8) {
        return server_break(server, "a query for changes with %zu bytes of hashes",
                            request->payload_bytes);
    }
    if (!is_living(server, request->words[1], bytes)) {
        return refuse_range(server, request, reply, request->words[1], bytes);
    }
    reply->words[0] = find_changes(server, request);
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = server->bytes.length;
    return SERVER_STEP_REPLY;
}

enum server_step server_memory(struct server *server, const struct message *request,
                               struct message *reply)
{
    uint64_t limit = server->config.memory_limit_bytes;
    uint64_t used = server->call.is_open ? server->call.allocated_bytes : server->allocated_bytes;

    (void)request;
    reply->words[0] = limit > used ? limit - used : 0;
    reply->words[1] = server->config.model.global_memory_bytes;
    return SERVER_STEP_REPLY;
}
