/* connection.c: starting, driving and ending a program and its device; see connection.h. */
#include "session/connection.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/machine_cores.h"
#include "model/kernel_pattern.h"
#include "model/work_limit.h"
#include "session/finding_map.h"
#include "session/program_exit.h"
#include "toolchain/run_end.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How long the device may take for anything that is no launch; a GPU that slept is slow to wake. */
#define REPLY_SLACK_NS (UINT64_C(20) * CLOCK_NS_PER_S)

/* How many times longer than its processor time a launch of the emulated device may take on a busy
 * machine; beyond that the machine is at fault. */
enum { BUSY_RATIO = 16 };
#define GPU_SLACK_NS (UINT64_C(60) * CLOCK_NS_PER_S)

/* What a run may use of its limits of time once another one of its program was ended at them. */
enum { LATER_PART = 8 };

/* Events after the program's end: more than requests fit into a socket. */
enum { LATE_EVENTS_MAX = 1 << 16 };

/* How long a timing may take, whatever its launches take. */
#define TIMING_MAX_NS (UINT64_C(120) * CLOCK_NS_PER_S)

/* The deadline of one launch on the device in use. */
static uint64_t launch_deadline_ns(const struct session_config *config)
{
    const struct limits *limits = &config->rubric->limits;

    return config->device.is_gpu ? limits->launch_cuda_ns : limits->launch_emulated_ns;
}

enum error connection_call(struct connection *connection, const struct message *request,
                           struct message *out_reply, struct diagnostic *diagnostic)
{
    return device_link_call(&connection->link, request, out_reply, diagnostic);
}

struct host_places *connection_places(struct connection *connection, uint64_t site)
{
    if (site == 0) {
        return NULL;
    }
    struct site_wish *wish = arena_alloc(connection->arena, sizeof *wish);
    struct host_places *places = arena_alloc(connection->arena, sizeof *places);

    *places = (struct host_places){{"", 0}, {"", 0}};
    *wish =
        (struct site_wish){.site = site, .places = places, .next = connection->link.host.wishes};
    connection->link.host.wishes = wish;
    return places;
}

struct host_place *connection_place(struct connection *connection, uint64_t site)
{
    struct host_places *places = connection_places(connection, site);

    return places == NULL ? NULL : &places->inner;
}

void connection_place_in(struct connection *connection, uint64_t site, struct finding *finding,
                         const char *role)
{
    if (site == 0) {
        return;
    }
    struct site_wish *wish = arena_alloc(connection->arena, sizeof *wish);

    *wish = (struct site_wish){
        .site = site, .finding = finding, .role = role, .next = connection->link.host.wishes};
    connection->link.host.wishes = wish;
}

static size_t piece_bytes(size_t left)
{
    return left < CONTROL_PIECE_BYTES ? left : CONTROL_PIECE_BYTES;
}

enum error connection_read_memory(struct connection *connection, uint64_t address, void *out_bytes,
                                  size_t length, struct diagnostic *diagnostic)
{
    uint8_t *bytes = out_bytes;

    for (size_t at = 0; at < length; at += CONTROL_PIECE_BYTES) {
        const size_t piece = piece_bytes(length - at);
        const struct message read = {.type = CONTROL_READ, .words = {address + at, piece}};
        struct message reply;
        enum error error = connection_call(connection, &read, &reply, diagnostic);

        if (error != ERROR_NONE) {
            return error;
        }
        if (reply.payload_bytes != piece) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the device answered with %zu of %zu bytes",
                           reply.payload_bytes, piece);
            return ERROR_PEER;
        }
        memcpy(bytes + at, reply.payload, piece);
    }
    return ERROR_NONE;
}

