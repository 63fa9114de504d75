/* server_module.c: modules, kernels and variables, as the program asks for them.
 *
 * The program names a module by the address that its fat binary has in the executable; what is at
 * that address in the program's memory is never looked at: the device loaded the code from the
 * executable on disk. An address outside of the section is code that was not built from the
 * submission, which no honest program registers.
 */
#include "device/server_state.h"

#include "ptx/ptx.h"
#include "wire/little_endian.h"

#include <stdlib.h>
#include <string.h>

/* The handle of a fat binary that holds no code for the device, such as the empty one of nvcc's
 * link step. */
static const uint64_t module_without_code = UINT64_MAX;

enum { MODULES_MAX = 4096 };

enum server_step server_module(struct server *server, const struct message *request,
                               struct message *reply)
{
    uint64_t offset = request->words[1] - server->section_address;

    if (request->words[1] < server->section_address || offset >= server->section_bytes) {
        server->foreign_module = true;
        return server_break(server, "foreign module: device code that is not in the executable "
                                    "built from the submission");
    }
    reply->words[0] = module_without_code;
    for (size_t i = 0; i < server->module_count; i++) {
        if (!server->modules[i].is_own && server->modules[i].offset == offset) {
            reply->words[0] = i;
        }
    }
    return SERVER_STEP_REPLY;
}

/* True if a name is the payload of a request. */
static bool is_named(const char *name, const struct message *request)
{
    return strlen(name) == request->payload_bytes &&
           memcmp(name, request->payload, request->payload_bytes) == 0;
}

/* Fills the reply for a kernel: where its parameters lie. */
static void describe_kernel(struct server *server, uint64_t handle,
                            const struct device_function_info *info, struct message *reply)
{
    text_clear(&server->bytes);
    for (size_t i = 0; i < info->parameter_count; i++) {
        uint8_t place[16];

        little_put_u64(place, info->parameters[i].offset);
        little_put_u64(place + 8, info->parameters[i].bytes);
        text_append_bytes(&server->bytes, place, sizeof(place));
    }
    reply->words[0] = handle;
    reply->words[1] = info->parameter_bytes;
    reply->words[2] = info->parameter_count;
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = server->bytes.length;
}

/* Refuses a name that is not in a module of the program. */
static enum server_step refuse_name(struct server *server, const struct message *request,
                                    struct message *reply, enum cuda_status status,
                                    const char *what)
{
    const uint64_t module = request->words[1];

    if (module != module_without_code && server->modules[module].offset == CONTROL_LOADED_MODULE) {
        return server_refuse(server, request, reply, CUDA_STATUS_SYMBOL_NOT_FOUND,
                             "this %s is not in the module; what is not extern \"C\" has a "
                             "mangled name there",
                             what);
    }
    return server_refuse(server, request, reply, status,
                         "this %s is not in the executable's device code", what);
}

enum server_step server_kernel(struct server *server, const struct message *request,
                               struct message *reply)
{
    uint64_t module = request->words[1];
    struct device_function_info info;

    if (module == module_without_code) {
        return server_refuse(server, request, reply, CUDA_STATUS_NO_KERNEL_IMAGE_FOR_DEVICE,
                             "the executable has no PTX for this kernel");
    }
    if (server_find_module(server, module) == NULL) {
        return server_break(server, "a kernel of a module that does not exist");
    }
    for (uint32_t i = 0; i < server->modules[module].kernel_count; i++) {
        if (!device_function_info(server->device, (uint32_t)module, i, &info) ||
            !is_named(info.name, request)) {
            continue;
        }
        if (info.parameter_bytes > CLIENT_PARAMETERS_BYTES || info.parameter_count > 4096) {
            return server_refuse(server, request, reply, CUDA_STATUS_NOT_SUPPORTED,
                                 "a kernel with %llu bytes of parameters; at most %d are allowed",
                                 (unsigned long long)info.parameter_bytes, CLIENT_PARAMETERS_BYTES);
        }
        describe_kernel(server, module << 32 | i, &info, reply);
        return SERVER_STEP_REPLY;
    }
    return refuse_name(server, request, reply, CUDA_STATUS_INVALID_DEVICE_FUNCTION, "kernel");
}

