/* server_call.c: a judged call: what the program asks of the device between its begin and its end,
 * and what its kernels did, all launches of one kernel together.
 *
 * What the program could learn from inside is kept back until the end: see CALL in
 * control_messages.def.
 */
#include "base/device_window.h"
#include "device/server_state.h"

#include "wire/call_record.h"
#include "wire/little_endian.h"
#include "wire/texture_record.h"

#include <stdlib.h>
#include <string.h>

/* Parameters of a launch that carry no data that would be counted, fewer where the host knows the
 * inputs; a texture or surface object has as much room for data. A set carries one value. */
enum { FREE_PARAMETER_BYTES = 256, PROGRAM_PARAMETER_BYTES = 64, SET_BYTES = 4 };

static uint64_t sum(uint64_t left, uint64_t right)
{
    return right > UINT64_MAX - left ? UINT64_MAX : left + right;
}

/* Adds to what a bound bounds, and keeps the place where it was first exceeded. */
static void add_bounded(struct server *server, enum call_bound bound, uint64_t *total,
                        uint64_t amount)
{
    struct server_call *call = &server->call;
    bool was_within = *total <= call->bounds[bound];

    *total = sum(*total, amount);
    if (was_within && *total > call->bounds[bound]) {
        call->record.excess_sites[bound] = server->origin.site;
    }
}

/* Adds to what was asked for at the place of the request in progress. */
static void add_at_site(struct server *server, enum call_request request, uint64_t amount)
{
    struct server_call *call = &server->call;
    size_t at = 0;

    while (at < call->site_count &&
           (call->sites[at].request != request || call->sites[at].site != server->origin.site)) {
        at++;
    }
    if (at == SERVER_CALL_SITES_MAX) {
        call->has_more_sites = true;
        return;
    }
    if (at == call->site_count) {
        call->sites[call->site_count++] =
            (struct server_call_site){request, server->origin.site, 0};
    }
    call->sites[at].amount = sum(call->sites[at].amount, amount);
}

/* Where a call asked for most; 0: unknown. */
static uint32_t most_site(const struct server_call *call, enum call_request request)
{
    const struct server_call_site *most = NULL;

    for (size_t i = 0; i < call->site_count && !call->has_more_sites; i++) {
        const struct server_call_site *site = &call->sites[i];
        if (site->request == request && (most == NULL || site->amount > most->amount)) {
            most = site;
        }
    }
    return most == NULL ? 0 : most->site;
}

enum operand_change { OPERAND_IS_READ, OPERAND_IS_COPIED, OPERAND_IS_SET };

/* Adds the bytes of a copy or a set to those of the operand that it touches, if it does; keeps
 * which change was the last one. */
static void add_to_operand(struct server *server, uint64_t address, uint64_t bytes,
                           uint64_t *totals, enum operand_change change)
{
    struct server_call *call = &server->call;
    struct call_record *record = &call->record;
    struct device_allocation found;

    if (!device_find(server->device, address, &found)) {
        return;
    }
    for (size_t i = 0; i < call->operand_count; i++) {
        if (call->operands[i] != found.address) {
            continue;
        }
        totals[i] = sum(totals[i], bytes);
        if (change != OPERAND_IS_READ && bytes > 0) {
            uint64_t set = (uint64_t)(change == OPERAND_IS_SET) << i;
            record->copy_sites[i] = server->origin.site;
            record->copy_launches[i] = record->launches;
            record->copy_offsets[i] = 0;
            record->copy_sets = (record->copy_sets & ~((uint64_t)1 << i)) | set;
        }
    }
}

/* Keeps where a copy to operands begins in the memory that it reads. */
static void note_copy_start(struct server *server, uint64_t to, uint64_t from)
{
    struct server_call *call = &server->call;
    struct device_allocation read, written;

    if (!device_find(server->device, to, &written) || !device_find(server->device, from, &read)) {
        return;
    }
    for (size_t i = 0; i < call->operand_count; i++) {
        if (call->operands[i] == written.address && to == written.address) {
            call->record.copy_offsets[i] = from - read.address;
        }
    }
}

