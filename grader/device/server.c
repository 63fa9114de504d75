/* server.c: the loop of the device process, and what it tells the grader of the program. */
#include "device/server.h"

#include "device/server_state.h"

#include <stdlib.h>
#include <string.h>

/* The two channels, and whether the program's end is still of use. */
struct service {
    struct server *server;
    struct channel control;
    struct channel client;
    bool client_ended;
};

struct server *server_new(const struct server_devices *devices)
{
    struct server *server = calloc(1, sizeof(*server));

    if (server == NULL) {
        abort();
    }
    server->devices = devices;
    server->control_fd = -1;
    server->step = SERVER_STEP_REPLY;
    text_init(&server->bytes);
    text_init(&server->brought);
    text_init(&server->printed[0].text);
    text_init(&server->printed[1].text);
    return server;
}

void server_free(struct server *server)
{
    if (server == NULL) {
        return;
    }
    device_close(server->device);
    for (size_t i = 0; i < server->module_count; i++) {
        free(server->modules[i].kernels);
    }
    free(server->modules);
    free(server->allocations);
    free(server->sites);
    stream_order_free(server->order);
    free(server->own_variables);
    server_log_release(&server->log);
    server_call_release(server);
    text_release(&server->bytes);
    text_release(&server->brought);
    text_release(&server->printed[0].text);
    text_release(&server->printed[1].text);
    free(server);
}

void server_event(struct server *server, enum server_step step, struct message *out_reply)
{
    const struct device_launch *launch = &server->held.launch;
    struct message reply = {.type = CONTROL_RESUME};
    struct device_function_info info = {.parameter_bytes = 0};

    switch (step) {
    case SERVER_STEP_LAUNCH:
        device_function_info(server->device, launch->module, launch->function, &info);
        reply.words[0] = CONTROL_EVENT_LAUNCH;
        reply.words[1] = launch->module;
        reply.words[2] = launch->function;
        reply.words[3] = control_dimensions_pack(launch->grid);
        reply.words[4] = control_dimensions_pack(launch->block);
        reply.words[5] = launch->dynamic_shared_bytes;
        reply.words[6] = server->log.launches + 1;
        reply.words[7] = launch->is_cooperative ? 1 : 0;
        reply.payload = server->held.parameters;
        reply.payload_bytes = (size_t)info.parameter_bytes;
        break;
    case SERVER_STEP_MARKER:
        reply.words[0] = CONTROL_EVENT_MARKER;
        reply.words[1] = server->held_request.words[1];
        reply.words[2] = server->held_request.words[2];
        reply.payload = server->held_request.payload;
        reply.payload_bytes = server->held_request.payload_bytes;
        break;
    case SERVER_STEP_RESOURCES:
        reply.words[0] = CONTROL_EVENT_RESOURCES;
        reply.words[1] = server->wanted_module;
        break;
    case SERVER_STEP_LOAD:
        reply.words[0] = CONTROL_EVENT_LOAD;
        reply.payload = server->brought.bytes;
        reply.payload_bytes = server->brought.length;
        break;
    case SERVER_STEP_BROKEN:
        reply.words[0] = CONTROL_EVENT_BROKEN;
        reply.words[1] = server->foreign_module ? 1 : server->foreign_sender ? 2 : 0;
        reply.payload = server->broken;
        reply.payload_bytes = strlen(server->broken);
        break;
    case SERVER_STEP_REPLY:
        reply.words[0] = CONTROL_EVENT_GONE;
        break;
    }
    *out_reply = reply;
}

/* Receives and serves one request of the program. ERROR_PEER when it has gone, ERROR_SYNTAX when
 * what came is no request. */
static enum error serve_request(struct service *service, enum server_step *out_step,
                                struct message *out_reply, struct diagnostic *diagnostic)
{
    struct message request;
    enum error error = channel_receive(&service->client, false, UINT64_MAX, &request, diagnostic);

    if (error == ERROR_NONE) {
        *out_step = server_client(service->server, &request, out_reply);
    }
    return error;
}

/* Serves the program until the next event; fills the reply to RESUME. */
static void resume(struct service *service, struct message *out_event)
{
    struct server *server = service->server;
    enum server_step step = SERVER_STEP_REPLY;
    enum error error = ERROR_NONE;
    struct message reply;
    bool has_reply = server_complete(server, &reply);

    while (!service->client_ended) {
        struct diagnostic diagnostic = {.message = ""};

        if (has_reply) {
            error = channel_send(&service->client, &reply, UINT64_MAX, &diagnostic);
        }
        if (error == ERROR_NONE) {
            error = serve_request(service, &step, &reply, &diagnostic);
        }
        has_reply = true;
        if (error == ERROR_SYNTAX) {
            server->foreign_sender = service->client.is_foreign;
            step = server_break(server, "%.400s", diagnostic.message);
        }
        if (error != ERROR_NONE || step == SERVER_STEP_BROKEN) {
            service->client_ended = true;
        }
        if (step != SERVER_STEP_REPLY) {
            break;
        }
    }
    server_event(server, step, out_event);
}

/* Why the program cannot go on now; ERROR_NONE if it can. */
static enum error check_resume(const struct server *server, struct diagnostic *diagnostic)
{
    if (server->device == NULL) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "the device is not configured; send CONFIGURE first");
        return ERROR_INTERNAL;
    }
    if (server->has_snapshot) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "a snapshot is still held; send RESTORE and DISCARD before RESUME");
        return ERROR_INTERNAL;
    }
    return ERROR_NONE;
}

static void answer(struct service *service, const struct message *request,
                   struct message *out_reply)
{
    struct diagnostic diagnostic = {.message = ""};

    if (request->type != CONTROL_RESUME) {
        server_control(service->server, request, out_reply);
        service->client.peer = service->server->peer;
        return;
    }
    enum error error = check_resume(service->server, &diagnostic);
    if (error == ERROR_NONE) {
        resume(service, out_reply);
        return;
    }
    struct text *bytes = &service->server->bytes;
    text_clear(bytes);
    text_append(bytes, diagnostic.message);
    *out_reply = (struct message){
        .type = CONTROL_RESUME,
        .status = error,
        .payload = bytes->bytes,
        .payload_bytes = bytes->length,
    };
}

enum error server_run(const struct server_devices *devices, int control_fd, int client_fd,
                      bool *out_had_gpu, struct diagnostic *diagnostic)
{
    struct service service = {.server = server_new(devices)};
    struct diagnostic problem = {.message = ""};
    struct message request, reply;
    enum error error;

    service.server->control_fd = control_fd;
    channel_init(&service.control, control_fd, control_format);
    channel_init(&service.client, client_fd, client_format);
    service.client.interrupt_fd = control_fd;
    channel_wake_senders(&service.client);
    for (;;) {
        error = channel_receive(&service.control, false, UINT64_MAX, &request, &problem);
        if (error != ERROR_NONE) {
            break;
        }
        answer(&service, &request, &reply);
        error = channel_send(&service.control, &reply, UINT64_MAX, &problem);
        if (error != ERROR_NONE) {
            break;
        }
    }
    channel_release(&service.control);
    channel_release(&service.client);
    *out_had_gpu = service.server->is_gpu;
    server_free(service.server);
    /* The grader closes its end when it needs no more. */
    if (error == ERROR_PEER) {
        return ERROR_NONE;
    }
    diagnostic_set(diagnostic, problem.blame, "%s", problem.message);
    return error;
}
