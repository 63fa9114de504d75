/* judged_call.c: see judged_call.h. */
#include "session/judged_call.h"

#include "model/case.h"
#include "model/kernel_pattern.h"
#include "session/count_map.h"
#include "session/finding_map.h"
#include "wire/call_record.h"
#include "wire/little_endian.h"

#include <inttypes.h>
#include <string.h>

_Static_assert((int)CALL_OPERANDS_MAX == (int)RUBRIC_OPERANDS_MAX, "all operands have a place");

/* What the device says of a call that has ended. */
struct call_reply {
    struct call_record record;
    const uint8_t *findings, *kernels; /* packed records */
    size_t kernel_bytes;
};

void judged_call_fail(struct observation *observation, enum code code, const char *message)
{
    if (observation->failure == CODE_NONE) {
        observation->failure = code;
        observation->failure_message = message;
    }
}

void judged_call_fail_at(struct observation *observation, struct host_place *place, enum code code,
                         const char *message)
{
    if (observation->failure == CODE_NONE) {
        observation->failure_host = place;
    }
    judged_call_fail(observation, code, message);
}

static double value_of(const struct rubric *rubric, const struct observation *observation,
                       const struct expression *expression, double otherwise)
{
    struct case_scope scope = {
        .rubric = rubric, .parameters = observation->parameters, .block = observation->block};
    double value = otherwise;

    if (expression != NULL) {
        expression_evaluate(expression, case_lookup, &scope, &value, NULL);
    }
    return value;
}

/* Bytes of the result of a whole program; 0: the call is none. */
static uint64_t result_bytes_of(const struct rubric_launch *launch,
                                const struct observation *observation)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < launch->operand_count && launch_is_program(launch); i++) {
        if (operand_is_result(&launch->operands[i])) {
            bytes += observation->element_counts[i] * element_bytes(launch->operands[i].type);
        }
    }
    return bytes;
}

/* How many times its result a program may read back. */
enum { PROGRAM_READS = 256 };

void judged_call_bounds(const struct rubric *rubric, const struct rubric_launch *launch,
                        const struct observation *observation, uint64_t out_bounds[CALL_BOUNDS])
{
    const double launches = CALL_LAUNCH_RATIO * value_of(rubric, observation, launch->launches, 1);
    const uint64_t result_bytes = result_bytes_of(launch, observation);

    /* What a program reads back is of no use to it where the result must be the device's. */
    out_bounds[CALL_BOUND_READS] =
        (uint64_t)value_of(rubric, observation, launch->host_reads,
                           (double)(PROGRAM_READS * result_bytes + CALL_HOST_BYTES));
    out_bounds[CALL_BOUND_WRITES] =
        (uint64_t)value_of(rubric, observation, launch->host_writes, CALL_HOST_BYTES);
    out_bounds[CALL_BOUND_RESULTS] =
        launch->host_writes == NULL ? 0 : out_bounds[CALL_BOUND_WRITES];
    out_bounds[CALL_BOUND_LAUNCHES] =
        (uint64_t)(launches > CALL_LAUNCHES ? launches : CALL_LAUNCHES);
    out_bounds[CALL_BOUND_COPIES] = out_bounds[CALL_BOUND_LAUNCHES];
    out_bounds[CALL_BOUND_TOUCHES] = 0;
}

static void bounds_of(const struct judged_call *call, uint64_t out_bounds[CALL_BOUNDS])
{
    judged_call_bounds(call->session->connection->config->rubric, call->session->launch,
                       call->observation, out_bounds);
}

/* Constant memory has as many; a larger variable keeps nothing. */
enum { KEPT_BYTES_MAX = 1 << 16 };

/* The variables that keep their values, as they are before the call. */
struct kept_variables {
    struct operand_place places[RUBRIC_OPERANDS_MAX];
    void *bytes[RUBRIC_OPERANDS_MAX];
};