/* A copy that has its order among streams writes host memory. */
static void note_host_copy(struct server *server, uint64_t to)
{
    uint64_t touched[CALL_OPERANDS_MAX] = {0};

    add_to_operand(server, to, 1, touched, OPERAND_IS_COPIED);
}

static bool is_operand(const struct server_call *call, uint64_t address)
{
    for (size_t i = 0; i < call->operand_count; i++) {
        if (call->operands[i] == address) {
            return true;
        }
    }
    return false;
}

/* True if an upload is a texture or surface object, of which there may be as many as launches. */
static bool is_object(struct server_call *call, const struct message *upload)
{
    struct texture_record texture;

    if (upload->payload_bytes != sizeof(texture) ||
        call->objects >= call->bounds[CALL_BOUND_LAUNCHES]) {
        return false;
    }
    memcpy(&texture, upload->payload, sizeof(texture));
    return texture_record_is_valid(&texture);
}

/* The memory of its own that holds an address; all 0: none. */
static struct device_allocation memory_at(struct server *server, uint64_t address)
{
    struct device_allocation found = {0};

    return device_find(server->device, address, &found) ? found : (struct device_allocation){0};
}

/* Adds the bits that a decision among 0, 1, ... highest tells the host. They begin a new byte where
 * those before have filled theirs; returns the bytes. */
static uint64_t decided_bytes(struct server_call *call, uint64_t highest)
{
    enum { BITS_OF_BYTE = 8 };
    const uint64_t before = (call->decided_bits + BITS_OF_BYTE - 1) / BITS_OF_BYTE;

    for (; highest > 0; highest /= 2) {
        call->decided_bits++;
    }
    return (call->decided_bits + BITS_OF_BYTE - 1) / BITS_OF_BYTE - before;
}

/* Bytes of an upload that the host may have made from what it must not know. */
static uint64_t uploaded_bytes(struct server *server, const struct message *upload,
                               size_t free_bytes)
{
    struct server_call *call = &server->call;

    if (is_object(call, upload)) {
        call->objects++;
        return upload->payload_bytes > free_bytes ? upload->payload_bytes - free_bytes : 0;
    }
    const uint64_t address = upload->words[1];
    const struct device_allocation to = memory_at(server, address);
    return server_result_is_of_file(server, address, &to, upload->payload, upload->payload_bytes)
               ? 0
               : upload->payload_bytes;
}

