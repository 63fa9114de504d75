/* recorded_call.c: see recorded_call.h. */
#include "session/recorded_call.h"

#include "base/device_window.h"
#include "model/kernel_pattern.h"
#include "session/judged_call.h"
#include "wire/call_record.h"
#include "wire/little_endian.h"

#include <string.h>

/* Notes the allocation at an address, if it is one of the program's. */
static enum error note_address(struct connection *connection, const struct rubric_launch *launch,
                               const struct bound_launch *bound, uint64_t address,
                               struct recorded_call *call, struct diagnostic *diagnostic)
{
    const struct message find = {.type = CONTROL_FIND, .words = {address}};
    struct message reply;

    for (size_t i = 0; i < call->memory_count; i++) {
        if (address - call->memory[i].start < call->memory[i].bytes) {
            return ERROR_NONE;
        }
    }
    if (!is_in_device_window(address)) {
        return ERROR_NONE;
    }
    enum error error = connection_call(connection, &find, &reply, diagnostic);
    if (error != ERROR_NONE || reply.words[2] != 0) {
        return error == ERROR_NOT_FOUND ? ERROR_NONE : error;
    }
    if (call->memory_count == RECORDED_MEMORY_MAX) {
        call->unrepeatable = "uses too many allocations";
        return ERROR_NONE;
    }
    struct recorded_memory *memory = &call->memory[call->memory_count++];
    *memory = (struct recorded_memory){reply.words[0], reply.words[1], SIZE_MAX};
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (bound->allocations[i] == memory->start) {
            memory->operand = i;
        }
    }
    return ERROR_NONE;
}

/* Notes all memory that the parameters of a launch may point to. */
static enum error note_parameters(struct connection *connection, const struct rubric_launch *launch,
                                  const struct bound_launch *bound,
                                  const struct recorded_step *step, struct recorded_call *call,
                                  struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < step->kernel->parameter_count; i++) {
        const struct code_parameter *parameter = &step->kernel->parameters[i];
        uint64_t end = parameter->offset + parameter->bytes;
        for (uint64_t at = parameter->offset; at + 8 <= end && error == ERROR_NONE; at += 8) {
            if (at + 8 <= step->step.parameter_bytes) {
                error = note_address(connection, launch, bound,
                                     little_get_u64(step->parameters + at), call, diagnostic);
            }
        }
    }
    return error;
}

static enum error note_memory(struct connection *connection, const struct rubric_launch *launch,
                              const struct bound_launch *bound, struct recorded_call *call,
                              struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    memcpy(call->operands, bound->addresses, sizeof bound->addresses);
    for (size_t i = 0; i < launch->operand_count && error == ERROR_NONE; i++) {
        error = note_address(connection, launch, bound, bound->addresses[i], call, diagnostic);
    }
    for (size_t i = 0; i < call->step_count && error == ERROR_NONE; i++) {
        const struct recorded_step *step = &call->steps[i];
        if (step->step.kind == TIMING_LAUNCH) {
            error = note_parameters(connection, launch, bound, step, call, diagnostic);
            continue;
        }
        error = note_address(connection, launch, bound, step->step.to, call, diagnostic);
        if (error == ERROR_NONE && step->step.kind == TIMING_COPY && step->uploaded == NULL) {
            error = note_address(connection, launch, bound, step->step.from, call, diagnostic);
        }
    }
    return error;
}

/* Reads one step; false if it cannot be read. */
static bool read_step(struct connection *connection, const uint8_t **bytes, size_t *left,
                      struct recorded_step *out_step)
{
    struct call_step_record record;

    if (*left < CALL_STEP_RECORD_BYTES) {
        return false;
    }
    call_step_record_unpack(*bytes, &record);
    *bytes += CALL_STEP_RECORD_BYTES;
    *left -= CALL_STEP_RECORD_BYTES;
    const struct code_index *code = &connection->code;
    bool is_launch = record.kind == CALL_STEP_LAUNCH;
    bool is_upload = record.kind == CALL_STEP_UPLOAD;
    if (record.kind > CALL_STEP_UPLOAD || record.parameter_bytes > *left ||
        (is_upload && record.parameter_bytes != record.bytes) ||
        record.parameter_bytes > CLIENT_PARAMETERS_BYTES || record.value > UINT8_MAX ||
        (is_launch && (record.module >= code->module_count ||
                       record.function >= code->modules[record.module].kernel_count))) {
        return false;
    }
    *out_step = (struct recorded_step){
        .step = {.kind = is_launch                                    ? TIMING_LAUNCH
                         : record.kind == CALL_STEP_COPY || is_upload ? TIMING_COPY
                                                                      : TIMING_SET,
                 .module = (uint32_t)record.module,
                 .function = (uint32_t)record.function,
                 .dynamic_shared_bytes = (uint32_t)record.dynamic_shared_bytes,
                 .is_cooperative = record.is_cooperative != 0,
                 .parameter_bytes = is_launch ? (uint32_t)record.parameter_bytes : 0,
                 .to = record.to,
                 .from = record.from,
                 .bytes = record.bytes,
                 .value = (uint32_t)record.value},
        .parameters = *bytes,
        .uploaded = is_upload ? *bytes : NULL,
        .kernel = is_launch ? &code->modules[record.module].kernels[record.function] : NULL,
    };
    control_dimensions_unpack(record.grid, out_step->step.grid);
    control_dimensions_unpack(record.block, out_step->step.block);
    *bytes += record.parameter_bytes;
    *left -= (size_t)record.parameter_bytes;
    return true;
}