enum error connection_write_memory(struct connection *connection, uint64_t address,
                                   const void *bytes, size_t length, struct diagnostic *diagnostic)
{
    const uint8_t *from = bytes;
    enum error error = ERROR_NONE;

    for (size_t at = 0; at < length && error == ERROR_NONE; at += CONTROL_PIECE_BYTES) {
        const struct message write = {
            .type = CONTROL_WRITE,
            .words = {address + at},
            .payload = from + at,
            .payload_bytes = piece_bytes(length - at),
        };
        error = connection_call(connection, &write, NULL, diagnostic);
    }
    return error;
}

enum error connection_keep(struct connection *connection, const void *bytes, size_t length,
                           uint64_t *out_address, struct diagnostic *diagnostic)
{
    const struct message allocate = {.type = CONTROL_ALLOCATE, .words = {length}};
    struct message reply;
    enum error error = connection_call(connection, &allocate, &reply, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    *out_address = reply.words[0];
    return connection_write_memory(connection, *out_address, bytes, length, diagnostic);
}

/* The program's limits hold while the grader works at the device, too: all but the wall clock. */
static void watch_program(void *watched, int fd, uint64_t deadline_ns)
{
    sandbox_pump(watched, fd, deadline_ns);
}

/* Writes the files that the program finds. */
static enum error write_files(const struct connection *connection, const char *folder,
                              struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < connection->config->file_count; i++) {
        const struct given_file *file = &connection->config->files[i];
        const char *path = arena_printf(connection->arena, "%s/%s", folder, file->name);
        if (file_write_mode(path, 0644, file->bytes, file->length, diagnostic) != ERROR_NONE) {
            return ERROR_ENVIRONMENT;
        }
    }
    return ERROR_NONE;
}

/* Gives the run a folder of its own, so that what the program writes is its own: in memory, where
 * the kernel bounds it, else one that the sandbox watches. */
static enum error make_run_folder(struct connection *connection, struct sandbox_spec *spec,
                                  struct diagnostic *diagnostic)
{
    const struct sandbox *sandbox = connection->config->toolchain->sandbox;
    char *path = arena_printf(connection->arena, "%s/run-XXXXXX", connection->config->work_folder);

    if (sandbox->sizes_tmpfs && !connection->config->keeps_files) {
        spec->folder = "/tmp";
        return ERROR_NONE;
    }
    if (mkdtemp(path) == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be created: %s", path,
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    spec->folder = spec->temporary_folder = connection->run_folder = path;
    spec->mounts[spec->mount_count++] = (struct sandbox_mount){path, path, true};
    return write_files(connection, path, diagnostic);
}

/* The limits of one run. One that was ended at a limit of time has shown that its program may not
 * end: what others of it need is a small part of that limit, or they would meet it, too. */
static struct sandbox_limits program_limits(const struct session_config *config)
{
    const struct limits *limits = &config->rubric->limits;
    bool was_timed_out = config->account != NULL && config->account->was_timed_out;
    uint64_t part = was_timed_out ? LATER_PART : 1;

    return (struct sandbox_limits){
        .wall_ns = limits->program_wall_ns / part,
        .cpu_ns = limits->program_cpu_ns / part,
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

    command[0] = config->program->executable;
    for (size_t i = 0; i < argument_count; i++) {
        command[i + 1] = arguments[i];
    }
    struct sandbox_spec spec = {
        .arguments = command,
        .environment = environment,
        .mounts = {{cudart, cudart, false},
                   {config->program->executable, config->program->executable, false}},
        .mount_count = 2,
        .limits = program_limits(config),
        .channel_fd = client_fd,
        .keeps_input_open = true,
    };
    enum error error = make_run_folder(connection, &spec, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
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
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "the device asks for a module that does not exist");
        return ERROR_INTERNAL;
    }
    enum error error = session_resources(config, connection->arena, (size_t)module, &kernels,
                                         &kernel_count, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    return device_link_resources(&connection->link, module, kernels, kernel_count,
                                 config->first_build, diagnostic);
}

/* A real GPU takes what ptxas made of the module; the emulated device takes the text alone. */
static enum error load_module(struct connection *connection, size_t module,
                              struct diagnostic *diagnostic)
{
    const struct session_config *config = connection->config;
    const struct kernel_resources *kernels = NULL;
    const void *image = NULL;
    size_t image_bytes = 0;
    size_t kernel_count = 0;
    enum error error = ERROR_NONE;

