/* server_control.c: one request of the grader other than RESUME. */
#include "device/server_state.h"
#include "occupancy/gpu_model_record.h"
#include "wire/step_record.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum error (*control_handler)(struct server *server, const struct message *request,
                                      struct message *reply, struct diagnostic *diagnostic);

/* Copies the name in a payload; false if it is too long. */
static bool copy_name(const struct message *request, char *out_name, size_t capacity)
{
    if (request->payload_bytes >= capacity) {
        return false;
    }
    memcpy(out_name, request->payload, request->payload_bytes);
    out_name[request->payload_bytes] = '\0';
    return true;
}

/* Reads which device is meant: a model of the emulated one, or the name of a real one. */
static enum error read_device(struct server *server, const struct message *request,
                              struct device_config *config, struct diagnostic *diagnostic)
{
    bool is_gpu = (request->words[5] & CONTROL_DEVICE_GPU) != 0;

    if (is_gpu && server->devices->gpu == NULL) {
        diagnostic_set(diagnostic, BLAME_GRADER, "this device process cannot use a real GPU");
        return ERROR_UNSUPPORTED;
    }
    if (is_gpu && !copy_name(request, server->gpu, sizeof(server->gpu))) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the GPU's name has %zu bytes; at most %zu fit",
                       request->payload_bytes, sizeof(server->gpu) - 1);
        return ERROR_INTERNAL;
    }
    if (!is_gpu && !gpu_model_unpack(request->payload, request->payload_bytes, &config->model)) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the GPU model cannot be read");
        return ERROR_INTERNAL;
    }
    config->gpu = is_gpu ? server->gpu : NULL;
    return ERROR_NONE;
}

static enum error configure(struct server *server, const struct message *request,
                            struct message *reply, struct diagnostic *diagnostic)
{
    bool is_gpu = (request->words[5] & CONTROL_DEVICE_GPU) != 0;
    struct device_config config = {
        .memory_limit_bytes = request->words[0],
        .launch_deadline_ns = request->words[1],
        .threads = (uint32_t)request->words[2],
        .is_unwanted = server_is_asked,
        .unwanted_context = server,
        .checks_global_races = (request->words[5] & CONTROL_DEVICE_GLOBAL_RACES) != 0,
        .checks_streams = (request->words[5] & CONTROL_DEVICE_STREAMS) != 0,
        .checks_unwritten = (request->words[5] & CONTROL_DEVICE_UNWRITTEN) != 0,
        .shuffle_seed = request->words[6],
        .cpu_limit_ns = request->words[7],
    };