/* Reads the steps from the reply to CALL_END; there are no findings and no counts. */
static bool read_steps(struct connection *connection, const struct message *reply,
                       const uint64_t bounds[CALL_BOUNDS], struct recorded_call *call)
{
    uint8_t *copy = arena_alloc(connection->arena, reply->payload_bytes + 1);
    const uint8_t *bytes = copy;
    size_t left = reply->payload_bytes;
    struct call_record record;

    if (left < CALL_RECORD_BYTES) {
        return false;
    }
    memcpy(copy, reply->payload, left);
    call_record_unpack(bytes, &record);
    bytes += CALL_RECORD_BYTES;
    left -= CALL_RECORD_BYTES;
    if (record.findings != 0 || record.kernels != 0 || record.steps > RECORDED_STEPS_MAX) {
        return false;
    }
    for (; call->step_count < record.steps; call->step_count++) {
        if (!read_step(connection, &bytes, &left, &call->steps[call->step_count])) {
            return false;
        }
    }
    call->reads_back = record.host_reads > 0;
    if (record.shared_with_host_bytes > 0) {
        call->unrepeatable = "uses memory that the host may read, and may decide by it";
    } else if (record.host_reads > bounds[CALL_BOUND_READS] ||
               record.host_writes > bounds[CALL_BOUND_WRITES]) {
        call->unrepeatable = "copies more to the host, or from it, than may cross in a call";
    } else if (record.steps_left_out > 0) {
        call->unrepeatable = "takes too many launches, copies and sets";
    }
    return left == 0;
}

enum error call_record(struct case_walk *walk, const struct observation *observation,
                       const struct bound_launch *bound, struct recorded_call *out_call,
                       enum case_step *out_step, struct diagnostic *diagnostic)
{
    struct connection *connection = walk->connection;
    const struct rubric_launch *launch = walk->launch;
    const struct message end = {.type = CONTROL_CALL_END};
    uint8_t operands[8 * RUBRIC_OPERANDS_MAX];
    uint64_t bounds[CALL_BOUNDS];
    struct held_launch unused;
    struct message reply;

    memset(out_call, 0, sizeof *out_call);
    judged_call_bounds(connection->config->rubric, launch, observation, bounds);
    for (size_t i = 0; i < launch->operand_count; i++) {
        little_put_u64(operands + 8 * i, bound->allocations[i]);
    }
    const struct message begin = {
        .type = CONTROL_CALL,
        .words = {0, CONTROL_CALL_RECORDS, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                  UINT64_MAX},
        .payload = operands,
        .payload_bytes = 8 * launch->operand_count,
    };
    enum error error = connection_call(connection, &begin, NULL, diagnostic);
    if (error == ERROR_NONE) {
        error = case_next(walk, &unused, out_step, diagnostic);
    }
    if (error != ERROR_NONE || *out_step != CASE_OVER) {
        return error;
    }
    error = connection_call(connection, &end, &reply, diagnostic);
    if (error == ERROR_NONE && !read_steps(connection, &reply, bounds, out_call)) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the steps of a call cannot be read");
        error = ERROR_PEER;
    }
    return error == ERROR_NONE ? note_memory(connection, launch, bound, out_call, diagnostic)
                               : error;
}

enum error launch_record(struct connection *connection, const struct rubric_launch *launch,
                         const struct held_launch *held, const struct bound_launch *bound,
                         struct recorded_call *out_call, struct diagnostic *diagnostic)
{
    const struct launch_geometry *geometry = &held->geometry;
    struct recorded_step *step = &out_call->steps[0];

    memset(out_call, 0, sizeof *out_call);
    out_call->step_count = 1;
    step->kernel = &connection->code.modules[held->module].kernels[held->kernel];
    step->parameters = held->parameters;
    step->step = (struct timing_step){
        .kind = TIMING_LAUNCH,
        .module = held->module,
        .function = held->kernel,
        .dynamic_shared_bytes = geometry->dynamic_shared_bytes,
        .is_cooperative = held->is_cooperative,
        .parameter_bytes = (uint32_t)held->parameter_bytes,
    };
    memcpy(step->step.grid, geometry->grid, sizeof step->step.grid);
    memcpy(step->step.block, geometry->block, sizeof step->step.block);
    return note_memory(connection, launch, bound, out_call, diagnostic);
}

const struct recorded_step *recorded_launch(const struct recorded_call *call,
                                            const struct rubric_launch *launch)
{
    const struct recorded_step *first = NULL;

    for (size_t i = 0; i < call->step_count; i++) {
        const struct recorded_step *step = &call->steps[i];
        if (step->step.kind != TIMING_LAUNCH) {
            continue;
        }
        first = first == NULL ? step : first;
        if (launch->kernel[0] != '\0' &&
            kernel_pattern_matches(launch->kernel, step->kernel->plain_name)) {
            return step;
        }
    }
    return launch->call != NULL && launch->kernel[0] == '\0' ? first : NULL;
}

struct launch_geometry recorded_geometry(const struct recorded_step *step)
{
    struct launch_geometry geometry = {.dynamic_shared_bytes = step->step.dynamic_shared_bytes};

    memcpy(geometry.grid, step->step.grid, sizeof geometry.grid);
    memcpy(geometry.block, step->step.block, sizeof geometry.block);
    return geometry;
}