    if (config->device.is_gpu) {
        error = session_resources(config, connection->arena, module, &kernels, &kernel_count,
                                  diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        image = config->resources->modules[module].image;
        image_bytes = config->resources->modules[module].image_bytes;
    }
    return device_link_load(&connection->link, &config->program->code, module, image, image_bytes,
                            diagnostic);
}

/* What a launch may use that no case is judged by: as much as in the shape that a program is built
 * for first, within reason. */
static uint64_t first_work_limit(const struct rubric *rubric)
{
    uint64_t limit = 0;

    for (size_t i = 0; i < rubric->launch_count; i++) {
        const struct rubric_launch *launch = &rubric->launches[i];
        uint64_t own =
            launch->has_first ? work_limit(rubric, launch, launch->first_values, 0) : WORK_MOST;
        limit = own > limit ? own : limit;
    }
    return limit == 0 || limit > WORK_UNJUDGED_MOST ? WORK_UNJUDGED_MOST : limit;
}

/* What all launches of a run may use; 0: no limit. */
static uint64_t total_work(const struct session_config *config)
{
    uint64_t share = work_share(config->rubric);
    uint64_t used = config->account != NULL ? config->account->work : 0;

    if (config->is_trusted) {
        return 0;
    }
    return used < share ? share - used : 1;
}

/* True if all memory that a kernel finds was written by the grader or by the call itself. A harness
 * need not fill the operands of a launch that is let go, or is held to see its geometry. */
static bool knows_all_memory(const struct rubric *rubric)
{
    bool knows = rubric->checks_global_races;

    for (size_t i = 0; i < rubric->launch_count; i++) {
        knows = knows && rubric->launches[i].call != NULL;
    }
    return knows;
}

static enum error send_configuration(struct connection *connection, struct diagnostic *diagnostic)
{
    const struct session_config *config = connection->config;
    const struct limits *limits = &config->rubric->limits;
    const struct fat_program *code = &config->program->code;
    const struct device_setup setup = {
        .device = config->device,
        .memory_bytes = limits->device_memory_bytes,
        .launch_ns = launch_deadline_ns(config),
        .cpu_ns = config->rubric->limits.grader_cpu_ns,
        .launch_work = config->is_trusted ? 0 : first_work_limit(config->rubric),
        .total_work = total_work(config),
        .threads = config->threads != 0 ? config->threads : (uint32_t)machine_cores(),
        .checks_global_races = config->rubric->checks_global_races,
        .checks_streams = config->rubric->checks_global_races,
        .checks_unwritten = knows_all_memory(config->rubric),
        .code = code,
    };
    enum error error = device_link_configure(&connection->link, &setup, diagnostic);

    for (size_t i = 0; i < code->module_count && error == ERROR_NONE; i++) {
        error = load_module(connection, i, diagnostic);
        if (error == ERROR_NONE) {
            error = answer_resources(connection, i, diagnostic);
        }
    }
    return error;
}

enum error connection_allow_work(struct connection *connection, const struct rubric_launch *launch,
                                 const int64_t *parameters, int64_t block,
                                 struct diagnostic *diagnostic)
{
    const uint64_t most = connection->config->launch_work_most;
    const uint64_t allowed = work_limit(connection->config->rubric, launch, parameters, block);
    const struct message request = {
        .type = CONTROL_WORK,
        .words = {most != 0 && most < allowed ? most : allowed},
    };