static enum error keep_variables(const struct judged_call *call, struct kept_variables *kept,
                                 struct diagnostic *diagnostic)
{
    struct connection *connection = call->session->connection;
    const struct rubric_launch *launch = call->session->launch;
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < launch->keep_count && error == ERROR_NONE; i++) {
        struct operand_place *place = &kept->places[i];
        error = probe_find_symbol(connection, launch->keeps[i], place, diagnostic);
        place->bytes = place->bytes <= KEPT_BYTES_MAX ? place->bytes : 0;
        kept->bytes[i] = arena_alloc(connection->arena, place->bytes + 1);
        if (error == ERROR_NONE) {
            error = connection_read_memory(connection, place->address, kept->bytes[i],
                                           (size_t)place->bytes, diagnostic);
        }
    }
    return error;
}

static enum error put_variables_back(const struct judged_call *call,
                                     const struct kept_variables *kept,
                                     struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < call->session->launch->keep_count && error == ERROR_NONE; i++) {
        error = connection_write_memory(call->session->connection, kept->places[i].address,
                                        kept->bytes[i], (size_t)kept->places[i].bytes, diagnostic);
    }
    return error;
}

/* Tells the device what the files of a program hold. */
static enum error send_files(const struct judged_call *call, struct diagnostic *diagnostic)
{
    const struct rubric_launch *launch = call->session->launch;
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < launch->operand_count; i++) {
        const size_t bytes =
            call->observation->element_counts[i] * element_bytes(launch->operands[i].type);
        bool is_file = launch->operands[i].role == OPERAND_INPUT;
        for (size_t at = 0; at < bytes && is_file && error == ERROR_NONE;
             at += CONTROL_PIECE_BYTES) {
            const struct message file = {
                .type = CONTROL_CALL_FILE,
                .words = {i},
                .payload = (const char *)call->sample->before[i] + at,
                .payload_bytes =
                    bytes - at < CONTROL_PIECE_BYTES ? bytes - at : CONTROL_PIECE_BYTES,
            };
            error = connection_call(call->session->connection, &file, NULL, diagnostic);
        }
    }
    return error;
}

enum error judged_call_open(const struct judged_call *call, struct diagnostic *diagnostic)
{
    struct connection *connection = call->session->connection;
    const bool is_program = launch_is_program(call->session->launch);
    const size_t count = is_program ? 0 : call->session->launch->operand_count;
    const enum probe_kind kind = call->sample->kind;
    uint8_t operands[8 * RUBRIC_OPERANDS_MAX];
    uint64_t bounds[CALL_BOUNDS];
    struct kept_variables kept;

    for (size_t i = 0; i < count; i++) {
        little_put_u64(operands + 8 * i, call->bound.allocations[i]);
    }
    bounds_of(call, bounds);
    const uint64_t flags = (kind == PROBE_EXACT ? CONTROL_CALL_ASKS_ORDER : 0) |
                           (kind == PROBE_AGAIN ? CONTROL_CALL_KEEPS_MEMORY : 0) |
                           (connection->config->follows != NULL ? CONTROL_CALL_FOLLOWS : 0);
    const struct message request = {
        .type = CONTROL_CALL,
        .words = {kind == PROBE_REORDERED ? probe_order_seed(connection, call->stream) : 0, flags,
                  bounds[0], bounds[1], bounds[2], bounds[3], bounds[4], bounds[5],
                  result_bytes_of(call->session->launch, call->observation)},
        .payload = operands,
        .payload_bytes = 8 * count,
    };
    _Static_assert(CALL_BOUNDS == 6, "each bound has a word");
    enum error error = keep_variables(call, &kept, diagnostic);
    if (error == ERROR_NONE) {
        error = connection_call(connection, &request, NULL, diagnostic);
    }
    if (error == ERROR_NONE && is_program) {
        error = send_files(call, diagnostic);
    }
    return error == ERROR_NONE ? put_variables_back(call, &kept, diagnostic) : error;
}

static enum error unreadable(struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_GRADER, "what the device says of a call cannot be read");
    return ERROR_PEER;
}

