/* gpu_list.c: which real GPUs this machine has; a device process looks, so that no driver is ever
 * loaded into the grader. See session.h. */
#include "session/session.h"

#include "base/clock.h"

#include <string.h>

/* A machine of eight GPUs that all slept takes some seconds. */
#define LIST_LIMIT_NS (UINT64_C(60) * CLOCK_NS_PER_S)

static enum error read_gpus(struct arena *arena, const struct message *reply,
                            const struct session_gpu **out_gpus, size_t *out_count,
                            struct diagnostic *diagnostic)
{
    struct session_gpu *gpus = NULL;
    size_t capacity = 0;
    size_t count = 0;
    size_t cursor = 0;
    struct control_gpu record;

    while (control_gpu_unpack(reply->payload, reply->payload_bytes, &cursor, &record)) {
        uint8_t *model = arena_alloc(arena, sizeof record.model);

        memcpy(model, record.model, sizeof record.model);
        arena_grow(arena, &gpus, &capacity, count + 1, sizeof *gpus);
        gpus[count++] = (struct session_gpu){
            .uuid = arena_strdup(arena, record.uuid),
            .driver_version = record.driver_version,
            .model = model,
            .model_bytes = sizeof record.model,
        };
    }
    if (cursor != reply->payload_bytes || count != reply->words[0]) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device's list of GPUs cannot be read");
        return ERROR_PEER;
    }
    *out_gpus = gpus;
    *out_count = count;
    return ERROR_NONE;
}

/* Asks a device process that serves nobody else; the reply lives in the link. */
static enum error ask(struct device_link *link, struct message *out_reply,
                      struct diagnostic *diagnostic)
{
    const struct message request = {.type = CONTROL_GPUS};
    struct diagnostic problem = {.message = ""};
    enum error error =
        channel_call(&link->control, &request, clock_now_ns() + LIST_LIMIT_NS, out_reply, &problem);

    if (error != ERROR_NONE) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the GPUs of this machine cannot be listed (%s); see what nvidia-smi says, "
                       "or use the emulated device (--device emulated)",
                       error == ERROR_TIMEOUT ? "the driver does not answer"
                                              : "the device process ended");
        return ERROR_ENVIRONMENT;
    }
    if (out_reply->status != ERROR_NONE && out_reply->status != ERROR_ENVIRONMENT) {
        diagnostic_set(diagnostic, BLAME_GRADER, "device: the GPUs cannot be listed: %.*s",
                       (int)(out_reply->payload_bytes < 900 ? out_reply->payload_bytes : 900),
                       (const char *)out_reply->payload);
        return ERROR_INTERNAL;
    }
    return ERROR_NONE;
}

enum error session_list_gpus(const char *device_path, struct arena *arena,
                             const struct session_gpu **out_gpus, size_t *out_count,
                             const char **out_reason, struct diagnostic *diagnostic)
{
    struct device_link link;
    struct message reply = {.payload = NULL};
    int client_fd = -1;
    const struct device_start start = {.path = device_path, .is_gpu = true, .own_group = true};
    enum error error = device_link_start(&link, &start, &client_fd, diagnostic);

    descriptor_close(&client_fd);
    if (error == ERROR_NONE) {
        error = ask(&link, &reply, diagnostic);
    }
    if (error == ERROR_NONE && reply.status == ERROR_ENVIRONMENT) {
        *out_gpus = NULL;
        *out_count = 0;
        *out_reason = arena_strndup(arena, reply.payload, reply.payload_bytes);
    } else if (error == ERROR_NONE) {
        error = read_gpus(arena, &reply, out_gpus, out_count, diagnostic);
        *out_reason = "";
    }
    device_link_close(&link);
    return error;
}