    return connection_call(connection, &request, NULL, diagnostic);
}

enum error connection_let_pass(struct connection *connection, const struct held_launch *held,
                               uint64_t passes, struct kernel_launches *out_launches,
                               struct diagnostic *diagnostic)
{
    const char *name = connection->code.modules[held->module].kernels[held->kernel].name;
    const struct message observe = {
        .type = CONTROL_OBSERVE,
        .words = {held->module, 1, passes},
        .payload = name,
        .payload_bytes = strlen(name),
    };
    struct message reply;
    enum error error = connection_call(connection, &observe, &reply, diagnostic);

    if (error == ERROR_NONE) {
        *out_launches = (struct kernel_launches){reply.words[0], reply.words[1]};
    }
    return error;
}

/* Has the device stop at the launches of the kernels of one name or pattern, or no more. */
static enum error observe_kernels(struct connection *connection, const char *kernel, bool stops,
                                  struct diagnostic *diagnostic)
{
    const bool *is_given = connection->config->program->is_given;
    const bool given_only = connection->config->given_only && is_given != NULL;

    for (size_t i = 0; i < connection->code.module_count; i++) {
        const struct code_module *module = &connection->code.modules[i];
        for (size_t j = 0; j < module->kernel_count && (!given_only || is_given[i]); j++) {
            /* A longer name cannot be registered, so nobody launches that kernel. */
            if (!kernel_pattern_matches(kernel, module->kernels[j].plain_name) ||
                strlen(module->kernels[j].name) > CLIENT_NAME_BYTES) {
                continue;
            }
            struct message observe = {
                .type = CONTROL_OBSERVE,
                .words = {i, stops ? 1 : 0},
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

enum error connection_observe(struct connection *connection, const char *kernel,
                              struct diagnostic *diagnostic)
{
    return observe_kernels(connection, kernel, true, diagnostic);
}

enum error connection_ignore(struct connection *connection, const char *kernel,
                             struct diagnostic *diagnostic)
{
    return observe_kernels(connection, kernel, false, diagnostic);
}

enum error connection_open(const struct session_config *config, struct arena *arena,
                           const char *kernel, const char *const *arguments, size_t argument_count,
                           struct connection *out_connection, struct diagnostic *diagnostic)
{
    struct connection *connection = out_connection;
    int client_fd = -1;
    const char *source_folder = config->program->source_folder != NULL
                                    ? config->program->source_folder
                                    : arena_printf(arena, "%s/source", config->work_folder);

    memset(connection, 0, sizeof *connection);
    connection->config = config;
    connection->arena = arena;
    bool is_gpu = config->device.is_gpu;
    const struct device_start start = {
        .path = config->device_path, .is_gpu = is_gpu, .sandbox = config->toolchain->sandbox};
    enum error error = device_link_start(&connection->link, &start, &client_fd, diagnostic);
    connection->link.host.sandbox = config->toolchain->sandbox;
    connection->link.host.executable = config->program->executable;
    connection->link.host.naming.folder = source_folder;
    connection->link.reply_limit_ns =
        is_gpu ? launch_deadline_ns(config) + GPU_SLACK_NS
               : (launch_deadline_ns(config) + REPLY_SLACK_NS) * BUSY_RATIO;
    if (error == ERROR_NONE) {
        error = start_program(connection, client_fd, arguments, argument_count, diagnostic);
    }
    descriptor_close(&client_fd);
    if (error == ERROR_NONE) {
        connection->link.watch = watch_program;
        connection->link.watched = connection->run;
        sandbox_served_by(connection->run, connection->link.device.pid);
        sandbox_hold_clock(connection->run); /* the device is not ready before the first RESUME */
        error = code_index_read(arena, &config->program->code, source_folder, &connection->code,
                                diagnostic);
    }
    if (error == ERROR_NONE) {
        error = send_configuration(connection, diagnostic);
    }
    if (error == ERROR_NONE && sandbox_program(connection->run) != 0) {
        error = device_link_peer(&connection->link, sandbox_program(connection->run), diagnostic);
    }
    if (error == ERROR_NONE && kernel != NULL) {
        error = connection_observe(connection, kernel, diagnostic);
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
    return device_link_receive(&connection->link, out_reply, diagnostic);
}

/* No product of such dimensions overflows. */
static bool is_geometry(const struct launch_geometry *geometry)
{
    for (size_t i = 0; i < 3; i++) {
        if (geometry->grid[i] == 0 || geometry->grid[i] > INT32_MAX || geometry->block[i] == 0 ||
            geometry->block[i] > UINT16_MAX) {
            return false;
        }
    }
    return true;
}

static enum error read_launch_event(struct connection *connection, const struct message *reply,
                                    struct held_launch *out_launch, struct diagnostic *diagnostic)
{
    uint64_t module = reply->words[1];
    uint64_t kernel = reply->words[2];

    if (module >= connection->code.module_count ||
        kernel >= connection->code.modules[module].kernel_count || reply->words[5] > UINT32_MAX) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device names a kernel that does not exist");
        return ERROR_INTERNAL;
    }
    out_launch->module = (uint32_t)module;
    out_launch->kernel = (uint32_t)kernel;
    control_dimensions_unpack(reply->words[3], out_launch->geometry.grid);
    control_dimensions_unpack(reply->words[4], out_launch->geometry.block);
    if (!is_geometry(&out_launch->geometry)) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device reports an impossible launch");
        return ERROR_INTERNAL;
    }
    out_launch->geometry.dynamic_shared_bytes = (uint32_t)reply->words[5];
    out_launch->is_cooperative = reply->words[7] != 0;
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

/* The program has broken the protocol, and is stopped. */
static void break_off(struct connection *connection, const char *message)
{
    connection->is_broken = true;
    connection->broken_message = message;
    connection_stop(connection);
}

static void mark_broken(struct connection *connection, const struct message *reply)
{
    size_t length = reply->payload_bytes < 500 ? reply->payload_bytes : 500;
    const char *message =
        length == 0 ? "" : arena_strndup(connection->arena, reply->payload, length);

    connection->foreign_module = reply->words[1] == 1;
    connection->forked_channel = reply->words[1] == 2;
    break_off(connection, text_is_utf8(message, strlen(message)) ? message : "");
}

/* A program that is not about to end has no reason to close its channel: from then on it could do
 * nothing but pretend. */
static void note_closed_channel(struct connection *connection)
{
    if (!connection->program_ended && !program_is_leaving(sandbox_program(connection->run))) {
        break_off(connection, "it closed the channel and kept running");
    }
}

/* Lets the program go on until the device has something to tell. */
static enum error resume_once(struct connection *connection, struct message *out_reply,
                              struct diagnostic *diagnostic)
{
    sandbox_release_clock(connection->run);
    enum error error = device_link_send_resume(&connection->link, diagnostic);

    if (error == ERROR_NONE) {
        error = await_event(connection, out_reply, diagnostic);
    }
    sandbox_hold_clock(connection->run);
    if (error == ERROR_NONE && out_reply->status != 0) {
        diagnostic_set(diagnostic, BLAME_GRADER, "device: cannot continue: %s",
                       error_text((enum error)out_reply->status));
        return ERROR_INTERNAL;
    }
    return error;
}

static enum error read_mark(const struct message *reply, struct connection_event *out_event,
                            struct diagnostic *diagnostic)
{
    if (reply->words[1] >= CLIENT_MARKS || reply->payload_bytes > CLIENT_MARK_BYTES) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device reports an unknown mark");
        return ERROR_PEER;
    }
    out_event->mark = (enum client_mark)reply->words[1];
    out_event->address = reply->words[2];
    memset(out_event->name, 0, sizeof out_event->name);
    if (reply->payload_bytes > 0) {
        memcpy(out_event->name, reply->payload, reply->payload_bytes);
    }
    return ERROR_NONE;
}

static enum error read_event(struct connection *connection, const struct message *reply,
                             struct connection_event *out_event, struct diagnostic *diagnostic)
{
    out_event->kind = (enum control_event)reply->words[0];
    switch (out_event->kind) {
    case CONTROL_EVENT_LAUNCH:
        return read_launch_event(connection, reply, &out_event->launch, diagnostic);
    case CONTROL_EVENT_MARKER:
        return read_mark(reply, out_event, diagnostic);
    case CONTROL_EVENT_GONE:
        note_closed_channel(connection);
        return ERROR_NONE;
    case CONTROL_EVENT_BROKEN:
        mark_broken(connection, reply);
        return ERROR_NONE;
    default:
        diagnostic_set(diagnostic, BLAME_GRADER, "the device reports an unknown event");
        return ERROR_INTERNAL;
    }
}

/* Of a program that has ended a device has no more to tell than what was under way; false: it does.
 */
static bool is_in_time(struct connection *connection)
{
    return !connection->program_ended || ++connection->late_events <= LATE_EVENTS_MAX;
}

enum error connection_resume(struct connection *connection, struct connection_event *out_event,
                             struct diagnostic *diagnostic)
{
    struct message reply;
    enum error error = ERROR_NONE;

    memset(out_event, 0, sizeof *out_event);
    do {
        error = resume_once(connection, &reply, diagnostic);
        if (error == ERROR_NONE && !is_in_time(connection)) {
            break_off(connection, "it left more data in the channel than a channel can hold");
            out_event->kind = CONTROL_EVENT_BROKEN;
            return ERROR_NONE;
        }
        if (error == ERROR_NONE && reply.words[0] == CONTROL_EVENT_RESOURCES) {
            error = answer_resources(connection, reply.words[1], diagnostic);
        }
    } while (error == ERROR_NONE && reply.words[0] == CONTROL_EVENT_RESOURCES);
    if (connection->link.loss != DEVICE_SERVES) {
        connection_stop(connection);
        out_event->kind = CONTROL_EVENT_GONE;
        return ERROR_NONE;
    }
    return error == ERROR_NONE ? read_event(connection, &reply, out_event, diagnostic) : error;
}

/* The payload of a timing's reply: samples, then findings. */
static enum error read_timing(struct connection *connection, const struct message *reply,
                              struct timing_sample *out_samples, struct timing_reply *out_reply)
{
    const uint8_t *bytes = reply->payload;
    uint64_t samples = reply->words[2];
    uint64_t findings = reply->words[3];

    if (reply->words[0] > LAUNCH_UNSUPPORTED || reply->words[1] >= TIMING_CONTENDERS_MAX ||
        samples > TIMING_SAMPLES_MAX || findings > reply->payload_bytes / FINDING_RECORD_BYTES ||
        reply->payload_bytes != samples * TIMING_SAMPLE_BYTES + findings * FINDING_RECORD_BYTES) {
        return ERROR_SYNTAX;
    }
    for (size_t i = 0; i < samples; i++, bytes += TIMING_SAMPLE_BYTES) {
        if (!timing_sample_unpack(bytes, &out_samples[i])) {
            return ERROR_SYNTAX;
        }
    }
    struct finding *seen = arena_array(connection->arena, findings + 1, sizeof *seen);
    size_t seen_count = 0;
    for (size_t i = 0; i < findings; i++, bytes += FINDING_RECORD_BYTES) {
        struct finding_record record;
        if (!finding_record_unpack(bytes, &record)) {
            return ERROR_SYNTAX;
        }
        /* Kernels of the grader's own have no sources to point at; `contender` tells of them. */
        if (record.module < connection->code.module_count) {
            if (!finding_from_record(connection->arena, &connection->code, "", &record,
                                     &seen[seen_count])) {
                return ERROR_SYNTAX;
            }
            seen_count++;
        }
    }
    *out_reply = (struct timing_reply){
        .status = (enum launch_status)reply->words[0],
        .contender = (uint32_t)reply->words[1],
        .sample_count = samples,
        .findings = seen,
        .finding_count = seen_count,
        .copy_bandwidth = (double)reply->words[4],
    };
    return ERROR_NONE;
}

/* How long the device may take for a timing: as long as its launches may, within reason. */
static uint64_t timing_limit_ns(const struct connection *connection,
                                const struct timing_request *request)
{
    uint64_t launches = (uint64_t)request->block_count * request->contender_count * 2 + 1;
    uint64_t limit_ns = 0;

    if (__builtin_mul_overflow(launches, request->launches_per_span, &launches) ||
        __builtin_mul_overflow(launches, launch_deadline_ns(connection->config), &limit_ns) ||
        limit_ns > TIMING_MAX_NS) {
        limit_ns = TIMING_MAX_NS;
    }
    return limit_ns + connection->link.reply_limit_ns;
}

enum error connection_time(struct connection *connection, const struct timing_request *request,
                           struct timing_sample out_samples[TIMING_SAMPLES_MAX],
                           struct timing_reply *out_reply, struct diagnostic *diagnostic)
{
    uint64_t usual_ns = connection->link.reply_limit_ns;
    struct message reply;
    struct text packed;

    text_init(&packed);
    timing_request_pack(request, &packed);
    const struct message message = {
        .type = CONTROL_TIME, .payload = packed.bytes, .payload_bytes = packed.length};
    connection->link.reply_limit_ns = timing_limit_ns(connection, request);
    enum error error = connection_call(connection, &message, &reply, diagnostic);
    connection->link.reply_limit_ns = usual_ns;
    text_release(&packed);
    if (connection->link.loss != DEVICE_SERVES) {
        *out_reply = (struct timing_reply){
            .status = connection->link.loss == DEVICE_HUNG ? LAUNCH_DEADLINE : LAUNCH_FAULT,
            .contender = request->judged,
        };
        return ERROR_NONE;
    }
    if (error == ERROR_NONE) {
        error = read_timing(connection, &reply, out_samples, out_reply);
        if (error != ERROR_NONE) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the device's timing cannot be read");
            error = ERROR_PEER;
        }
    }
    return error;
}

void connection_write(struct connection *connection, const char *bytes, size_t length)
{
    sandbox_write(connection->run, bytes, length);
}

void connection_close_input(struct connection *connection)
{
    sandbox_close_input(connection->run);
}

void session_note_use(struct session_account *account, const struct program_activity *activity)
{
    enum ending ending = activity->end.ending;

    account->work += activity->work;
    account->was_timed_out =
        account->was_timed_out || ending == ENDING_WALL_LIMIT || ending == ENDING_CPU_LIMIT;
}

enum error connection_finish(struct connection *connection, const char *launch_id,
                             struct program_activity *out_activity, struct diagnostic *diagnostic)
{
    memset(out_activity, 0, sizeof *out_activity);
    if (!connection->program_ended) {
        /* The channel is closed, the program may still be on its way out. */
        sandbox_release_clock(connection->run);
    }
    enum error error = sandbox_wait(connection->run, diagnostic);
    connection->program_ended = true;
    if (error != ERROR_NONE) {
        return error;
    }
    out_activity->end = run_end(sandbox_end(connection->run));
    connection->link.operands = &connection->operands;
    error = device_link_log(&connection->link, connection->arena, &connection->code, launch_id,
                            out_activity, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    if (connection->config->account != NULL) {
        session_note_use(connection->config->account, out_activity);
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
    out_activity->forked_channel = connection->forked_channel;
    out_activity->device_is_confined = (connection->link.confinement & CONTROL_CONFINED_CALLS) != 0;
    out_activity->protocol_message = connection->is_broken ? connection->broken_message : "";
    return ERROR_NONE;
}

void connection_close(struct connection *connection)
{
    connection->link.watch = NULL;
    sandbox_run_free(connection->run);
    connection->run = NULL;
    device_link_close(&connection->link);
}