/* Splits the reply to CALL_END. */
static bool split_reply(const struct message *reply, struct call_reply *out_reply)
{
    const uint8_t *bytes = reply->payload;
    size_t left = reply->payload_bytes;

    if (left < CALL_RECORD_BYTES) {
        return false;
    }
    call_record_unpack(bytes, &out_reply->record);
    left -= CALL_RECORD_BYTES;
    if (out_reply->record.findings > left / FINDING_RECORD_BYTES ||
        out_reply->record.status > LAUNCH_UNSUPPORTED ||
        out_reply->record.link > CALL_LINK_STREAM) {
        return false;
    }
    size_t finding_bytes = (size_t)out_reply->record.findings * FINDING_RECORD_BYTES;
    out_reply->findings = bytes + CALL_RECORD_BYTES;
    out_reply->kernels = out_reply->findings + finding_bytes;
    out_reply->kernel_bytes = left - finding_bytes;
    return out_reply->record.kernels <= out_reply->kernel_bytes / CALL_KERNEL_RECORD_BYTES;
}

/* The next kernel of a reply, with its counts; false if it cannot be read. */
static bool read_kernel(const struct judged_call *call, struct call_reply *reply,
                        struct call_kernel_record *out_record, struct kernel_counts *out_kernel)
{
    const struct connection *connection = call->session->connection;
    const struct code_index *code = &connection->code;

    if (reply->kernel_bytes < CALL_KERNEL_RECORD_BYTES) {
        return false;
    }
    call_kernel_record_unpack(reply->kernels, out_record);
    reply->kernels += CALL_KERNEL_RECORD_BYTES;
    reply->kernel_bytes -= CALL_KERNEL_RECORD_BYTES;
    if (out_record->module >= code->module_count ||
        out_record->function >= code->modules[out_record->module].kernel_count ||
        out_record->counts > reply->kernel_bytes / COUNT_RECORD_BYTES) {
        return false;
    }
    const struct code_module *module = &code->modules[out_record->module];
    const struct count_source source = {
        .module = module, .launch = call->session->launch, .allocations = call->bound.allocations};
    *out_kernel = (struct kernel_counts){
        .kernel = module->kernels[out_record->function].name,
        .plain_name = module->kernels[out_record->function].plain_name,
        .launches = out_record->launches,
        .blocks = out_record->blocks,
        .place = connection_place(call->session->connection, out_record->site),
    };
    if (!counts_from_bytes(connection->arena, &source, reply->kernels, (size_t)out_record->counts,
                           &out_kernel->counts)) {
        return false;
    }
    reply->kernels += out_record->counts * COUNT_RECORD_BYTES;
    reply->kernel_bytes -= out_record->counts * COUNT_RECORD_BYTES;
    out_kernel->counts.is_counted = out_record->is_counted == 1;
    out_kernel->counts.lane_instructions = out_record->lane_instructions;
    out_kernel->counts.warp_instructions = out_record->warp_instructions;
    out_kernel->counts.barrier_arrivals = out_record->barriers;
    out_kernel->counts.work = out_record->work;
    return true;
}

static bool is_given(const struct call_session *session, uint64_t module)
{
    const bool *given = session->connection->config->program->is_given;

    return given != NULL && given[module];
}

/* True if the rubric names this kernel, or none. */
static bool is_wanted(const struct call_session *session, uint64_t module, const char *plain_name)
{
    const char *wanted = session->launch->kernel;

    return wanted[0] == '\0' || (kernel_pattern_matches(wanted, plain_name) &&
                                 is_given(session, module) == session->given_only);
}

/* Takes the launch that the observation tells of: of the kernel that the rubric names; or else of
 * the one that did most. */
static void note_kernel(struct judged_call *call, const struct call_kernel_record *record,
                        const struct kernel_counts *kernel, uint64_t *most)
{
    const struct call_session *session = call->session;
    struct observation *observation = call->observation;
    bool is_named = session->launch->kernel[0] != '\0';

    if (!is_wanted(session, record->module, kernel->plain_name)) {
        return;
    }
    call->has_launched = true;
    if (is_named && record->launches > observation->launch_count) {
        observation->launch_count =
            record->launches > UINT32_MAX ? UINT32_MAX : (uint32_t)record->launches;
    }
    if (*most > kernel->counts.warp_instructions) {
        return;
    }
    *most = kernel->counts.warp_instructions;
    observation->launched = true;
    observation->kernel = kernel->kernel;
    control_dimensions_unpack(record->grid, observation->geometry.grid);
    control_dimensions_unpack(record->block, observation->geometry.block);
    observation->geometry.dynamic_shared_bytes = (uint32_t)record->dynamic_shared_bytes;
}

