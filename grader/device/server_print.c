/* server_print.c: what kernels print, and the limits that the program sets.
 *
 * The text of a launch waits here until the program fetches it, at its next call that waits for the
 * device; a program that never does loses it to the next launch, as with a real device. What probes
 * print never comes here.
 */
#include "device/server_state.h"

#include <inttypes.h>
#include <string.h>

/* The most that a program may ask for; the stack is CUDA's own limit of local memory. */
#define STACK_BYTES_MAX (UINT64_C(1) << 19)
#define PRINT_BYTES_MAX (UINT64_C(1) << 26)

static void keep(struct server_printed *printed, const char *bytes, size_t length)
{
    text_clear(&printed->text);
    printed->fetched = 0;
    if (length > 0) {
        text_append_bytes(&printed->text, bytes, length);
    }
}

void server_keep_printed(struct server *server, const struct device_launch_result *result)
{
    keep(&server->printed[0], result->printed, result->printed_bytes);
    keep(&server->printed[1], result->complaints, result->complaint_bytes);
}

static size_t left_of(const struct server_printed *printed)
{
    return printed->text.length - printed->fetched;
}

bool server_has_printed(const struct server *server)
{
    return !server->call.is_open &&
           (left_of(&server->printed[0]) > 0 || left_of(&server->printed[1]) > 0);
}

enum server_step server_printed(struct server *server, const struct message *request,
                                struct message *reply)
{
    if (request->words[1] > 1) {
        return server_break(server, "a fetch of text that is neither output nor errors");
    }
    struct server_printed *printed = &server->printed[request->words[1]];
    if (server->call.is_open) {
        return SERVER_STEP_REPLY;
    }
    size_t length = left_of(printed) < CLIENT_PIECE_BYTES ? left_of(printed) : CLIENT_PIECE_BYTES;
    reply->payload = printed->text.bytes + printed->fetched;
    reply->payload_bytes = length;
    printed->fetched += length;
    reply->words[0] = left_of(printed);
    return SERVER_STEP_REPLY;
}

enum server_step server_limit(struct server *server, const struct message *request,
                              struct message *reply)
{
    uint64_t value = request->words[2] > 0 ? request->words[2] : 1; /* 0 stands for the default */
    uint64_t memory = server->config.memory_limit_bytes - server->allocated_bytes;

    switch (request->words[1]) {
    case CLIENT_LIMIT_STACK:
        if (value > STACK_BYTES_MAX) {
            return server_refuse(server, request, reply, CUDA_STATUS_INVALID_VALUE,
                                 "a stack of %" PRIu64 " bytes per thread; at most %" PRIu64
                                 " are allowed",
                                 value, STACK_BYTES_MAX);
        }
        server->limits.stack_bytes = value;
        return SERVER_STEP_REPLY;
    case CLIENT_LIMIT_PRINT:
        if (value > PRINT_BYTES_MAX) {
            return server_refuse(server, request, reply, CUDA_STATUS_MEMORY_ALLOCATION,
                                 "a buffer of %" PRIu64 " bytes for printf; at most %" PRIu64
                                 " are allowed",
                                 value, PRINT_BYTES_MAX);
        }
        server->limits.print_bytes = value;
        return SERVER_STEP_REPLY;
    case CLIENT_LIMIT_HEAP:
        /* the emulated device keeps gaps between what is allocated there */
        if (value > memory / 2) {
            return server_refuse(server, request, reply, CUDA_STATUS_MEMORY_ALLOCATION,
                                 "a heap of %" PRIu64
                                 " bytes for malloc in kernels; at most %" PRIu64 " are allowed",
                                 value, memory / 2);
        }
        server->limits.heap_bytes = value;
        return SERVER_STEP_REPLY;
    default:
        return server_break(server, "a limit that does not exist");
    }
}
