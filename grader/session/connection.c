/* connection.c: starting, driving and ending a program and its device; see connection.h. */
#include "session/connection.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How long the device may take for anything that is no launch. */
#define REPLY_SLACK_NS (UINT64_C(20) * CLOCK_NS_PER_S)

enum error connection_call(struct connection *connection, const struct message *request,
                           struct message *out_reply, struct diagnostic *diagnostic)
{
    return device_link_call(&connection->link, request, out_reply, diagnostic);
}

/* Makes an empty folder for the run, so that what the program writes is its own. */
static enum error make_run_folder(struct connection *connection, char **out_path,
                                  struct diagnostic *diagnostic)
{
    char *path = arena_printf(connection->arena, "%s/run-XXXXXX", connection->config->work_folder);

    if (mkdtemp(path) == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be made: %s", path,
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    *out_path = path;
    return ERROR_NONE;
}

static struct sandbox_limits program_limits(const struct limits *limits)
{
    return (struct sandbox_limits){
        .wall_ns = limits->program_wall_ns,
        .cpu_ns = limits->program_cpu_ns,
        .memory_bytes = limits->program_memory_bytes,
        .processes = limits->program_processes,
        .output_bytes = limits->program_output_bytes,
        .file_bytes = limits->program_file_bytes,
    };
}

static enum error start_program(struct connection *connection, int client_fd,
                                const char *const *arguments, size_t argument_count,
                                struct diagnostic *diagnostic)
{
    const struct session_config *config = connection->config;
    const char **command = arena_array(connection->arena, argument_count + 2, sizeof *command);
    const char *cudart = arena_printf(connection->arena, "%s/cudart", config->work_folder);
    const char *environment[] = {arena_printf(connection->arena, "LD_LIBRARY_PATH=%s", cudart),
                                 "PATH=/usr/bin:/bin", "LANG=C.UTF-8", NULL};
    char *run_folder = NULL;

    enum error error = make_run_folder(connection, &run_folder, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    command[0] = config->program->executable;
    for (size_t i = 0; i < argument_count; i++) {
        command[i + 1] = arguments[i];
    }
    struct sandbox_spec spec = {
        .arguments = command,
        .environment = environment,
        .folder = run_folder,
        .mounts = {{cudart, cudart, false},
                   {config->program->executable, config->program->executable, false},
                   {run_folder, run_folder, true}},
        .mount_count = 3,
        .limits = program_limits(&config->rubric->limits),
        .channel_fd = client_fd,
        .keeps_input_open = true,
        .temporary_folder = run_folder,
    };
    return sandbox_start(config->toolchain->sandbox, &spec, &connection->run, diagnostic);
}

/* Registers of all kernels of one module, asked from ptxas and handed to the device. */
static enum error answer_resources(struct connection *connection, uint64_t module,
                                   struct diagnostic *diagnostic)
{
    const struct session_config *config = connection->config;
    const struct kernel_resources *kernels = NULL;
    size_t kernel_count = 0;

    if (module >= config->program->code.module_count) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device asks for a module that is not there");
        return ERROR_INTERNAL;
    }
    enum error error = session_resources(config, connection->arena, (size_t)module, &kernels,
                                         &kernel_count, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    return device_link_resources(&connection->link, module, kernels, kernel_count, diagnostic);
}

static enum error send_configuration(struct connection *connection, struct diagnostic *diagnostic)
{
    const struct session_config *config = connection->config;
    const struct limits *limits = &config->rubric->limits;
    const struct fat_program *code = &config->program->code;
    const struct device_setup setup = {
        .device = config->device,
        .memory_bytes = limits->device_memory_bytes,
        .launch_ns = limits->launch_emulated_ns,
        .threads = config->threads,
        .checks_global_races = config->rubric->checks_global_races,
        .code = code,
    };
    enum error error = device_link_configure(&connection->link, &setup, diagnostic);

    for (size_t i = 0; i < code->module_count && error == ERROR_NONE; i++) {
        error = device_link_load(&connection->link, code, i, diagnostic);
        if (error == ERROR_NONE) {
            error = answer_resources(connection, i, diagnostic);
        }
    }
    return error;
}

static enum error observe_kernel(struct connection *connection, const char *kernel,
                                 struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < connection->code.module_count; i++) {
        const struct code_module *module = &connection->code.modules[i];
        for (size_t j = 0; j < module->kernel_count; j++) {
            if (strcmp(module->kernels[j].plain_name, kernel) != 0) {
                continue;
            }
            struct message observe = {
                .type = CONTROL_OBSERVE,
                .words = {i, 1},
                .payload = module->kernels[j].name,
                .payload_bytes = strlen(module->kernels[j].name),
            };
            enum error error = connection_call(connection, &observe, NULL, diagnostic);
            if (error != ERROR_NONE) {
                return error;
            }
        }
    }
    return ERROR_NONE;
}

enum error connection_open(const struct session_config *config, struct arena *arena,
                           const char *kernel, const char *const *arguments, size_t argument_count,
                           struct connection *out_connection, struct diagnostic *diagnostic)
{
    struct connection *connection = out_connection;
    int client_fd = -1;
    char *source_folder = arena_printf(arena, "%s/source", config->work_folder);

