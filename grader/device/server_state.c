/* server_state.c: what the handlers share: kernels and modules by number, refusals, and whether the
 * grader asks. */
#include "device/server_state.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct server_module *server_find_module(const struct server *server, uint64_t module)
{
    bool exists = module < server->module_count && !server->modules[module].is_own;

    return exists ? &server->modules[module] : NULL;
}

bool server_find_kernel(struct server *server, uint64_t handle, struct server_kernel **out_kernel,
                        struct device_function_info *out_info)
{
    uint64_t module = handle >> 32, function = handle & UINT32_MAX;

    if (server_find_module(server, module) == NULL ||
        function >= server->modules[module].kernel_count ||
        !device_function_info(server->device, (uint32_t)module, (uint32_t)function, out_info)) {
        return false;
    }
    *out_kernel = &server->modules[module].kernels[function];
    return true;
}

void server_clear_reply(const struct message *request, struct message *out_reply)
{
    memset(out_reply, 0, sizeof(*out_reply));
    out_reply->type = request->type;
}

enum server_step server_refuse(struct server *server, const struct message *request,
                               struct message *out_reply, enum cuda_status status,
                               const char *format, ...)
{
    struct control_call_error error = {
        .cuda_error = (int32_t)status, .site = server->origin.site, .count = 1};
    struct server_kernel *kernel;
    struct device_function_info info;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error.message, sizeof(error.message), format, arguments);
    va_end(arguments);
    snprintf(error.call, sizeof(error.call), "%s", runtime_call_name(server->origin.call));
    if (request->type == CLIENT_LAUNCH &&
        server_find_kernel(server, request->words[1], &kernel, &info)) {
        snprintf(error.kernel, sizeof(error.kernel), "%s", info.name);
    }
    server_log_error(&server->log, &error);
    server_clear_reply(request, out_reply);
    out_reply->status = status;
    return SERVER_STEP_REPLY;
}

enum server_step server_break(struct server *server, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(server->broken, sizeof(server->broken), format, arguments);
    va_end(arguments);
    return SERVER_STEP_BROKEN;
}

bool server_is_asked(const void *server)
{
    struct pollfd polled = {.fd = ((const struct server *)server)->control_fd, .events = POLLIN};

    return polled.fd >= 0 && poll(&polled, 1, 0) > 0;
}
