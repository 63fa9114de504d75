/* server_order.c: the order of the program's streams (stream_order.h), as the program tells it, and
 * what it gives them.
 *
 * Nothing is kept before the program makes a stream, or memory that host and device share: until
 * then all work has an order.
 */
#include "device/server_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONFLICTS_AT_ONCE = 8 };

static struct order_label label_of(const struct server *server)
{
    return (struct order_label){.call = server->origin.call, .site = server->origin.site};
}

static bool same_label(const struct order_label *left, const struct order_label *right)
{
    return left->call == right->call && left->site == right->site &&
           left->is_launch == right->is_launch && left->is_host == right->is_host &&
           left->module == right->module && left->function == right->function;
}

/* Keeps a conflict; those at the same places are one with a count. */
static void keep_conflict(struct server *server, const struct order_conflict *conflict)
{
    for (size_t i = 0; i < server->conflict_count; i++) {
        struct server_conflict *kept = &server->conflicts[i];
        if (same_label(&kept->conflict.labels[0], &conflict->labels[0]) &&
            same_label(&kept->conflict.labels[1], &conflict->labels[1])) {
            kept->count++;
            return;
        }
    }
    if (server->conflict_count == SERVER_CONFLICTS_MAX) {
        server->conflicts_left_out++;
        return;
    }
    server->conflicts[server->conflict_count++] =
        (struct server_conflict){.conflict = *conflict,
                                 .object_site = server_site_of(server, conflict->address),
                                 .count = 1};
}

static void work(struct server *server, const struct order_label *label,
                 const struct order_bytes *bytes)
{
    struct order_conflict conflicts[CONFLICTS_AT_ONCE];

    stream_order_set_caller(server->order, label->site, server->origin.thread);
    size_t count = stream_order_work(server->order, server->origin.stream, label, bytes, conflicts,
                                     CONFLICTS_AT_ONCE);

    for (size_t i = 0; i < count; i++) {
        keep_conflict(server, &conflicts[i]);
    }
    server->conflicts_left_out += count == CONFLICTS_AT_ONCE ? 1 : 0; /* there may be more */
}

/* The rows of an area as ranges, from its four words. None if there are too many. */
static size_t make_ranges(const uint64_t *words, uint64_t width, uint64_t rows,
                          struct order_range *out_ranges)
{
    uint64_t extent;

    if (words[0] == 0 || width == 0 || rows > ORDER_RANGES_MAX ||
        __builtin_mul_overflow(words[1], rows, &extent) ||
        __builtin_add_overflow(extent, words[0], &extent) || extent > UINT64_MAX - width) {
        return 0;
    }
    bool is_whole = rows == 1 || words[1] == width;
    for (uint64_t i = 0; i < rows && !is_whole; i++) {
        out_ranges[i].start = words[0] + i * words[1];
        out_ranges[i].end = out_ranges[i].start + width;
    }
    if (is_whole) {
        out_ranges[0] = (struct order_range){words[0], words[0] + width * rows};
        return 1;
    }
    return words[1] < width ? 0 : (size_t)rows;
}

/* A copy or a set: words as in client_messages.def. */
static void copy_work(struct server *server, const uint64_t *words)
{
    const struct order_label label = label_of(server);
    struct order_range *ranges = calloc(2 * (size_t)ORDER_RANGES_MAX, sizeof(*ranges));

    if (ranges == NULL) {
        abort();
    }
    struct order_range *written = ranges + ORDER_RANGES_MAX;
    const struct order_bytes bytes = {
        .ranges = {[ORDER_READ] = ranges, [ORDER_WRITE] = written},
        .counts = {[ORDER_READ] = make_ranges(words, words[4], words[5], ranges),
                   [ORDER_WRITE] = make_ranges(words + 2, words[4], words[5], written)},
    };
    work(server, &label, &bytes);
    free(ranges);
}

bool server_has_order(struct server *server)
{
    bool is_named = server->origin.stream != ORDER_NO_STREAM;

    if (server->order == NULL && is_named && server->config.checks_streams) {
        server->order = stream_order_new();
    }
    return server->order != NULL;
}

void server_order_launch(struct server *server, const struct device_launch *launch,
                         const struct device_launch_result *result)
{
    struct order_label label = label_of(server);

    if (server->order != NULL) {
        label.is_launch = true;
        label.module = launch->module;
        label.function = launch->function;
        work(server, &label, &result->touched);
    }
}

static void tell_pending(const struct server *server, uint64_t address, uint64_t bytes,
                         struct message *reply)
{
    struct order_range range;
    enum order_access access =
        stream_order_pending(server->order, address,
                             bytes > UINT64_MAX - address ? UINT64_MAX : address + bytes, &range);

