/* server_client.c: one request of the program: its row, the fault that it may meet, its handler. */
#include "device/server_state.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum server_step (*client_handler)(struct server *server, const struct message *request,
                                           struct message *reply);

/* When a request fails with the fault that an earlier launch left. */
enum fault_rule {
    FAULT_REPORTED, /* it waits for the device: it reports the fault, which is seen from then on */
    FAULT_IF_SEEN,  /* it fails once the program has seen the fault */
    FAULT_NEVER,
};

struct client_row {
    client_handler handler;
    enum fault_rule fault;
};

static enum server_step synchronise(struct server *server, const struct message *request,
                                    struct message *reply)
{
    (void)server;
    (void)request;
    (void)reply;
    return SERVER_STEP_REPLY;
}

static enum server_step reset(struct server *server, const struct message *request,
                              struct message *reply)
{
    (void)request;
    (void)reply;
    server_release_memory(server);
    device_initialise(server->device);
    for (size_t i = 0; i < server->module_count; i++) {
        for (size_t k = 0; k < server->modules[i].kernel_count; k++) {
            server->modules[i].kernels[k].is_shared_set = false;
        }
    }
    memset(&server->limits, 0, sizeof(server->limits));
    if (!server->is_lost) {
        server->fault = CUDA_STATUS_SUCCESS;
        server->fault_is_seen = false;
    }
    return SERVER_STEP_REPLY;
}

static enum server_step device_time(struct server *server, const struct message *request,
                                    struct message *reply)
{
    (void)request;
    if (runtime_call_meaning(server->origin.call) == RUNTIME_CALL_cudaEventElapsedTime) {
        server->has_reported_times = true;
    }
    reply->words[0] = (uint64_t)(server->call.is_open ? server->call.clock_ns : server->clock_ns);
    return SERVER_STEP_REPLY;
}

static enum server_step marker(struct server *server, const struct message *request,
                               struct message *reply)
{
    (void)reply;
    if (request->words[1] >= CLIENT_MARKS) {
        return server_break(server, "a mark that does not exist");
    }
    return SERVER_STEP_MARKER;
}

static enum server_step order(struct server *server, const struct message *request,
                              struct message *reply)
{
    if (server->call.is_open && request->words[1] == CLIENT_ORDER_HOST_TOUCHES) {
        server_call_touch(server, request->words[2]);
    }
    return server_order(server, request, reply);
}

/* Refusals of what a real runtime does: a person has to look, as with calls that are not known. */
static bool is_gap(uint64_t refusal)
{
    return refusal == REFUSAL_UNSUPPORTED || refusal == REFUSAL_MACHINE_CODE;
}

static enum server_step refused(struct server *server, const struct message *request,
                                struct message *reply)
{
    const char *why = refusal_text(request->words[2]);

    if (why == NULL || request->words[1] == 0 || request->words[1] > INT32_MAX) {
        return server_break(server, "a refusal without a reason");
    }
    struct control_call_error error = {
        .cuda_error = (int32_t)request->words[1],
        .is_unknown = is_gap(request->words[2]),
        .site = server->origin.site,
        .count = 1,
    };
    (void)reply;
    snprintf(error.call, sizeof(error.call), "%s", runtime_call_name(server->origin.call));
    snprintf(error.message, sizeof(error.message), "%s", why);
    server_log_error(&server->log, &error);
    return SERVER_STEP_REPLY;
}

static enum server_step unknown(struct server *server, const struct message *request,
                                struct message *reply)
{
    const char *name = request->payload;
    struct control_call_error error = {
        .cuda_error = CUDA_STATUS_NOT_SUPPORTED,
        .is_unknown = 1,
        .site = server->origin.site,
        .count = 1,
    };

    (void)reply;
    for (size_t i = 0; i < request->payload_bytes; i++) {
        if (!isalnum((unsigned char)name[i]) && name[i] != '_') {
            return server_break(server, "an unknown call whose name is not an identifier");
        }
    }
    memcpy(error.call, name, request->payload_bytes);
    snprintf(error.message, sizeof(error.message),
             "the emulated device does not support this call");
    server_log_error(&server->log, &error);
    return SERVER_STEP_REPLY;
}

static enum server_step fetched(struct server *server, const struct message *request,
                                struct message *reply)
{
    (void)request;
    (void)reply;
    server_log_fetched(&server->log);
    return SERVER_STEP_REPLY;
}