/* A kernel that may not do the student's work; the coursework's own solution may use any. */
static void check_kernel(const struct judged_call *call, const struct call_kernel_record *record,
                         const struct kernel_counts *kernel)
{
    const struct call_session *session = call->session;
    const struct connection *connection = session->connection;
    const struct code_module *module = &connection->code.modules[record->module];
    const bool is_library =
        module->kernels[record->function].is_library && !connection->config->is_reference;
    const char *owner = is_given(session, record->module)                  ? "the harness"
                        : is_library && !session->launch->allows_libraries ? "a library"
                                                                           : NULL;
    bool is_student = connection->config->program->is_given != NULL && !session->given_only;

    if (is_student && owner != NULL) {
        judged_call_fail_at(call->observation, kernel->place, CODE_FOREIGN_KERNEL,
                            arena_printf(connection->arena,
                                         "`%s` launches `%s`, which is a kernel of %s",
                                         session->launch->call, kernel->plain_name, owner));
    }
}

static enum error read_kernels(struct judged_call *call, struct call_reply *reply,
                               struct diagnostic *diagnostic)
{
    struct arena *arena = call->session->connection->arena;
    struct sample *sample = call->sample;
    const size_t count = (size_t)reply->record.kernels;
    struct kernel_counts *kernels = arena_array(arena, count + 1, sizeof *kernels);
    uint64_t most = 0;

    /* With nothing to do, nothing need be launched. */
    call->has_launched = call->session->launch->kernel[0] == '\0';
    if (call->has_launched) {
        call->observation->launched = true;
        call->observation->kernel = "";
    }
    sample->counts = (struct launch_counts){.is_counted = true};
    for (size_t i = 0; i < count; i++) {
        struct call_kernel_record record;
        if (!read_kernel(call, reply, &record, &kernels[i])) {
            return unreadable(diagnostic);
        }
        if (i == 0) {
            sample->counts = kernels[i].counts;
        } else {
            counts_add(arena, &sample->counts, &kernels[i].counts);
        }
        note_kernel(call, &record, &kernels[i], &most);
        check_kernel(call, &record, &kernels[i]);
    }
    sample->kernels = kernels;
    sample->kernel_count = count;
    sample->instructions = sample->counts.lane_instructions;
    return reply->kernel_bytes == 0
               ? probe_find_variables(call->session->connection, &sample->counts, diagnostic)
               : unreadable(diagnostic);
}

/* "copies 4096 bytes to the host; at most 64 may cross in a call" */
static const char *excess_text(struct arena *arena, const struct call_record *record,
                               enum call_bound bound, uint64_t amount, uint64_t most)
{
    /* it crosses as a whole, where nothing was copied by name */
    const char *shared =
        record->shared_with_host_bytes > 0 ? ", managed, pinned and mapped memory included" : "";

    if (bound == CALL_BOUND_LAUNCHES) {
        return arena_printf(arena, "makes more than %" PRIu64 " launches in a call", most);
    }
    if (bound == CALL_BOUND_COPIES) {
        return arena_printf(arena, "makes more than %" PRIu64 " copies within the device in a call",
                            most);
    }
    if (bound == CALL_BOUND_TOUCHES) {
        return "reads or writes its arrays in host memory by host code; only copies may";
    }
    if (bound == CALL_BOUND_RESULTS) {
        return arena_printf(arena,
                            "hands over a result in which %" PRIu64
                            " bytes are not as a copy from the device brought them",
                            amount);
    }
    return arena_printf(
        arena, "copies %" PRIu64 " bytes %s the host%s; at most %" PRIu64 " may cross in a call",
        amount, bound == CALL_BOUND_READS ? "to" : "from", shared, most);
}