    reply->words[0] = access == ORDER_ACCESSES ? CLIENT_ORDER_IDLE
                      : access == ORDER_READ   ? CLIENT_ORDER_READS
                                               : CLIENT_ORDER_WRITES;
    reply->words[1] = range.start;
    reply->words[2] = range.end;
}

/* Host code touched shared memory. */
static void host_touches(struct server *server, uint64_t address, bool is_write)
{
    struct order_conflict conflict;

    if (stream_order_host_touches(server->order, address, is_write, &conflict)) {
        conflict.labels[1].site = server->origin.site;
        keep_conflict(server, &conflict);
    }
}

void server_order_needs(struct server *server, uint64_t address, uint64_t bytes)
{
    struct order_range range;

    if (server->order != NULL &&
        stream_order_pending(server->order, address, address + bytes, &range) == ORDER_WRITE) {
        host_touches(server, range.start, false);
    }
}

enum server_step server_order(struct server *server, const struct message *request,
                              struct message *reply)
{
    const uint64_t *words = request->words;
    const uint32_t stream = server->origin.stream;
    const uint32_t event = words[2] < ORDER_EVENTS_MAX ? (uint32_t)words[2] : ORDER_EVENTS_MAX;

    /* What a program may not learn within a call is which bytes its kernels touch. */
    bool is_kept_back = server->call.is_open && words[1] == CLIENT_ORDER_ASK;
    if (!server_has_order(server) || is_kept_back) {
        return SERVER_STEP_REPLY;
    }
    stream_order_set_caller(server->order, server->origin.site, server->origin.thread);
    switch ((enum client_order)words[1]) {
    case CLIENT_ORDER_STREAM:
        stream_order_make(server->order, stream, words[2] == 1);
        if (stream < ORDER_STREAMS_MAX) {
            server->is_node[stream] = words[2] == 2;
        }
        return SERVER_STEP_REPLY;
    case CLIENT_ORDER_RECORD:
        stream_order_record(server->order, event, stream);
        return SERVER_STEP_REPLY;
    case CLIENT_ORDER_WAIT:
        stream_order_wait(server->order, stream, event);
        return SERVER_STEP_REPLY;
    case CLIENT_ORDER_HOST_WAITS:
        stream_order_host_waits(server->order, stream);
        return SERVER_STEP_REPLY;
    case CLIENT_ORDER_HOST_WAITS_EVENT:
        stream_order_host_waits_event(server->order, event);
        return SERVER_STEP_REPLY;
    case CLIENT_ORDER_HOST_WAITS_ALL:
        stream_order_host_waits_all(server->order);
        return SERVER_STEP_REPLY;
    case CLIENT_ORDER_ASK:
        tell_pending(server, words[2], words[3], reply);
        return SERVER_STEP_REPLY;
    case CLIENT_ORDER_HOST_TOUCHES:
        host_touches(server, words[2], words[3] == 1);
        return SERVER_STEP_REPLY;
    case CLIENT_ORDER_WORK:
        copy_work(server, words + 2);
        return SERVER_STEP_REPLY;
    }
    return server_break(server, "an order of streams that does not exist");
}

/* The name of what a label means: the mangled kernel, or the call. */
static void name_label(const struct server *server, const struct order_label *label,
                       struct control_work *out_work)
{
    struct device_function_info info;

    if (label->is_launch &&
        device_function_info(server->device, label->module, label->function, &info)) {
        snprintf(out_work->kernel, sizeof(out_work->kernel), "%s", info.name);
    }
    const char *call = label->is_host ? NULL : runtime_call_name(label->call);
    snprintf(out_work->call, sizeof(out_work->call), "%s", call == NULL ? "" : call);
    out_work->site = label->site;
}

void server_pack_conflicts(const struct server *server, struct text *out)
{
    struct order_totals totals = {0};

    if (server->order != NULL) {
        totals = stream_order_totals(server->order);
    }
    const struct control_streams streams = {totals.work, totals.bytes, totals.longest,
                                            totals.host_waits, server->conflicts_left_out};

    control_streams_pack(&streams, out);
    for (size_t i = 0; i < server->conflict_count; i++) {
        const struct server_conflict *kept = &server->conflicts[i];
        struct control_conflict conflict = {.address = kept->conflict.address,
                                            .bytes = kept->conflict.bytes,
                                            .object_site = kept->object_site,
                                            .count = kept->count};

        for (size_t k = 0; k < 2; k++) {
            name_label(server, &kept->conflict.labels[k], &conflict.works[k]);
            conflict.works[k].stream =
                server->is_node[kept->conflict.streams[k]] ? 0 : kept->conflict.streams[k];
            conflict.works[k].access = kept->conflict.accesses[k];
        }
        control_conflict_pack(&conflict, out);
    }
}