    server->takes_modules = (request->words[5] & CONTROL_DEVICE_LOADS) != 0;
    if (server->device != NULL) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device is configured already");
        return ERROR_INTERNAL;
    }
    enum error error = read_device(server, request, &config, diagnostic);
    if (error == ERROR_NONE) {
        error = device_open(is_gpu ? server->devices->gpu : server->devices->emulated, &config,
                            &server->device, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    server->is_gpu = is_gpu;
    server->config = config;
    if (is_gpu) {
        server->config.model = *server->devices->gpu_model(device_state(server->device));
    }
    server->launch_work = request->words[8];
    server->total_work = request->words[9];
    server->section_address = request->words[3];
    server->section_bytes = request->words[4];
    if (server->devices->confine != NULL) {
        bool has_own_user = (request->words[5] & CONTROL_DEVICE_OWN_USER) != 0;
        reply->words[0] = server->devices->confine(&config, has_own_user);
    }
    return ERROR_NONE;
}

static enum error allow_work(struct server *server, const struct message *request,
                             struct message *reply, struct diagnostic *diagnostic)
{
    (void)reply;
    (void)diagnostic;
    server->launch_work = request->words[0];
    return ERROR_NONE;
}

static enum error set_peer(struct server *server, const struct message *request,
                           struct message *reply, struct diagnostic *diagnostic)
{
    (void)reply;
    if (request->words[0] == 0 || request->words[0] > INT32_MAX) {
        diagnostic_set(diagnostic, BLAME_GRADER, "%llu is not the number of a process",
                       (unsigned long long)request->words[0]);
        return ERROR_RANGE;
    }
    server->peer = (pid_t)request->words[0];
    return ERROR_NONE;
}

/* A real GPU knows the registers of its machine code, whoever assembled it. */
static void note_own_registers(const struct server *server, uint32_t module, uint32_t function,
                               struct server_kernel *kernel)
{
    struct device_function_info info;

    if (device_function_info(server->device, module, function, &info) && info.registers > 0) {
        kernel->has_registers = true;
        kernel->registers = kernel->own_registers = info.registers;
        kernel->local_bytes = info.local_bytes;
        kernel->constant_bytes = info.constant_bytes;
    }
}

static void add_module(struct server *server, uint64_t offset, size_t kernel_count)
{
    if (server->module_count == server->module_capacity) {
        size_t capacity = server->module_capacity == 0 ? 8 : server->module_capacity * 2;
        struct server_module *grown = realloc(server->modules, capacity * sizeof(*server->modules));
        if (grown == NULL) {
            abort();
        }
        server->modules = grown;
        server->module_capacity = capacity;
    }
    struct server_kernel *kernels = calloc(kernel_count + 1, sizeof(*kernels));
    if (kernels == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < kernel_count; i++) {
        note_own_registers(server, (uint32_t)server->module_count, i, &kernels[i]);
    }
    server->modules[server->module_count++] = (struct server_module){
        .offset = offset,
        .is_own = offset == CONTROL_OWN_MODULE,
        .kernels = kernels,
        .kernel_count = kernel_count,
    };
}

/* For the program, if it is its module. */
static void note_load_problem(struct server *server, const struct diagnostic *diagnostic)
{
    char place[32] = "";

    if (diagnostic->line > 0) {
        snprintf(place, sizeof(place), "line %d of the PTX: ", diagnostic->line);
    }
    snprintf(server->load_problem, sizeof(server->load_problem), "%s%.200s", place,
             diagnostic->message);
}

static enum error load_module(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic)
{
    const char *text = request->payload;
    size_t text_bytes = (size_t)request->words[1];
    uint32_t module = 0;

    if (request->words[1] > request->payload_bytes) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "a module with %llu bytes of text in a payload of %zu bytes",
                       (unsigned long long)request->words[1], request->payload_bytes);
        return ERROR_INTERNAL;
    }
    enum error error = device_load_image(server->device, text, text_bytes, text + text_bytes,
                                         request->payload_bytes - text_bytes, &module, diagnostic);
    if (error != ERROR_NONE) {
        note_load_problem(server, diagnostic);
        return error;
    }
    if (module != server->module_count) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the backend numbers its modules out of order");
        return ERROR_INTERNAL;
    }
    add_module(server, request->words[0], device_function_count(server->device, module));
    server->is_loaded = request->words[0] == CONTROL_LOADED_MODULE;
    reply->words[0] = module;
    if (server->modules[module].is_own) {
        return server_hide_variables(server, module, text, text_bytes, diagnostic);
    }
    return ERROR_NONE;
}

/* The module that words[0] names. */
static struct server_module *find_module(struct server *server, const struct message *request,
                                         struct diagnostic *diagnostic)
{
    if (request->words[0] >= server->module_count) {
        diagnostic_set(diagnostic, BLAME_GRADER, "module %llu does not exist; there are %zu",
                       (unsigned long long)request->words[0], server->module_count);
        return NULL;
    }
    return &server->modules[request->words[0]];
}

/* The kernel of a module with a mangled name; NULL if there is none. */
static struct server_kernel *find_kernel(struct server *server, uint64_t module, const char *name)
{
    for (uint32_t i = 0; i < server->modules[module].kernel_count; i++) {
        struct device_function_info info;

        if (device_function_info(server->device, (uint32_t)module, i, &info) &&
            strcmp(info.name, name) == 0) {
            return &server->modules[module].kernels[i];
        }
    }
    return NULL;
}

static enum error observe(struct server *server, const struct message *request,
                          struct message *reply, struct diagnostic *diagnostic)
{
    char name[4097];