/* What the call did beyond a bound, as the observation's failure. */
static void check_bounds(const struct judged_call *call, const struct call_record *record)
{
    struct arena *arena = call->session->connection->arena;
    struct observation *observation = call->observation;
    const char *function = call->session->launch->call;
    uint64_t bounds[CALL_BOUNDS];
    const uint64_t amounts[CALL_BOUNDS] = {
        [CALL_BOUND_READS] = record->host_reads,     [CALL_BOUND_WRITES] = record->host_writes,
        [CALL_BOUND_LAUNCHES] = record->launches,    [CALL_BOUND_COPIES] = record->copies,
        [CALL_BOUND_TOUCHES] = record->host_touches, [CALL_BOUND_RESULTS] = record->host_results,
    };
    bounds_of(call, bounds);
    for (size_t i = 0; i < CALL_BOUNDS; i++) {
        bool is_told = i == CALL_BOUND_LAUNCHES && observation->launch_count > 1; /* L08 */
        if (amounts[i] <= bounds[i] || observation->failure != CODE_NONE || is_told) {
            continue;
        }
        judged_call_fail_at(
            observation, connection_place(call->session->connection, record->excess_sites[i]),
            i == CALL_BOUND_LAUNCHES ? CODE_TOO_MANY_LAUNCHES : CODE_DATA_THROUGH_HOST,
            arena_printf(arena, "`%s` %s", function,
                         excess_text(arena, record, (enum call_bound)i, amounts[i], bounds[i])));
    }
}

void judged_call_check_launched(const struct judged_call *call)
{
    const struct rubric_launch *launch = call->session->launch;

    bool is_done = call->sample->status == SAMPLE_DONE;

    if (is_done && call->observation->launched && !call->has_launched) {
        judged_call_fail(
            call->observation, CODE_NEVER_LAUNCHED,
            arena_printf(call->session->connection->arena,
                         "`%s` launches `%s` when it is first called with these sizes, but not "
                         "when it is called again",
                         launch->call, launch->kernel));
    }
}

/* Takes where a whole program has its operands. */
static void take_arrays(struct judged_call *call, const struct call_record *record)
{
    struct connection *connection = call->session->connection;
    const struct rubric_launch *launch = call->session->launch;
    const struct case_scope scope = {.rubric = connection->config->rubric,
                                     .parameters = call->observation->parameters};

    if (!launch_is_program(launch)) {
        return;
    }
    call->bound = (struct bound_launch){0};
    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        struct operand_memory named = {
            .name = operand->name,
            .start = operand_is_result(operand) ? record->result_array : record->arrays[i],
            .element_bytes = element_bytes(operand->type) * operand_lanes(operand),
            .lanes = operand_lanes(operand),
            .rank = operand->rank};
        named.bytes = case_elements(&scope, operand, named.extents) * element_bytes(operand->type);
        call->bound.allocations[i] = named.start;
        call->sample->call.is_unknown[i] = named.start == 0;
        if (named.start != 0) {
            operand_memory_add(connection->arena, &call->bound.operands, &named);
        }
    }
}

/* Takes where the program asked for what. */
static void take_places(struct connection *connection, const struct call_record *record,
                        struct call_work *work)
{
    static const enum call_request requests[HOST_REQUESTS] = {
        [HOST_LAUNCHES] = CALL_REQUEST_LAUNCH, [HOST_COPIES] = CALL_REQUEST_COPY,
        [HOST_SETS] = CALL_REQUEST_SET,        [HOST_READS] = CALL_REQUEST_READ,
        [HOST_WRITES] = CALL_REQUEST_WRITE,    [HOST_WAITS] = CALL_REQUEST_WAIT,
    };
    static const enum chain_link links[] = {
        [CALL_LINK_NONE] = CHAIN_LINK_NONE,     [CALL_LINK_HOST] = CHAIN_LINK_HOST,
        [CALL_LINK_LEGACY] = CHAIN_LINK_LEGACY, [CALL_LINK_EVENT] = CHAIN_LINK_EVENT,
        [CALL_LINK_STREAM] = CHAIN_LINK_STREAM,
    };

