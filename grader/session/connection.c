/* connection.c: starting, driving and ending a program and its device; see connection.h. */
#include "session/connection.h"

#include "base/clock.h"
#include "base/file.h"
#include "session/finding_map.h"
#include "wire/cuda_error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long the device may take for anything that is no launch. */
#define REPLY_SLACK_NS (UINT64_C(20) * CLOCK_NS_PER_S)

enum error connection_call(struct connection *connection, const struct message *request,
                           struct message *out_reply, struct diagnostic *diagnostic)
{
    struct message reply;
    enum error error =
        channel_call(&connection->control, request, clock_now_ns() + connection->reply_limit_ns,
                     &reply, diagnostic);

    if (error != ERROR_NONE) {
        if (error == ERROR_PEER) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the device process ended unexpectedly");
        }
        return error;
    }
    if (reply.status != 0) {
        diagnostic_set(diagnostic, BLAME_GRADER, "device: %.*s",
                       (int)(reply.payload_bytes < 900 ? reply.payload_bytes : 900),
                       (const char *)reply.payload);
        return reply.status < ERROR_COUNT ? (enum error)reply.status : ERROR_INTERNAL;
    }
    if (out_reply != NULL) {
        *out_reply = reply;
    }
    return ERROR_NONE;
}

static enum error start_device(struct connection *connection, int control_fd, int client_fd,
                               struct diagnostic *diagnostic)
{
    const char *const arguments[] = {"gpugrade-device", NULL};
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    struct process_spec spec = {
        .path = connection->config->device_path,
        .arguments = arguments,
        .descriptors = {null_fd, null_fd, STDERR_FILENO, control_fd, client_fd},
        .descriptor_count = 5,
    };

    if (null_fd < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "/dev/null cannot be opened: %s",
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    enum error error = process_start(&spec, &connection->device, diagnostic);
    descriptor_close(&null_fd);
    return error;
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
    struct text records;
    text_init(&records);
    for (size_t i = 0; i < kernel_count; i++) {
        struct control_resources resources = {
            .registers = kernels[i].registers,
            .static_shared_bytes = kernels[i].static_shared_bytes,
            .local_bytes = kernels[i].local_bytes,
            .constant_bytes = kernels[i].constant_bytes,
            .max_threads = kernels[i].max_threads,
        };
        if (strlen(kernels[i].name) < sizeof resources.name) {
            snprintf(resources.name, sizeof resources.name, "%s", kernels[i].name);
            control_resources_pack(&resources, &records);
        }
    }
    struct message answer = {
        .type = CONTROL_RESOURCES,
        .words = {module},
        .payload = records.bytes,
        .payload_bytes = records.length,
    };
    error = connection_call(connection, &answer, NULL, diagnostic);
    text_release(&records);
    return error;
}

static enum error send_configuration(struct connection *connection, struct diagnostic *diagnostic)
{
    const struct session_config *config = connection->config;
    const struct limits *limits = &config->rubric->limits;
    const struct fat_program *code = &config->program->code;
    struct message configure = {
        .type = CONTROL_CONFIGURE,
        .words = {limits->device_memory_bytes, limits->launch_emulated_ns, config->threads,
                  code->section_address, code->section_bytes},
        .payload = config->gpu_model,
        .payload_bytes = strlen(config->gpu_model),
    };
    enum error error = connection_call(connection, &configure, NULL, diagnostic);

    for (size_t i = 0; i < code->module_count && error == ERROR_NONE; i++) {
        struct message module = {
            .type = CONTROL_MODULE,
            .words = {code->modules[i].offset},
            .payload = code->modules[i].text,
            .payload_bytes = code->modules[i].length,
        };
        struct message reply;
        error = connection_call(connection, &module, &reply, diagnostic);
        if (error == ERROR_LIMIT || error == ERROR_SYNTAX || error == ERROR_UNSUPPORTED) {
            diagnostic->blame = BLAME_STUDENT; /* the device refuses the code that it was given */
        }
        if (error == ERROR_NONE && reply.words[0] != i) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the device numbers modules differently");
            error = ERROR_INTERNAL;
        }
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
    int control[2] = {-1, -1};
    int client[2] = {-1, -1};
    char *source_folder = arena_printf(arena, "%s/source", config->work_folder);