    if (find_module(server, request, diagnostic) == NULL) {
        return ERROR_RANGE;
    }
    copy_name(request, name, sizeof(name));
    struct server_kernel *kernel = find_kernel(server, request->words[0], name);
    if (kernel == NULL) {
        diagnostic_set(diagnostic, BLAME_GRADER, "no kernel is called %.200s", name);
        return ERROR_NOT_FOUND;
    }
    kernel->is_observed = request->words[1] != 0;
    kernel->passes = request->words[2];
    reply->words[0] = kernel->launches;
    reply->words[1] = kernel->last_launch;
    return ERROR_NONE;
}

static enum error resources(struct server *server, const struct message *request,
                            struct message *reply, struct diagnostic *diagnostic)
{
    struct server_module *module = find_module(server, request, diagnostic);
    struct control_resources record;
    size_t cursor = 0;

    (void)reply;
    if (module == NULL) {
        return ERROR_RANGE;
    }
    while (control_resources_unpack(request->payload, request->payload_bytes, &cursor, &record)) {
        struct server_kernel *kernel = find_kernel(server, request->words[0], record.name);

        if (kernel != NULL) {
            kernel->has_registers = true;
            kernel->registers =
                kernel->own_registers > 0 ? kernel->own_registers : record.registers;
            kernel->first_registers = record.first_registers;
            kernel->local_bytes = record.local_bytes;
            kernel->constant_bytes = record.constant_bytes;
        }
    }
    if (cursor != request->payload_bytes) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the resources are not valid records at byte %zu",
                       cursor);
        return ERROR_SYNTAX;
    }
    module->has_resources = true;
    return ERROR_NONE;
}

static enum error bad_range(const struct message *request, struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_GRADER,
                   "the range at 0x%llx is not within one live allocation",
                   (unsigned long long)request->words[0]);
    return ERROR_RANGE;
}

static enum error read_memory(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic)
{
    uint64_t address = request->words[0], length = request->words[1];
    struct device_allocation found;

    if (length == 0) {
        return ERROR_NONE;
    }
    /* Checked before the buffer is made. */
    if (length > control_format(CONTROL_READ)->reply_payload_max ||
        !device_find(server->device, address, &found) || length > found.bytes) {
        return bad_range(request, diagnostic);
    }
    text_clear(&server->bytes);
    text_append_repeated(&server->bytes, '\0', (size_t)length);
    if (!device_read(server->device, address, server->bytes.bytes, (size_t)length)) {
        return bad_range(request, diagnostic);
    }
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = (size_t)length;
    return ERROR_NONE;
}

static enum error write_memory(struct server *server, const struct message *request,
                               struct message *reply, struct diagnostic *diagnostic)
{
    (void)reply;
    if (request->payload_bytes > 0 && !device_write(server->device, request->words[0],
                                                    request->payload, request->payload_bytes)) {
        return bad_range(request, diagnostic);
    }
    return ERROR_NONE;
}

static enum error fill_memory(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic)
{
    (void)reply;
    if (request->words[1] > 0 && !device_fill(server->device, request->words[0], request->words[1],
                                              (uint32_t)request->words[2], 4)) {
        return bad_range(request, diagnostic);
    }
    return ERROR_NONE;
}

static enum error find_memory(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic)
{
    struct device_allocation found;

    if (!device_find(server->device, request->words[0], &found)) {
        diagnostic_set(diagnostic, BLAME_GRADER, "there is no live allocation at 0x%llx",
                       (unsigned long long)request->words[0]);
        return ERROR_NOT_FOUND;
    }
    reply->words[0] = found.address;
    reply->words[1] = found.bytes;
    reply->words[2] = found.is_module_variable;
    reply->words[3] = server_may_share(server, found.address);
    return ERROR_NONE;
}

static enum error allocate(struct server *server, const struct message *request,
                           struct message *reply, struct diagnostic *diagnostic)
{
    if (request->words[0] == 0) {
        diagnostic_set(diagnostic, BLAME_GRADER, "an allocation of 0 bytes");
        return ERROR_RANGE;
    }
    return device_allocate(server->device, request->words[0], &reply->words[0], diagnostic);
}