void server_call_note(struct server *server, const struct message *request,
                      const struct message *reply)
{
    struct call_record *record = &server->call.record;
    const uint64_t *words = request->words;
    const size_t free_bytes =
        server->call.result.wanted > 0 ? PROGRAM_PARAMETER_BYTES : FREE_PARAMETER_BYTES;
    struct device_allocation from = {0}; /* of changed pages: they may be of any */

    if (!server->call.is_open || reply->status != CUDA_STATUS_SUCCESS) {
        return;
    }
    switch (request->type) {
    case CLIENT_UPLOAD:
        add_bounded(server, CALL_BOUND_WRITES, &record->host_writes,
                    uploaded_bytes(server, request, free_bytes));
        add_at_site(server, CALL_REQUEST_WRITE, request->payload_bytes);
        add_to_operand(server, words[1], request->payload_bytes, record->copied_to,
                       OPERAND_IS_COPIED);
        break;
    case CLIENT_DOWNLOAD:
        add_bounded(server, CALL_BOUND_READS, &record->host_reads, reply->payload_bytes);
        add_at_site(server, CALL_REQUEST_READ, reply->payload_bytes);
        from = memory_at(server, words[1]);
        server_result_note_copied(server, words[1], &from, reply->payload, reply->payload_bytes);
        add_to_operand(server, words[1], reply->payload_bytes, record->copied_from,
                       OPERAND_IS_READ);
        break;
    case CLIENT_DECIDE:
        add_bounded(server, CALL_BOUND_READS, &record->host_reads,
                    decided_bytes(&server->call, words[2]));
        add_at_site(server, CALL_REQUEST_READ, 1);
        add_to_operand(server, words[1], sizeof(uint32_t), record->copied_from, OPERAND_IS_READ);
        break;
    case CLIENT_CHANGES:
        record->shared_with_host_bytes = sum(record->shared_with_host_bytes, words[2]);
        /* the numbers of the pages come before them */
        add_bounded(server, CALL_BOUND_READS, &record->host_reads,
                    reply->payload_bytes - 8 * reply->words[0]);
        server_result_note_copied(server, 0, &from,
                                  (const char *)reply->payload + 8 * reply->words[0],
                                  reply->payload_bytes - 8 * reply->words[0]);
        break;
    case CLIENT_COPY:
        add_bounded(server, CALL_BOUND_COPIES, &record->copies, 1);
        add_at_site(server, CALL_REQUEST_COPY, 1);
        add_to_operand(server, words[1], words[5] * words[6], record->copied_to, OPERAND_IS_COPIED);
        add_to_operand(server, words[3], words[5] * words[6], record->copied_from, OPERAND_IS_READ);
        note_copy_start(server, words[1], words[3]);
        break;
    case CLIENT_FILL:
        record->sets++;
        add_at_site(server, CALL_REQUEST_SET, 1);
        add_to_operand(server, words[1], words[3] * words[4], record->copied_to, OPERAND_IS_SET);
        add_bounded(server, CALL_BOUND_WRITES, &record->host_writes, SET_BYTES);
        break;
    case CLIENT_LAUNCH:
        add_bounded(server, CALL_BOUND_LAUNCHES, &record->launches, 1);
        add_at_site(server, CALL_REQUEST_LAUNCH, 1);
        if (request->payload_bytes > free_bytes) {
            add_bounded(server, CALL_BOUND_WRITES, &record->host_writes,
                        request->payload_bytes - free_bytes);
        }
        break;
    case CLIENT_SYNCHRONISE:
        record->synchronisations++;
        add_at_site(server, CALL_REQUEST_WAIT, 1);
        break;
    case CLIENT_ORDER:
        if (words[1] == CLIENT_ORDER_WORK) {
            note_host_copy(server, words[4]);
        }
        break;
    case CLIENT_FREE:
        if (is_operand(&server->call, words[1])) {
            add_at_site(server, CALL_REQUEST_FREE, 1);
        }
        break;
    default:
        break;
    }
}

void server_call_touch(struct server *server, uint64_t address)
{
    struct call_record *record = &server->call.record;
    uint64_t touched[CALL_OPERANDS_MAX] = {0};
    uint64_t pages = 0;

    add_to_operand(server, address, 1, touched, OPERAND_IS_READ);
    for (size_t i = 0; i < server->call.operand_count && server->call.result.wanted == 0; i++) {
        pages += touched[i]; /* a program's arrays are its own */
    }
    if (pages > 0) {
        add_bounded(server, CALL_BOUND_TOUCHES, &record->host_touches, pages);
    }
}

/* Operands in host memory must be complete when the call ends. */
static void check_complete(struct server *server)
{
    const struct server_call *call = &server->call;

    for (size_t i = 0; i < call->operand_count && call->result.wanted == 0; i++) {
        struct device_allocation found;
        if (server_may_share(server, call->operands[i]) &&
            device_find(server->device, call->operands[i], &found)) {
            server_order_needs(server, found.address, found.bytes);
        }
    }
}