    memset(connection, 0, sizeof *connection);
    connection->config = config;
    connection->arena = arena;
    enum error error =
        device_link_start(&connection->link, config->device_path, false, &client_fd, diagnostic);
    connection->link.reply_limit_ns = config->rubric->limits.launch_emulated_ns + REPLY_SLACK_NS;
    if (error == ERROR_NONE) {
        error = start_program(connection, client_fd, arguments, argument_count, diagnostic);
    }
    descriptor_close(&client_fd);
    if (error == ERROR_NONE) {
        error = code_index_read(arena, &config->program->code, source_folder, &connection->code,
                                diagnostic);
    }
    if (error == ERROR_NONE) {
        error = send_configuration(connection, diagnostic);
    }
    if (error == ERROR_NONE && kernel != NULL) {
        error = observe_kernel(connection, kernel, diagnostic);
    }
    if (error != ERROR_NONE) {
        connection_close(connection);
    }
    return error;
}

/* Waits for the reply to RESUME while the program runs under its limits. */
static enum error await_event(struct connection *connection, struct message *out_reply,
                              struct diagnostic *diagnostic)
{
    while (!connection->program_ended) {
        enum sandbox_wake wake =
            sandbox_pump(connection->run, connection->link.control.fd, UINT64_MAX);
        if (wake == SANDBOX_WAKE_EVENT) {
            break;
        }
        connection->program_ended = wake == SANDBOX_WAKE_ENDED;
    }
    enum error error =
        channel_receive(&connection->link.control, true,
                        clock_now_ns() + connection->link.reply_limit_ns, out_reply, diagnostic);
    if (error == ERROR_PEER) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device process ended unexpectedly");
    }
    return error;
}

static enum error read_launch_event(struct connection *connection, const struct message *reply,
                                    struct held_launch *out_launch, struct diagnostic *diagnostic)
{
    uint64_t module = reply->words[1];
    uint64_t kernel = reply->words[2];

    if (module >= connection->code.module_count ||
        kernel >= connection->code.modules[module].kernel_count || reply->words[5] > UINT32_MAX) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device names a kernel that is not there");
        return ERROR_INTERNAL;
    }
    out_launch->module = (uint32_t)module;
    out_launch->kernel = (uint32_t)kernel;
    control_dimensions_unpack(reply->words[3], out_launch->geometry.grid);
    control_dimensions_unpack(reply->words[4], out_launch->geometry.block);
    out_launch->geometry.dynamic_shared_bytes = (uint32_t)reply->words[5];
    uint8_t *parameters = arena_alloc(connection->arena, reply->payload_bytes);
    if (reply->payload_bytes > 0) {
        memcpy(parameters, reply->payload, reply->payload_bytes);
    }
    out_launch->parameters = parameters;
    out_launch->parameter_bytes = reply->payload_bytes;
    return ERROR_NONE;
}

void connection_stop(struct connection *connection)
{
    sandbox_stop(connection->run);
    connection->program_ended = true;
}

static void mark_broken(struct connection *connection, const struct message *reply)
{
    size_t length = reply->payload_bytes < 500 ? reply->payload_bytes : 500;

    connection->is_broken = true;
    connection->foreign_module = reply->words[1] == 1;
    connection->broken_message =
        length == 0 ? "" : arena_strndup(connection->arena, reply->payload, length);
    if (!text_is_utf8(connection->broken_message, strlen(connection->broken_message))) {
        connection->broken_message = "";
    }
    connection_stop(connection);
}

enum error connection_resume(struct connection *connection, struct connection_event *out_event,
                             struct diagnostic *diagnostic)
{
    struct message resume = {.type = CONTROL_RESUME};
    struct message reply;
    enum error error = ERROR_NONE;