static enum error find_symbol(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic)
{
    struct device_allocation variable;
    char name[4097];

    if (find_module(server, request, diagnostic) == NULL) {
        return ERROR_RANGE;
    }
    copy_name(request, name, sizeof(name));
    if (!device_variable(server->device, (uint32_t)request->words[0], name, &variable)) {
        diagnostic_set(diagnostic, BLAME_GRADER, "no variable is called %.200s", name);
        return ERROR_NOT_FOUND;
    }
    reply->words[0] = variable.address;
    reply->words[1] = variable.bytes;
    return ERROR_NONE;
}

static enum error take_snapshot(struct server *server, const struct message *request,
                                struct message *reply, struct diagnostic *diagnostic)
{
    (void)request;
    (void)reply;
    enum error error = device_snapshot(server->device, diagnostic);

    server->has_snapshot = server->has_snapshot || error == ERROR_NONE;
    return error;
}

static enum error need_snapshot(const struct server *server, struct diagnostic *diagnostic)
{
    if (!server->has_snapshot) {
        diagnostic_set(diagnostic, BLAME_GRADER, "there is no snapshot; take one first");
        return ERROR_INTERNAL;
    }
    return ERROR_NONE;
}

static enum error restore_snapshot(struct server *server, const struct message *request,
                                   struct message *reply, struct diagnostic *diagnostic)
{
    enum error error = need_snapshot(server, diagnostic);

    (void)request;
    (void)reply;
    if (error == ERROR_NONE) {
        device_restore(server->device);
    }
    return error;
}

static enum error discard_snapshot(struct server *server, const struct message *request,
                                   struct message *reply, struct diagnostic *diagnostic)
{
    enum error error = need_snapshot(server, diagnostic);

    (void)request;
    (void)reply;
    if (error == ERROR_NONE) {
        device_discard(server->device);
        server->has_snapshot = false;
    }
    return error;
}

/* Appends what a launch was counted to, all of it or nothing. */
static bool pack_counts(struct server *server, const struct device_launch_result *result,
                        uint64_t *out_count)
{
    size_t left = control_format(CONTROL_PROBE)->reply_payload_max - server->bytes.length;

    *out_count = 0;
    if (!result->is_counted || result->count_count > left / COUNT_RECORD_BYTES) {
        return false;
    }
    for (size_t i = 0; i < result->count_count; i++) {
        uint8_t record[COUNT_RECORD_BYTES];

        count_record_pack(&result->counts[i], record);
        text_append_bytes(&server->bytes, record, sizeof(record));
    }
    *out_count = result->count_count;
    return true;
}

_Static_assert((size_t)FINDING_RECORDS_MAX *FINDING_RECORD_BYTES <= PROBE_FINDING_BYTES,
               "all findings of a launch fit in a reply");

static enum error probe(struct server *server, const struct message *request, struct message *reply,
                        struct diagnostic *diagnostic)
{
    struct device_launch_result result;

    if (server->step != SERVER_STEP_LAUNCH) {
        diagnostic_set(diagnostic, BLAME_GRADER, "no launch is held, so nothing can be probed");
        return ERROR_INTERNAL;
    }
    memset(&result, 0, sizeof(result));
    server_allow_work(server, &server->held.launch);
    struct device_launch launch = server->held.launch;
    launch.order_seed = request->words[0];
    launch.asks_order = request->words[1] != 0;
    server_let_stand_in(server, &launch);
    device_launch(server->device, &launch, &result);
    server->work += result.counters.work;
    server_note_end(server, result.status);
    size_t count = result.finding_count;
    assert(count <= FINDING_RECORDS_MAX);
    text_clear(&server->bytes);
    for (size_t i = 0; i < count; i++) {
        uint8_t record[FINDING_RECORD_BYTES];

        finding_record_pack(&result.findings[i], record);
        text_append_bytes(&server->bytes, record, sizeof(record));
    }
    reply->words[0] = result.status;
    reply->words[1] = result.counters.lane_instructions;
    reply->words[2] = count;
    reply->words[4] = pack_counts(server, &result, &reply->words[3]);
    reply->words[5] = result.counters.warp_instructions;
    reply->words[6] = result.counters.barriers;
    reply->words[7] = result.counters.work;
    reply->words[8] = result.order_can_matter;
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = server->bytes.length;
    return ERROR_NONE;
}