/* Gives a place in the program the next number; false if there are too many. */
static bool add_site(struct server *server, const uint64_t *addresses, size_t count)
{
    if (server->site_count == CLIENT_SITES_MAX) {
        return false;
    }
    if (server->site_count == server->site_capacity) {
        size_t capacity = server->site_capacity == 0 ? 64 : 2 * server->site_capacity;
        server->sites = reallocarray(server->sites, capacity, sizeof(*server->sites));
        if (server->sites == NULL) {
            abort();
        }
        server->site_capacity = capacity;
    }
    struct server_site *site = &server->sites[server->site_count++];
    memset(site, 0, sizeof(*site));
    memcpy(site->addresses, addresses, count * sizeof(*addresses));
    return true;
}

static enum server_step site(struct server *server, const struct message *request,
                             struct message *reply)
{
    (void)reply;
    if (request->words[1] != server->site_count + 1 ||
        !add_site(server, request->words + 2, CLIENT_SITE_ADDRESSES)) {
        return server_break(server, "a place in the program out of turn");
    }
    return SERVER_STEP_REPLY;
}

/* The program does not wait for the reply: it is about to end. */
static enum server_step crash(struct server *server, const struct message *request,
                              struct message *reply)
{
    (void)reply;
    server->has_crash_address = request->words[2] == 1;
    server->crash_address = request->words[1];
    if (add_site(server, request->words + 3, CLIENT_CRASH_ADDRESSES)) {
        server->crash_site = (uint32_t)server->site_count;
    }
    return SERVER_STEP_REPLY;
}

static const struct client_row client_rows[CLIENT_COUNT] = {
    [CLIENT_HELLO] = {server_hello, FAULT_NEVER},
    [CLIENT_MODULE] = {server_module, FAULT_NEVER},
    [CLIENT_KERNEL] = {server_kernel, FAULT_NEVER},
    [CLIENT_VARIABLE] = {server_variable, FAULT_NEVER},
    [CLIENT_LOAD] = {server_load, FAULT_IF_SEEN},
    [CLIENT_ALLOCATE] = {server_allocate, FAULT_IF_SEEN},
    [CLIENT_FREE] = {server_free_memory, FAULT_REPORTED},
    [CLIENT_RANGE] = {server_range, FAULT_REPORTED},
    [CLIENT_TOUCH] = {server_touch, FAULT_REPORTED},
    [CLIENT_FIND] = {server_find, FAULT_IF_SEEN},
    [CLIENT_UPLOAD] = {server_upload, FAULT_REPORTED},
    [CLIENT_DOWNLOAD] = {server_download, FAULT_REPORTED},
    [CLIENT_COPY] = {server_copy, FAULT_REPORTED},
    [CLIENT_FILL] = {server_fill, FAULT_REPORTED},
    [CLIENT_LAUNCH] = {server_launch, FAULT_REPORTED},
    [CLIENT_SYNCHRONISE] = {synchronise, FAULT_REPORTED},
    [CLIENT_RESET] = {reset, FAULT_NEVER},
    [CLIENT_MEMORY] = {server_memory, FAULT_IF_SEEN},
    [CLIENT_TIME] = {device_time, FAULT_IF_SEEN},
    [CLIENT_OCCUPANCY] = {server_occupancy, FAULT_IF_SEEN},
    [CLIENT_OCCUPANCY_SHARED] = {server_occupancy_shared, FAULT_IF_SEEN},
    [CLIENT_ATTRIBUTES] = {server_attributes, FAULT_IF_SEEN},
    [CLIENT_SET_SHARED] = {server_set_shared, FAULT_IF_SEEN},
    [CLIENT_MARKER] = {marker, FAULT_NEVER},
    [CLIENT_RESULT] = {server_result_take, FAULT_NEVER},
    [CLIENT_REFUSED] = {refused, FAULT_NEVER},
    [CLIENT_UNKNOWN] = {unknown, FAULT_NEVER},
    [CLIENT_FETCHED] = {fetched, FAULT_NEVER},
    [CLIENT_CHANGES] = {server_changes, FAULT_IF_SEEN},
    [CLIENT_PRINTED] = {server_printed, FAULT_NEVER},
    [CLIENT_LIMIT] = {server_limit, FAULT_IF_SEEN},
    [CLIENT_CRASH] = {crash, FAULT_NEVER},
    [CLIENT_SITE] = {site, FAULT_NEVER},
    [CLIENT_ORDER] = {order, FAULT_NEVER},
    [CLIENT_DECIDE] = {server_decide, FAULT_REPORTED},
};