    do {
        sandbox_release_clock(connection->run);
        error = channel_send(&connection->link.control, &resume,
                             clock_now_ns() + connection->link.reply_limit_ns, diagnostic);
        if (error == ERROR_NONE) {
            error = await_event(connection, &reply, diagnostic);
        }
        if (error != ERROR_NONE) {
            return error;
        }
        sandbox_hold_clock(connection->run);
        if (reply.status != 0) {
            diagnostic_set(diagnostic, BLAME_GRADER, "device: cannot go on: %s",
                           error_text((enum error)reply.status));
            return ERROR_INTERNAL;
        }
        if (reply.words[0] == CONTROL_EVENT_RESOURCES) {
            error = answer_resources(connection, reply.words[1], diagnostic);
        }
    } while (error == ERROR_NONE && reply.words[0] == CONTROL_EVENT_RESOURCES);
    if (error != ERROR_NONE) {
        return error;
    }
    memset(out_event, 0, sizeof *out_event);
    out_event->kind = (enum control_event)reply.words[0];
    switch (out_event->kind) {
    case CONTROL_EVENT_LAUNCH:
        return read_launch_event(connection, &reply, &out_event->launch, diagnostic);
    case CONTROL_EVENT_MARKER:
        out_event->marker_begin = reply.words[1] == 1;
        return ERROR_NONE;
    case CONTROL_EVENT_GONE:
        return ERROR_NONE;
    case CONTROL_EVENT_BROKEN:
        mark_broken(connection, &reply);
        return ERROR_NONE;
    default:
        diagnostic_set(diagnostic, BLAME_GRADER, "the device reports an unknown event");
        return ERROR_INTERNAL;
    }
}

void connection_write(struct connection *connection, const char *bytes, size_t length)
{
    sandbox_write(connection->run, bytes, length);
}

void connection_close_input(struct connection *connection)
{
    sandbox_close_input(connection->run);
}

/* How a run in the sandbox ended, in the words of the model. */
static void read_end(const struct sandbox_end *end, const struct limits *limits,
                     struct program_end *out_end)
{
    static const enum ending endings[] = {
        [SANDBOX_EXITED] = ENDING_EXITED,
        [SANDBOX_SIGNALLED] = ENDING_SIGNALLED,
        [SANDBOX_WALL_LIMIT] = ENDING_WALL_LIMIT,
        [SANDBOX_CPU_LIMIT] = ENDING_CPU_LIMIT,
        [SANDBOX_OUTPUT_LIMIT] = ENDING_OUTPUT_LIMIT,
        [SANDBOX_FILE_LIMIT] = ENDING_FILE_LIMIT,
        [SANDBOX_STOPPED] = ENDING_STOPPED,
    };

    memset(out_end, 0, sizeof *out_end);
    out_end->ending = endings[end->ending];
    out_end->exit_status = end->exit_status;
    out_end->signal = end->signal;
    out_end->limit = end->limit;
    /* Nobody tells that an allocation was refused; a crash within an eighth of the limit is read as
     * one. */
    bool near_limit = end->peak_memory_bytes >= limits->program_memory_bytes / 8 * 7;
    bool failed = end->ending == SANDBOX_SIGNALLED ||
                  (end->ending == SANDBOX_EXITED && end->exit_status != 0);
    if (near_limit && failed) {
        out_end->ending = ENDING_MEMORY_LIMIT;
        out_end->limit = limits->program_memory_bytes;
    }
}

enum error connection_finish(struct connection *connection, const char *launch_id,
                             struct program_activity *out_activity, struct diagnostic *diagnostic)
{
    memset(out_activity, 0, sizeof *out_activity);
    while (!connection->program_ended) {
        /* The channel is closed, the program may still be on its way out. */
        sandbox_release_clock(connection->run);
        connection->program_ended =
            sandbox_pump(connection->run, -1, UINT64_MAX) == SANDBOX_WAKE_ENDED;
    }
    read_end(sandbox_end(connection->run), &connection->config->rubric->limits, &out_activity->end);
    enum error error = device_link_log(&connection->link, connection->arena, &connection->code,
                                       launch_id, out_activity, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    const struct text *output = sandbox_output(connection->run);
    const struct text *errors = sandbox_errors(connection->run);
    out_activity->ran = true;
    out_activity->output = arena_strndup(connection->arena, output->bytes, output->length);
    out_activity->output_length = output->length;
    out_activity->errors = arena_strndup(connection->arena, errors->bytes, errors->length);
    out_activity->errors_length = errors->length;
    out_activity->protocol_broken = connection->is_broken;
    out_activity->foreign_module = connection->foreign_module;
    out_activity->protocol_message = connection->is_broken ? connection->broken_message : "";
    return ERROR_NONE;
}

void connection_close(struct connection *connection)
{
    sandbox_run_free(connection->run);
    connection->run = NULL;
    device_link_close(&connection->link);
}