static enum error trace_block(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic)
{
    struct device_trace trace;

    memset(&trace, 0, sizeof(trace));
    if (server->step != SERVER_STEP_LAUNCH || request->words[1] == 0) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "a trace of %llu bytes; expected at least 1, and a launch that is held",
                       (unsigned long long)request->words[1]);
        return ERROR_INTERNAL;
    }
    enum error error = need_snapshot(server, diagnostic);
    if (error == ERROR_NONE) {
        server_allow_work(server, &server->held.launch);
        error = device_trace_block(server->device, &server->held.launch, request->words[0],
                                   request->words[1], &trace, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    reply->words[0] = trace.status;
    if (trace.status == LAUNCH_DONE) {
        reply->words[1] = trace.block;
        reply->words[2] = trace.wrote;
        reply->words[3] = trace.has_all;
        reply->words[4] = trace.record_count;
        reply->words[5] = trace.place_count;
        reply->payload = trace.records;
        reply->payload_bytes =
            trace.record_count * TRACE_RECORD_BYTES + trace.place_count * TRACE_PLACE_BYTES;
    }
    return ERROR_NONE;
}

static enum error stand_in(struct server *server, const struct message *request,
                           struct message *reply, struct diagnostic *diagnostic)
{
    const struct server_module *module = find_module(server, request, diagnostic);

    (void)reply;
    if (module == NULL) {
        return ERROR_RANGE;
    }
    if (request->words[1] >= module->kernel_count || request->words[2] >= module->kernel_count) {
        diagnostic_set(diagnostic, BLAME_GRADER, "a kernel that does not exist");
        return ERROR_RANGE;
    }
    module->kernels[request->words[1]].stand_in = (uint32_t)request->words[2];
    module->kernels[request->words[1]].has_stand_in = true;
    return ERROR_NONE;
}

static enum error watch_steps(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic)
{
    struct device_step_wish wish = {.has_block = request->words[1] != 0};
    const struct server_module *module = find_module(server, request, diagnostic);
    char name[4097];

    (void)reply;
    if (module == NULL) {
        return ERROR_RANGE;
    }
    copy_name(request, name, sizeof(name));
    const struct server_kernel *kernel = find_kernel(server, request->words[0], name);
    if (kernel == NULL) {
        diagnostic_set(diagnostic, BLAME_GRADER, "no kernel is called %.200s", name);
        return ERROR_NOT_FOUND;
    }
    control_dimensions_unpack(request->words[2], wish.block);
    device_watch_steps(server->device, (uint32_t)request->words[0],
                       (uint32_t)(kernel - module->kernels), &wish);
    return ERROR_NONE;
}

static enum error report_steps(struct server *server, const struct message *request,
                               struct message *reply, struct diagnostic *diagnostic)
{
    struct device_steps steps;

    (void)request;
    (void)diagnostic;
    device_steps(server->device, &steps);
    if (!steps.is_there) {
        return ERROR_NONE;
    }
    reply->words[0] = steps.has_finding ? 3 : 1;
    reply->words[1] = (uint64_t)steps.module << 32 | steps.function;
    reply->words[2] = control_dimensions_pack(steps.grid);
    reply->words[3] = control_dimensions_pack(steps.block);
    reply->words[4] = control_dimensions_pack(steps.block_index);
    reply->words[5] = steps.shared_bytes;
    reply->words[6] = steps.kept;
    reply->words[7] = steps.total;
    reply->words[8] = steps.place_count;
    reply->words[9] = steps.region_count;
    reply->payload = steps.records;
    reply->payload_bytes = steps.record_bytes + steps.place_count * TRACE_PLACE_BYTES +
                           steps.region_count * STEP_REGION_BYTES;
    return ERROR_NONE;
}

/* The site of the program's last request, if it has made many there; 0: it has not. */
static uint64_t busy_site(const struct server *server)
{
    const uint32_t last = server->last_site;

    return last > 0 && server->sites[last - 1].requests >= SERVER_BUSY_REQUESTS ? last : 0;
}

static enum error report_log(struct server *server, const struct message *request,
                             struct message *reply, struct diagnostic *diagnostic)
{
    size_t findings = 0, errors = 0;

    (void)request;
    (void)diagnostic;
    text_clear(&server->bytes);
    server_log_pack(&server->log, &server->bytes, &findings, &errors);
    server_pack_sites(server, &server->bytes);
    server_pack_conflicts(server, &server->bytes);
    reply->words[0] = server->log.launches;
    reply->words[1] = findings;
    reply->words[2] = errors;
    reply->words[3] = server->crash_address;
    reply->words[4] = server->has_reported_times ? 1 : 0;
    reply->words[5] = server->work;
    reply->words[6] = server->has_crash_address ? 1 : 0;
    reply->words[7] = server->site_count;
    reply->words[8] = server->crash_site | busy_site(server) << 32;
    reply->words[9] = server->conflict_count;
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = server->bytes.length;
    return ERROR_NONE;
}

static const control_handler control_handlers[CONTROL_COUNT] = {
    [CONTROL_WORK] = allow_work,
    [CONTROL_PEER] = set_peer,
    [CONTROL_GPUS] = server_list_gpus,
    [CONTROL_CONFIGURE] = configure,
    [CONTROL_MODULE] = load_module,
    [CONTROL_OBSERVE] = observe,
    [CONTROL_RESOURCES] = resources,
    [CONTROL_READ] = read_memory,
    [CONTROL_WRITE] = write_memory,
    [CONTROL_FILL] = fill_memory,
    [CONTROL_FIND] = find_memory,
    [CONTROL_SYMBOL] = find_symbol,
    [CONTROL_SNAPSHOT] = take_snapshot,
    [CONTROL_RESTORE] = restore_snapshot,
    [CONTROL_DISCARD] = discard_snapshot,
    [CONTROL_PROBE] = probe,
    [CONTROL_TIME] = server_time,
    [CONTROL_LOG] = report_log,
    [CONTROL_TRACE] = trace_block,
    [CONTROL_CALL] = server_call_begin,
    [CONTROL_CALL_END] = server_call_end,
    [CONTROL_ALLOCATE] = allocate,
    [CONTROL_CALL_FILE] = server_result_file,
    [CONTROL_CALL_RESULT] = server_result_read,
    [CONTROL_STAND_IN] = stand_in,
    [CONTROL_STEPS_WATCH] = watch_steps,
    [CONTROL_ORIGIN] = server_find_origin,
    [CONTROL_TERMS] = server_find_terms,
    [CONTROL_FATE] = server_find_fate,
    [CONTROL_STEPS] = report_steps,
};

void server_control(struct server *server, const struct message *request, struct message *out_reply)
{
    struct message reply = {.type = request->type};
    struct diagnostic diagnostic = {.message = ""};
    control_handler handler = control_handlers[request->type];
    enum error error;

    if (handler == NULL) {
        diagnostic_set(&diagnostic, BLAME_GRADER, "RESUME belongs to the loop, not to a handler");
        error = ERROR_INTERNAL;
    } else if (server->device == NULL && request->type != CONTROL_CONFIGURE &&
               request->type != CONTROL_GPUS) {
        diagnostic_set(&diagnostic, BLAME_GRADER,
                       "the device is not configured; send CONFIGURE first");
        error = ERROR_INTERNAL;
    } else {
        error = handler(server, request, &reply, &diagnostic);
    }
    if (error != ERROR_NONE) {
        text_clear(&server->bytes);
        text_append_bytes(&server->bytes, diagnostic.message,
                          strnlen(diagnostic.message, sizeof(diagnostic.message) - 1));
        reply = (struct message){
            .type = request->type,
            .status = error,
            .payload = server->bytes.bytes,
            .payload_bytes = server->bytes.length,
        };
    }
    *out_reply = reply;
}