    for (size_t i = 0; i < HOST_REQUESTS; i++) {
        work->places[i] = connection_places(connection, record->most_sites[requests[i]]);
    }
    for (size_t i = 0; i < RUBRIC_OPERANDS_MAX; i++) {
        work->copy_places[i] = connection_places(connection, record->copy_sites[i]);
        work->copy_launches[i] = record->copy_launches[i];
        work->copy_offsets[i] = record->copy_offsets[i];
        work->is_last_set[i] = (record->copy_sets >> i & 1u) != 0;
    }
    work->link = links[record->link];
    work->link_place = connection_places(connection, record->link_site);
}

enum error judged_call_close(struct judged_call *call, uint64_t *out_result_bytes,
                             struct diagnostic *diagnostic)
{
    static const enum sample_status statuses[] = {
        [LAUNCH_DONE] = SAMPLE_DONE,
        [LAUNCH_FAULT] = SAMPLE_FAULT,
        [LAUNCH_DEADLINE] = SAMPLE_DEADLINE,
        [LAUNCH_UNSUPPORTED] = SAMPLE_UNSUPPORTED,
    };
    struct connection *connection = call->session->connection;
    struct sample *sample = call->sample;
    struct call_reply split;
    struct finding *findings = NULL;
    struct message reply;
    const struct message request = {.type = CONTROL_CALL_END};
    enum error error = connection_call(connection, &request, &reply, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    uint8_t *bytes = arena_alloc(connection->arena, reply.payload_bytes + 1);
    memcpy(bytes, reply.payload, reply.payload_bytes); /* other requests come before its end */
    reply.payload = bytes;
    if (!split_reply(&reply, &split)) {
        return unreadable(diagnostic);
    }
    const struct call_record *record = &split.record;
    if (out_result_bytes != NULL) {
        *out_result_bytes = record->result_bytes;
    }
    sample->status = statuses[record->status];
    sample->finding_count = (size_t)record->findings;
    sample->call = (struct call_work){
        .launches = record->launches,
        .copies = record->copies,
        .sets = record->sets,
        .host_reads = record->host_reads,
        .host_writes = record->host_writes,
        .streams = record->streams,
        .stream_bytes = record->stream_bytes,
        .longest_chain_bytes = record->longest_chain_bytes,
        .synchronisations = record->synchronisations,
        .shared_with_host_bytes = record->shared_with_host_bytes,
    };
    memcpy(sample->call.copied_from, record->copied_from, sizeof record->copied_from);
    memcpy(sample->call.copied_to, record->copied_to, sizeof record->copied_to);
    take_places(connection, record, &sample->call);
    take_arrays(call, record);
    call->freed = connection_place(connection, record->most_sites[CALL_REQUEST_FREE]);
    call->order_can_matter = call->order_can_matter || record->order_can_matter != 0;
    error = probe_read_findings(connection, call->session->launch, &call->bound.operands,
                                split.findings, sample->finding_count, &findings, diagnostic);
    sample->findings = findings;
    if (error == ERROR_NONE) {
        error = read_kernels(call, &split, diagnostic);
    }
    for (size_t i = 0; i < sample->finding_count && error == ERROR_NONE; i++) {
        finding_report_order(connection->arena, &sample->counts, &findings[i]);
    }
    check_bounds(call, record);
    return error;
}

void judged_call_note_launch(struct judged_call *call, const struct held_launch *held)
{
    const struct call_session *session = call->session;
    const struct code_module *module = &session->connection->code.modules[held->module];
    const struct code_kernel *kernel = &module->kernels[held->kernel];

    call->kernel_count++;
    if (is_wanted(session, held->module, kernel->plain_name)) {
        call->observation->launched = true;
        call->observation->kernel = kernel->name;
        call->observation->geometry = held->geometry;
    }
}

bool sample_ends_calls(const struct sample *sample)
{
    bool is_lost = sample->status != SAMPLE_DONE;

    for (size_t i = 0; i < sample->finding_count; i++) {
        enum cause_kind kind = code_cause(sample->findings[i].code);
        is_lost = is_lost || kind == CAUSE_OUT_OF_BOUNDS || kind == CAUSE_MISALIGNED;
    }
    return is_lost;
}
