/* call_run.c: see call_run.h. */
#include "session/call_run.h"

#include "base/text.h"
#include "model/case.h"
#include "model/kernel_pattern.h"
#include "session/count_map.h"
#include "session/finding_map.h"
#include "session/operand_values.h"
#include "session/origin_lines.h"
#include "session/probe.h"
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

/* One call. */
struct judged_call {
    struct call_session *session;
    struct observation *observation;
    struct sample *sample;
    uint64_t stream; /* names the launch and the case for random numbers */
    struct bound_launch bound;
    bool order_can_matter;
    bool has_launched;   /* the kernel that the rubric names, or there is none such */
    size_t kernel_count; /* that have been launched so far */
};

static void fail(struct observation *observation, enum code code, const char *message)
{
    if (observation->failure == CODE_NONE) {
        observation->failure = code;
        observation->failure_message = message;
    }
}

static double value_of(const struct call_session *session, const struct observation *observation,
                       const struct expression *expression, double otherwise)
{
    struct case_scope scope = {.rubric = session->connection->config->rubric,
                               .parameters = observation->parameters,
                               .block = observation->block};
    double value = otherwise;

    if (expression != NULL) {
        expression_evaluate(expression, case_lookup, &scope, &value, NULL);
    }
    return value;
}

/* What the call may do by way of the host. */
static void set_bounds(const struct judged_call *call, uint64_t out_bounds[CALL_BOUNDS])
{
    const struct call_session *session = call->session;
    const struct rubric_launch *launch = session->launch;
    const struct observation *observation = call->observation;
    double launches = CALL_LAUNCH_RATIO * value_of(session, observation, launch->launches, 1);

    out_bounds[CALL_BOUND_READS] =
        (uint64_t)value_of(session, observation, launch->host_reads, CALL_HOST_BYTES);
    out_bounds[CALL_BOUND_WRITES] =
        (uint64_t)value_of(session, observation, launch->host_writes, CALL_HOST_BYTES);
    out_bounds[CALL_BOUND_LAUNCHES] =
        (uint64_t)(launches > CALL_LAUNCHES ? launches : CALL_LAUNCHES);
    out_bounds[CALL_BOUND_COPIES] = out_bounds[CALL_BOUND_LAUNCHES];
    out_bounds[CALL_BOUND_TOUCHES] = 0;
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

/* Tells the device that the call begins. */
static enum error open_call(const struct judged_call *call, struct diagnostic *diagnostic)
{
    struct connection *connection = call->session->connection;
    const size_t count = call->session->launch->operand_count;
    const enum probe_kind kind = call->sample->kind;
    uint8_t operands[8 * RUBRIC_OPERANDS_MAX];
    uint64_t bounds[CALL_BOUNDS];
    struct kept_variables kept;

    for (size_t i = 0; i < count; i++) {
        little_put_u64(operands + 8 * i, call->bound.allocations[i]);
    }
    set_bounds(call, bounds);
    const uint64_t flags = (kind == PROBE_EXACT ? CONTROL_CALL_ASKS_ORDER : 0) |
                           (kind == PROBE_AGAIN ? CONTROL_CALL_KEEPS_MEMORY : 0) |
                           (connection->config->follows != NULL ? CONTROL_CALL_FOLLOWS : 0);
    const struct message request = {
        .type = CONTROL_CALL,
        .words = {kind == PROBE_REORDERED ? probe_order_seed(connection, call->stream) : 0, flags,
                  bounds[0], bounds[1], bounds[2], bounds[3], bounds[4]},
        .payload = operands,
        .payload_bytes = 8 * count,
    };
    enum error error = keep_variables(call, &kept, diagnostic);
    if (error == ERROR_NONE) {
        error = connection_call(connection, &request, NULL, diagnostic);
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
        out_reply->record.status > LAUNCH_UNSUPPORTED) {
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
        fail(call->observation, CODE_FOREIGN_KERNEL,
             arena_printf(connection->arena, "`%s` launches `%s`, which is a kernel of %s",
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
static const char *excess_text(struct arena *arena, enum call_bound bound, uint64_t amount,
                               uint64_t most)
{
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
    return arena_printf(
        arena, "copies %" PRIu64 " bytes %s the host; at most %" PRIu64 " may cross in a call",
        amount, bound == CALL_BOUND_READS ? "to" : "from", most);
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
        [CALL_BOUND_TOUCHES] = record->host_touches,
    };
    set_bounds(call, bounds);
    for (size_t i = 0; i < CALL_BOUNDS; i++) {
        bool is_told = i == CALL_BOUND_LAUNCHES && observation->launch_count > 1; /* L08 */
        if (amounts[i] <= bounds[i] || observation->failure != CODE_NONE || is_told) {
            continue;
        }
        fail(observation,
             i == CALL_BOUND_LAUNCHES ? CODE_TOO_MANY_LAUNCHES : CODE_DATA_THROUGH_HOST,
             arena_printf(arena, "`%s` %s", function,
                          excess_text(arena, (enum call_bound)i, amounts[i], bounds[i])));
        observation->failure_host =
            connection_place(call->session->connection, record->excess_sites[i]);
    }
}

/* What worked in one call must be done in each: a result that is kept is not computed. */
static void check_launched(const struct judged_call *call)
{
    const struct rubric_launch *launch = call->session->launch;

    bool is_done = call->sample->status == SAMPLE_DONE;

    if (is_done && call->observation->launched && !call->has_launched) {
        fail(call->observation, CODE_NEVER_LAUNCHED,
             arena_printf(call->session->connection->arena,
                          "`%s` launches `%s` when it is first called with these sizes, but not "
                          "when it is called again",
                          launch->call, launch->kernel));
    }
}

/* Takes what the device says of the call. */
static enum error close_call(struct judged_call *call, struct diagnostic *diagnostic)
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

/* Reads what the operands hold at the end. An operand may be gone. */
static enum error read_results(const struct judged_call *call, struct diagnostic *diagnostic)
{
    struct connection *connection = call->session->connection;
    const struct operand_values values = {connection, call->session->launch, call->bound.addresses,
                                          call->stream, call->observation};
    struct observation now = *call->observation;
    struct bound_launch bound;

    now.failure = CODE_NONE;
    enum error error =
        probe_bind(connection, call->session->launch, NULL, &now, &bound, diagnostic);
    if (error == ERROR_NONE && now.failure != CODE_NONE) {
        fail(call->observation, CODE_BAD_OPERAND,
             arena_printf(connection->arena, "`%s` frees memory that it was given",
                          call->session->launch->call));
    }
    bool is_readable = error == ERROR_NONE && now.failure == CODE_NONE &&
                       (!connection->link.is_gpu || call->sample->status == SAMPLE_DONE);
    if (is_readable) {
        return operand_values_read(&values, call->sample, diagnostic);
    }
    operand_values_lost(&values, call->sample);
    return error;
}

/* What a step of the marks means that is neither a begin nor an end. */
static void note_step(struct call_session *session, const struct case_walk *walk,
                      enum case_step step, struct observation *observation)
{
    if (step == CASE_GONE) {
        session->gone = true;
    }
    if (step == CASE_DISORDER) {
        fail(observation, CODE_BAD_MARKS, walk->disorder);
        session->is_over = true;
    }
}

/* Keeps the findings of a sample that is dropped. */
static void keep_findings(struct call_session *session, const struct sample *sample)
{
    size_t count = session->loose_count + sample->finding_count;

    arena_grow(session->connection->arena, &session->loose, &session->loose_capacity, count + 1,
               sizeof *session->loose);
    if (sample->finding_count > 0) {
        memcpy(session->loose + session->loose_count, sample->findings,
               sample->finding_count * sizeof *sample->findings);
    }
    session->loose_count = count;
}

/* Keeps what is known of a launch before it runs: the device may be lost in it. */
static void note_launch(struct judged_call *call, const struct held_launch *held)
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

/* Lets the call run and takes its end. */
static enum error run_call(struct judged_call *call, struct case_walk *walk,
                           struct diagnostic *diagnostic)
{
    struct call_session *session = call->session;
    struct connection *connection = session->connection;
    const struct operand_values values = {connection, session->launch, call->bound.addresses,
                                          call->stream, call->observation};
    struct held_launch held;
    enum case_step step = CASE_LAUNCH;
    enum error error = open_call(call, diagnostic);

    if (error == ERROR_NONE) {
        error = operand_values_write(&values, call->sample, diagnostic);
    }
    session->lacks_end = true;
    call->kernel_count = 0;
    while (error == ERROR_NONE && step == CASE_LAUNCH) {
        error = case_next(walk, &held, &step, diagnostic);
        if (error == ERROR_NONE && step == CASE_LAUNCH) {
            note_launch(call, &held);
        }
    }
    if (error == ERROR_NONE) {
        note_step(session, walk, step, call->observation);
    }
    session->lacks_end = step != CASE_OVER;
    if (error == ERROR_NONE && connection->link.loss == DEVICE_SERVES) {
        error = close_call(call, diagnostic);
    }
    if (connection->link.loss != DEVICE_SERVES) {
        if (!call->observation->launched) {
            call->observation->sample_count--; /* no wanted kernel did it: the log tells */
            return ERROR_NONE;
        }
        probe_note_lost(connection, session->launch,
                        call->kernel_count == 1 ? call->observation->kernel : "", call->sample);
        operand_values_lost(&values, call->sample);
        return ERROR_NONE;
    }
    if (error == ERROR_NONE && step == CASE_OVER) {
        check_launched(call);
        error = read_results(call, diagnostic);
        if (error == ERROR_NONE && connection->config->follows != NULL) {
            error = origin_lines_read(connection, session->launch, &call->bound,
                                      call->observation->element_counts,
                                      connection->config->follows, diagnostic);
        }
    } else if (error == ERROR_NONE && call->sample->status == SAMPLE_DONE) {
        keep_findings(session, call->sample);
        call->observation->sample_count--; /* the program ended in the call, its kernels did not */
        call->observation->launched = call->observation->sample_count > 0;
    } else {
        operand_values_lost(&values, call->sample);
    }
    return error;
}

/* True if a kernel of the call did what no later one is launched after. */
static bool is_lost(const struct sample *sample)
{
    bool is_lost = sample->status != SAMPLE_DONE;

    for (size_t i = 0; i < sample->finding_count; i++) {
        enum cause_kind kind = code_cause(sample->findings[i].code);
        is_lost = is_lost || kind == CAUSE_OUT_OF_BOUNDS || kind == CAUSE_MISALIGNED;
    }
    return is_lost;
}

/* Sends the case and runs the call that it leads to. */
static enum error make_call(struct judged_call *call, struct diagnostic *diagnostic)
{
    struct call_session *session = call->session;
    struct connection *connection = session->connection;
    struct observation *observation = call->observation;
    struct case_walk walk = case_start(connection, session->launch);
    struct held_launch unused;
    enum case_step step;

    case_send(connection, session->launch, observation->parameters);
    enum error error = case_next(&walk, &unused, &step, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    note_step(session, &walk, step, observation);
    if (step != CASE_READY) {
        return ERROR_NONE;
    }
    session->has_begun = true;
    error = probe_bind(connection, session->launch, NULL, observation, &call->bound, diagnostic);
    if (error != ERROR_NONE || observation->failure != CODE_NONE) {
        session->is_over = true;
        return error;
    }
    observation->sample_count++;
    error = run_call(call, &walk, diagnostic);
    session->is_over =
        session->is_over || is_lost(call->sample) || observation->failure != CODE_NONE;
    if (error == ERROR_NONE && !session->gone && connection->link.loss == DEVICE_SERVES) {
        error = probe_read_symbols(connection, session->launch, observation, diagnostic);
    }
    return error;
}

/* The block width of a call whose kernel is named by the rubric, as that of a launch. */
static void learn_block(struct call_session *session, struct observation *observation)
{
    const struct held_launch held = {.geometry = observation->geometry};

    bool is_seen = observation->geometry.block[0] > 0; /* not where the device was lost */

    if (observation->launched && is_seen && session->launch->block_count > 0) {
        case_learn_block(session->connection->arena, session->launch, &held, &session->block,
                         observation);
        session->is_over = session->is_over || observation->failure != CODE_NONE;
    }
}

enum error call_run_case(struct call_session *session, bool is_first_shape,
                         struct observation *observation, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = session->connection->config->rubric;
    struct sample *samples = arena_array(session->connection->arena, PROBES_MAX, sizeof *samples);
    enum probe_kind kinds[PROBES_MAX] = {PROBE_EXACT};
    size_t count = 1;
    struct judged_call call = {
        .session = session,
        .observation = observation,
        .stream = (uint64_t)session->launch_index << 48 | (uint64_t)observation->case_index << 24 |
                  observation->repetition,
    };
    bool is_over = false; /* nothing more is wanted of this case */
    enum error error = ERROR_NONE;

    observation->samples = samples;
    if (!is_first_shape && session->connection->config->follows != NULL) {
        kinds[0] = (enum probe_kind)session->connection->config->follows->probe;
    } else if (!is_first_shape) {
        probe_choose(rubric, session->launch, observation, kinds, &count);
    }
    for (size_t i = 0; i < count && error == ERROR_NONE; i++) {
        if (session->gone || session->is_over || is_over) {
            break;
        }
        if (kinds[i] == PROBE_REORDERED && !call.order_can_matter) {
            continue;
        }
        call.sample = &samples[observation->sample_count];
        call.sample->kind = kinds[i];
        error = make_call(&call, diagnostic);
        learn_block(session, observation);
        is_over = observation->sample_count > 0 && !observation->launched;
    }
    bool is_unjudged = is_first_shape && !is_lost(&samples[0]);
    if (is_unjudged || !observation->launched) {
        for (size_t i = 0; i < observation->sample_count; i++) {
            keep_findings(session, &samples[i]);
        }
        observation->sample_count = 0; /* of the kernel that is wanted there is nothing to judge */
    }
    return error;
}

enum error call_run_out(struct call_session *session, struct observation *last,
                        struct diagnostic *diagnostic)
{
    struct case_walk walk = case_start(session->connection, session->launch);
    struct held_launch unused;
    enum case_step step;
    enum error error = case_next(&walk, &unused, &step, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (step == CASE_READY) {
        walk.disorder = "a call is made that no line of input asks for";
        step = CASE_DISORDER;
    }
    if (last != NULL) {
        note_step(session, &walk, step, last);
    }
    return ERROR_NONE;
}