    memset(connection, 0, sizeof *connection);
    connection->config = config;
    connection->arena = arena;
    connection->reply_limit_ns = config->rubric->limits.launch_emulated_ns + REPLY_SLACK_NS;
    channel_init(&connection->control, -1, control_format);
    enum error error = socket_pair(control, diagnostic);
    if (error == ERROR_NONE) {
        error = socket_pair(client, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = start_device(connection, control[1], client[1], diagnostic);
    }
    if (error == ERROR_NONE) {
        error = start_program(connection, client[0], arguments, argument_count, diagnostic);
    }
    connection->control.fd = control[0];
    descriptor_close(&control[1]);
    descriptor_close(&client[0]);
    descriptor_close(&client[1]);
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
        enum sandbox_wake wake = sandbox_pump(connection->run, connection->control.fd, UINT64_MAX);
        if (wake == SANDBOX_WAKE_EVENT) {
            break;
        }
        connection->program_ended = wake == SANDBOX_WAKE_ENDED;
    }
    enum error error =
        channel_receive(&connection->control, true, clock_now_ns() + connection->reply_limit_ns,
                        out_reply, diagnostic);
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
        error = channel_send(&connection->control, &resume,
                             clock_now_ns() + connection->reply_limit_ns, diagnostic);
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

static struct call_error read_call_error(struct arena *arena,
                                         const struct control_call_error *packed)
{
    bool is_launch = packed->kernel[0] != '\0';

    return (struct call_error){
        .call = is_launch ? arena_printf(arena, "launch of `%s`",
                                         toolchain_plain_name(arena, packed->kernel))
                          : arena_strdup(arena, packed->call),
        .is_launch = is_launch,
        .is_unknown = packed->is_unknown != 0,
        .cuda_error = packed->cuda_error,
        .name = cuda_status_name(packed->cuda_error),
        .message = arena_strdup(arena, packed->message),
        .count = packed->count,
    };
}

/* The log's payload: finding records, then call errors. */
static enum error read_log(struct connection *connection, const struct message *log,
                           const char *launch_id, struct program_activity *out_activity,
                           struct diagnostic *diagnostic)
{
    const uint8_t *bytes = log->payload;
    size_t cursor = 0;
    struct finding *findings = NULL;
    size_t finding_capacity = 0;
    size_t finding_count = 0;
    struct call_error *errors = NULL;
    size_t error_capacity = 0;
    size_t error_count = 0;

    for (uint64_t i = 0; i < log->words[1]; i++) {
        struct finding_record record;
        arena_grow(connection->arena, &findings, &finding_capacity, finding_count + 1,
                   sizeof *findings);
        if (log->payload_bytes - cursor < FINDING_RECORD_BYTES ||
            !finding_record_unpack(bytes + cursor, &record) ||
            !finding_from_record(connection->arena, &connection->code, launch_id, &record,
                                 &findings[finding_count])) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the device's log cannot be read");
            return ERROR_INTERNAL;
        }
        finding_count++;
        cursor += FINDING_RECORD_BYTES;
    }
    struct control_call_error packed;
    while (control_call_error_unpack(bytes, log->payload_bytes, &cursor, &packed)) {
        arena_grow(connection->arena, &errors, &error_capacity, error_count + 1, sizeof *errors);
        errors[error_count++] = read_call_error(connection->arena, &packed);
    }
    out_activity->findings = findings;
    out_activity->finding_count = finding_count;
    out_activity->call_errors = errors;
    out_activity->call_error_count = error_count;
    out_activity->launch_total = log->words[0];
    return ERROR_NONE;
}

enum error connection_finish(struct connection *connection, const char *launch_id,
                             struct program_activity *out_activity, struct diagnostic *diagnostic)
{
    struct message request = {.type = CONTROL_LOG};
    struct message log;

    memset(out_activity, 0, sizeof *out_activity);
    while (!connection->program_ended) {
        /* The channel is closed, the program may still be on its way out. */
        sandbox_release_clock(connection->run);
        connection->program_ended =
            sandbox_pump(connection->run, -1, UINT64_MAX) == SANDBOX_WAKE_ENDED;
    }
    enum error error = connection_call(connection, &request, &log, diagnostic);
    if (error == ERROR_NONE) {
        error = read_log(connection, &log, launch_id, out_activity, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    const struct text *output = sandbox_output(connection->run);
    const struct text *errors = sandbox_errors(connection->run);
    out_activity->ran = true;
    read_end(sandbox_end(connection->run), &connection->config->rubric->limits, &out_activity->end);
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
    descriptor_close(&connection->control.fd);
    channel_release(&connection->control);
    process_kill(&connection->device, false);
}