enum server_step server_variable(struct server *server, const struct message *request,
                                 struct message *reply)
{
    uint64_t module = request->words[1];
    struct device_allocation variable;
    char name[CLIENT_NAME_BYTES + 1];

    if (module != module_without_code && server_find_module(server, module) == NULL) {
        return server_break(server, "a variable of a module that does not exist");
    }
    memcpy(name, request->payload, request->payload_bytes);
    name[request->payload_bytes] = '\0';
    if (module == module_without_code ||
        !device_variable(server->device, (uint32_t)module, name, &variable)) {
        return refuse_name(server, request, reply, CUDA_STATUS_INVALID_SYMBOL, "variable");
    }
    reply->words[0] = variable.address;
    reply->words[1] = variable.bytes;
    return SERVER_STEP_REPLY;
}

enum server_step server_load(struct server *server, const struct message *request,
                             struct message *reply)
{
    const uint64_t wanted = request->words[1];

    if (!server->takes_modules) {
        server->foreign_module = true;
        return server_break(server, "foreign module: device code that the program brings itself");
    }
    if (wanted > CLIENT_LOAD_BYTES - server->brought_bytes || server->module_count >= MODULES_MAX) {
        return server_refuse(server, request, reply, CUDA_STATUS_MEMORY_ALLOCATION,
                             "the modules that a program loads may have %d bytes together, and "
                             "there may be %d of them",
                             CLIENT_LOAD_BYTES, MODULES_MAX);
    }
    if (request->payload_bytes == 0 || server->brought.length > wanted ||
        request->payload_bytes > wanted - server->brought.length) {
        return server_break(server, "a piece of a module that is not a part of it");
    }
    text_append_bytes(&server->brought, request->payload, request->payload_bytes);
    reply->words[0] = wanted - server->brought.length;
    if (reply->words[0] > 0) {
        return SERVER_STEP_REPLY;
    }
    server->brought_bytes += wanted;
    server->is_loaded = false;
    server->load_problem[0] = '\0';
    return SERVER_STEP_LOAD;
}

void server_loaded(struct server *server, const struct message *request, struct message *out_reply)
{
    text_clear(&server->brought);
    if (server->is_loaded) {
        out_reply->words[1] = server->module_count - 1;
        return;
    }
    if (server->load_problem[0] != '\0') {
        server_refuse(server, request, out_reply, CUDA_STATUS_INVALID_PTX, "%s",
                      server->load_problem);
        return;
    }
    server_refuse(server, request, out_reply, CUDA_STATUS_NO_KERNEL_IMAGE_FOR_DEVICE,
                  "it holds no PTX; compile it with "
                  "-gencode arch=compute_75,code=compute_75");
}

static void hide(struct server *server, uint64_t address)
{
    size_t count = server->own_variable_count + 1;
    uint64_t *grown = realloc(server->own_variables, count * sizeof *grown);

    if (grown == NULL) {
        abort();
    }
    grown[count - 1] = address;
    server->own_variables = grown;
    server->own_variable_count = count;
}

enum error server_hide_variables(struct server *server, uint32_t module, const char *ptx,
                                 size_t length, struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    const struct ptx_module *parsed = NULL;
    enum error error = ptx_parse(arena, ptx, length, &parsed, diagnostic);

    for (size_t i = 0; error == ERROR_NONE && i < parsed->variable_count; i++) {
        struct device_allocation variable;

        if (device_variable(server->device, module, parsed->variables[i].name, &variable)) {
            hide(server, variable.address);
        }
    }
    arena_free(arena);
    return error;
}

bool server_find_memory(struct server *server, uint64_t address,
                        struct device_allocation *out_found)
{
    struct device_allocation found;

    if (!device_find(server->device, address, &found)) {
        return false;
    }
    for (size_t i = 0; i < server->own_variable_count; i++) {
        if (server->own_variables[i] == found.address) {
            return false;
        }
    }
    *out_found = found;
    return true;
}