/* True if a fault that an earlier launch left is this request's answer. */
static bool meets_fault(struct server *server, const struct message *request,
                        struct message *out_reply)
{
    enum fault_rule rule = client_rows[request->type].fault;

    if (server->call.is_open) {
        /* After a failure or too many launches nothing is reported and nothing more is launched. */
        bool is_over = server->has_run_out || server->fault != CUDA_STATUS_SUCCESS ||
                       server->call.record.launches > server->call.bounds[CALL_BOUND_LAUNCHES];
        server_clear_reply(request, out_reply);
        return request->type == CLIENT_LAUNCH && is_over;
    }
    if (server->has_run_out && request->type == CLIENT_LAUNCH) {
        server_clear_reply(request, out_reply);
        out_reply->status = CUDA_STATUS_LAUNCH_TIMEOUT;
        return true;
    }
    if (server->fault == CUDA_STATUS_SUCCESS || rule == FAULT_NEVER ||
        (rule == FAULT_IF_SEEN && !server->fault_is_seen)) {
        return false;
    }
    if (server->fault_is_seen) {
        /* A consequence of what is in the log already. */
        server_clear_reply(request, out_reply);
        out_reply->status = server->fault;
        return true;
    }
    server->fault_is_seen = true;
    server_refuse(server, request, out_reply, (enum cuda_status)server->fault,
                  "an earlier launch of the program failed");
    return true;
}

/* Runs the handler of a request; keeps what is held. */
static enum server_step dispatch(struct server *server, const struct message *request,
                                 struct message *out_reply)
{
    server_clear_reply(request, out_reply);
    enum server_step step = client_rows[request->type].handler(server, request, out_reply);

    server->step = step;
    if (step == SERVER_STEP_REPLY || step == SERVER_STEP_LAUNCH) {
        server_call_note(server, request, out_reply);
    }
    if (step != SERVER_STEP_REPLY) {
        server->held_request = *request;
    }
    return step;
}

enum server_step server_client(struct server *server, const struct message *request,
                               struct message *out_reply)
{
    const struct client_origin origin = client_origin_unpack(request->words[0]);
    bool has_no_call = request->type == CLIENT_UNKNOWN || request->type == CLIENT_CRASH;
    bool may_lack_call = has_no_call || request->type == CLIENT_SITE;

    server->step = SERVER_STEP_REPLY;
    server->origin = origin;
    if (origin.call >= RUNTIME_CALL_COUNT || (has_no_call && origin.call != RUNTIME_CALL_NONE) ||
        (!may_lack_call && origin.call == RUNTIME_CALL_NONE)) {
        return server_break(server, "a request for call number %u, which does not exist",
                            origin.call);
    }
    if (origin.site > server->site_count) {
        return server_break(server, "a request from place number %u, which does not exist",
                            origin.site);
    }
    if (origin.site > 0) {
        server->sites[origin.site - 1].requests++;
        server->last_site = origin.site;
    }
    if (meets_fault(server, request, out_reply)) {
        return SERVER_STEP_REPLY;
    }
    return dispatch(server, request, out_reply);
}

bool server_complete(struct server *server, struct message *out_reply)
{
    enum server_step step = server->step;

    server->step = SERVER_STEP_REPLY;
    switch (step) {
    case SERVER_STEP_LAUNCH:
        server_execute(server, &server->held.launch);
        server_clear_reply(&server->held_request, out_reply);
        out_reply->words[0] = server_has_printed(server);
        return true;
    case SERVER_STEP_MARKER:
        server_clear_reply(&server->held_request, out_reply);
        out_reply->words[0] = server->call.is_open;
        return true;
    case SERVER_STEP_RESOURCES:
        server->resources_refused = true;
        dispatch(server, &server->held_request, out_reply);
        server->resources_refused = false;
        return true;
    case SERVER_STEP_LOAD:
        server_clear_reply(&server->held_request, out_reply);
        server_loaded(server, &server->held_request, out_reply);
        return true;
    case SERVER_STEP_REPLY:
    case SERVER_STEP_BROKEN:
        break;
    }
    return false;
}