/* What two count records are about. An allocation has one record for each access. */
static int compare_subjects(const struct count_record *left, const struct count_record *right)
{
    if (left->kind == COUNT_RECORD_ALLOCATION && right->kind == COUNT_RECORD_ALLOCATION) {
        return left->address != right->address
                   ? (left->address > right->address) * 2 - 1
                   : (left->access > right->access) - (left->access < right->access);
    }
    const uint64_t of_left[] = {
        left->kind,         left->address,      left->file,           left->line,  left->column,
        left->inlined_file, left->inlined_line, left->inlined_column, left->space, left->access};
    const uint64_t of_right[] = {right->kind,         right->address,        right->file,
                                 right->line,         right->column,         right->inlined_file,
                                 right->inlined_line, right->inlined_column, right->space,
                                 right->access};

    for (size_t i = 0; i < sizeof(of_left) / sizeof(of_left[0]); i++) {
        if (of_left[i] != of_right[i]) {
            return of_left[i] < of_right[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_counts(const void *left, const void *right)
{
    return compare_subjects(left, right);
}

static void add_count(struct count_record *to, const struct count_record *from)
{
    to->max_degree = from->max_degree > to->max_degree ? from->max_degree : to->max_degree;
    to->requests = sum(to->requests, from->requests);
    to->lanes = sum(to->lanes, from->lanes);
    to->bytes = sum(to->bytes, from->bytes);
    to->sectors = sum(to->sectors, from->sectors);
    to->least_sectors = sum(to->least_sectors, from->least_sectors);
    to->wavefronts = sum(to->wavefronts, from->wavefronts);
    to->least_wavefronts = sum(to->least_wavefronts, from->least_wavefronts);
    to->divergent = sum(to->divergent, from->divergent);
    to->passed = sum(to->passed, from->passed);
    to->needed = sum(to->needed, from->needed);
}

/* Records of allocations that are no operands, in all kernels of a call. A program can make many,
 * and leave no room for the counts that are judged. */
enum { OTHER_RECORDS_MAX = 1 << 14 };

/* True if a record of a launch is kept: its kernel has one of the same subject, or there is
 * room. */
static bool takes_count(struct server_call *call, const struct server_call_kernel *kernel,
                        const struct count_record *count)
{
    if (count->kind != COUNT_RECORD_ALLOCATION || is_operand(call, count->address) ||
        (kernel->count_count > 0 && bsearch(count, kernel->counts, kernel->count_count,
                                            sizeof(*count), compare_counts) != NULL)) {
        return true;
    }
    if (call->other_records == OTHER_RECORDS_MAX) {
        return false;
    }
    call->other_records++;
    return true;
}

/* Adds a launch's counts to those of its kernel: both are sorted by subject then, and equal
 * subjects are one. */
static void add_counts(struct server_call *call, struct server_call_kernel *kernel,
                       const struct count_record *counts, size_t count)
{
    size_t kept = 0, total = kernel->count_count;
    struct count_record *all = reallocarray(NULL, total + count + 1, sizeof(*all));

    if (all == NULL) {
        abort();
    }
    if (total > 0) {
        memcpy(all, kernel->counts, total * sizeof(*all));
    }
    for (size_t i = 0; i < count; i++) {
        if (takes_count(call, kernel, &counts[i])) {
            all[total++] = counts[i];
        }
    }
    qsort(all, total, sizeof(*all), compare_counts);
    for (size_t i = 0; i < total; i++) {
        if (kept > 0 && compare_subjects(&all[kept - 1], &all[i]) == 0) {
            add_count(&all[kept - 1], &all[i]);
        } else {
            all[kept++] = all[i];
        }
    }
    free(kernel->counts);
    kernel->counts = all;
    kernel->count_count = kept;
}

/* Notes where allocations were made: they may be gone at the end of the call. */
static void note_sites(const struct server *server, struct server_call_kernel *kernel)
{
    for (size_t i = 0; i < kernel->count_count; i++) {
        struct count_record *count = &kernel->counts[i];
        if (count->kind == COUNT_RECORD_ALLOCATION && count->line == 0) {
            count->line = server_site_of(server, count->address);
        }
    }
}

/* The record of a launch's kernel; NULL before the end of its first launch. */
static struct server_call_kernel *find_kernel(const struct server_call *call,
                                              const struct device_launch *launch)
{
    for (size_t i = 0; i < call->kernel_count; i++) {
        const struct call_kernel_record *record = &call->kernels[i].record;
        if (record->module == launch->module && record->function == launch->function) {
            return &call->kernels[i];
        }
    }
    return NULL;
}

bool server_call_knows(const struct server_call *call, const struct device_launch *launch)
{
    return find_kernel(call, launch) != NULL;
}

/* The record of a launch's kernel; a new one at its first launch. */
static struct server_call_kernel *kernel_of(struct server_call *call,
                                            const struct device_launch *launch, uint32_t site)
{
    struct server_call_kernel *known = find_kernel(call, launch);

    if (known != NULL) {
        return known;
    }
    call->kernels = reallocarray(call->kernels, call->kernel_count + 1, sizeof(*call->kernels));
    if (call->kernels == NULL) {
        abort();
    }
    struct server_call_kernel *kernel = &call->kernels[call->kernel_count++];
    *kernel = (struct server_call_kernel){
        .record = {
            .module = launch->module, .function = launch->function, .is_counted = 1, .site = site}};
    return kernel;
}

void server_call_launch(struct server *server, const struct device_launch *launch,
                        const struct device_launch_result *result)
{
    struct server_call *call = &server->call;
    struct server_call_kernel *kernel = kernel_of(call, launch, server->origin.site);
    struct call_kernel_record *record = &kernel->record;
    const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];

    call->work = sum(call->work, result->counters.work);
    record->launches++;
    record->grid = control_dimensions_pack(launch->grid);
    record->block = control_dimensions_pack(launch->block);
    record->blocks = blocks > record->blocks ? blocks : record->blocks;
    record->dynamic_shared_bytes = launch->dynamic_shared_bytes;
    record->lane_instructions = sum(record->lane_instructions, result->counters.lane_instructions);
    record->warp_instructions = sum(record->warp_instructions, result->counters.warp_instructions);
    record->barriers = sum(record->barriers, result->counters.barriers);
    record->work = sum(record->work, result->counters.work);
    if (result->is_counted && record->is_counted == 1) {
        add_counts(call, kernel, result->counts, result->count_count);
        note_sites(server, kernel);
    } else {
        record->is_counted = 0;
    }
    if (result->order_can_matter) {
        call->record.order_can_matter = 1;
    }
    if (call->record.status == LAUNCH_DONE && result->status != LAUNCH_DONE) {
        call->record.status = result->status;
        call->record.failed_kernel = (uint64_t)(kernel - call->kernels);
    }
}

/* What an earlier call left has no defined value, in operands and, unless it is kept, elsewhere. */
static void make_undefined(struct server *server, const struct message *request)
{
    bool keeps_memory = (request->words[1] & CONTROL_CALL_KEEPS_MEMORY) != 0;

    for (size_t i = 0; i < server->allocation_count; i++) {
        const struct server_allocation *allocation = &server->allocations[i];
        bool is_given = is_operand(&server->call, allocation->address);
        bool is_kept = keeps_memory && !is_given;

        if (!is_kept && !is_given) {
            device_fill(server->device, allocation->address, allocation->bytes,
                        DEVICE_UNDEFINED_HALF, 2);
        }
        if (!is_kept) {
            device_forget(server->device, allocation->address);
        }
    }
    if (!keeps_memory) {
        device_initialise(server->device);
    }
}

static void release(struct server_call *call)
{
    server_call_release_steps(call);
    for (size_t i = 0; i < call->kernel_count; i++) {
        free(call->kernels[i].counts);
    }
    free(call->kernels);
    server_result_release(&call->result);
    server_log_release(&call->log);
}

void server_call_release(struct server *server)
{
    release(&server->call);
    memset(&server->call, 0, sizeof(server->call));
}

enum error server_call_begin(struct server *server, const struct message *request,
                             struct message *reply, struct diagnostic *diagnostic)
{
    const uint64_t *words = request->words;
    struct server_call *call = &server->call;

    (void)reply;
    if (call->is_open || request->payload_bytes > 8 * (size_t)CALL_OPERANDS_MAX) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "a judged call that begins within another one, or with %zu bytes of "
                       "addresses",
                       request->payload_bytes);
        return ERROR_INTERNAL;
    }
    server_call_release(server);
    for (size_t i = 0; i < request->payload_bytes / 8; i++) {
        call->operands[call->operand_count++] =
            little_get_u64((const uint8_t *)request->payload + 8 * i);
    }
    call->is_open = true;
    call->order_seed = words[0];
    call->is_recorded = (words[1] & CONTROL_CALL_RECORDS) != 0;
    call->asks_order = (words[1] & CONTROL_CALL_ASKS_ORDER) != 0;
    memcpy(call->bounds, words + 2, sizeof(call->bounds));
    server_result_init(&call->result, words[2 + CALL_BOUNDS]);
    if (call->result.wanted > 0) {
        call->operand_count = CALL_OPERANDS_MAX; /* where they are shows as the files are copied */
    }
    call->clock_ns = server->clock_ns;
    call->allocated_bytes = server->allocated_bytes;
    make_undefined(server, request);
    device_follow(server->device, (words[1] & CONTROL_CALL_FOLLOWS) != 0);
    if (server->order != NULL) {
        stream_order_restart(server->order);
    }
    return ERROR_NONE;
}

static void pack_kernels(const struct server_call *call, struct text *out)
{
    for (size_t i = 0; i < call->kernel_count; i++) {
        struct call_kernel_record record = call->kernels[i].record;
        uint8_t bytes[CALL_KERNEL_RECORD_BYTES];

        record.counts = record.is_counted == 1 ? call->kernels[i].count_count : 0;
        call_kernel_record_pack(&record, bytes);
        text_append_bytes(out, bytes, sizeof(bytes));
        for (uint64_t k = 0; k < record.counts; k++) {
            uint8_t count[COUNT_RECORD_BYTES];

            count_record_pack(&call->kernels[i].counts[k], count);
            text_append_bytes(out, count, sizeof(count));
        }
    }
}

/* All counts or none, as they fit into a reply. */
static void leave_out_counts(struct server_call *call)
{
    const uint64_t most = control_format(CONTROL_CALL_END)->reply_payload_max -
                          PROBE_FINDING_BYTES - CALL_RECORD_BYTES;
    uint64_t bytes = 0;

    for (size_t i = 0; i < call->kernel_count; i++) {
        bytes += CALL_KERNEL_RECORD_BYTES + call->kernels[i].count_count * COUNT_RECORD_BYTES;
    }
    for (size_t i = 0; i < call->kernel_count && bytes > most; i++) {
        call->kernels[i].record.is_counted = 0;
    }
}

static const enum call_link call_links[] = {
    [ORDER_LINK_NONE] = CALL_LINK_NONE,     [ORDER_LINK_HOST] = CALL_LINK_HOST,
    [ORDER_LINK_LEGACY] = CALL_LINK_LEGACY, [ORDER_LINK_EVENT] = CALL_LINK_EVENT,
    [ORDER_LINK_STREAM] = CALL_LINK_STREAM,
};

enum error server_call_end(struct server *server, const struct message *request,
                           struct message *reply, struct diagnostic *diagnostic)
{
    struct server_call *call = &server->call;
    struct call_record record;
    uint8_t bytes[CALL_RECORD_BYTES];
    size_t findings = 0, errors = 0;

    (void)request;
    if (!call->is_open) {
        diagnostic_set(diagnostic, BLAME_GRADER, "no judged call has begun");
        return ERROR_INTERNAL;
    }
    call->is_open = false;
    add_bounded(server, CALL_BOUND_RESULTS, &call->record.host_results,
                server_result_host_bytes(server, &call->record.result_array));
    for (size_t i = 0; i < CALL_OPERANDS_MAX; i++) {
        call->record.arrays[i] = server_result_array(server, i);
    }
    record = call->record;
    if (server->order != NULL) {
        check_complete(server);
        const struct order_totals totals = stream_order_totals(server->order);

        record.streams = totals.streams;
        record.stream_bytes = totals.bytes;
        record.longest_chain_bytes = totals.longest;
        record.link = call_links[totals.link.kind];
        record.link_site = totals.link.site;
        stream_order_host_waits_all(server->order);
    }
    for (size_t i = 0; i < CALL_REQUESTS; i++) {
        record.most_sites[i] = most_site(call, (enum call_request)i);
    }
    leave_out_counts(call);
    record.kernels = call->kernel_count;
    text_clear(&server->bytes);
    text_append_repeated(&server->bytes, '\0', sizeof(bytes));
    server_log_pack(&call->log, &server->bytes, &findings, &errors);
    record.findings = findings;
    pack_kernels(call, &server->bytes);
    server_call_pack_steps(call, &server->bytes);
    call_record_pack(&record, bytes);
    memcpy(server->bytes.bytes, bytes, sizeof(bytes));
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = server->bytes.length;
    server_call_release(server);
    return ERROR_NONE;
}
