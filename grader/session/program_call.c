/* program_call.c: see program_call.h. */
#include "session/program_call.h"

#include "base/text.h"
#include "model/braces.h"
#include "model/case.h"
#include "session/inputs.h"
#include "session/judged_call.h"
#include "session/operand_values.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* All runs of one program for one launch. */
struct program_session {
    const struct session_config *config;
    struct arena *arena;
    const struct rubric_launch *launch;
    size_t launch_index;
    struct program_activity activity; /* of the last run */
    struct finding *findings;         /* [finding_count] of all runs, outside of their calls */
    size_t finding_count, finding_capacity;
    bool is_over; /* a run ended badly */
};

/* Files *************************************************************************************/

static const char *file_name(struct arena *arena, const struct rubric_operand *operand)
{
    return arena_printf(arena, operand->file == FILE_IMAGE ? "%s.ppm" : "%s.raw", operand->name);
}

static void write_image(const float *pixels, const uint64_t *extents, size_t rank, struct text *out)
{
    const size_t count = (size_t)(extents[0] * extents[1] * (rank > 2 ? extents[2] : 1));

    text_printf(out, "%s\n%" PRIu64 " %" PRIu64 "\n255\n", rank > 2 ? "P6" : "P5", extents[1],
                extents[0]);
    for (size_t i = 0; i < count; i++) {
        text_append_char(out, (char)(unsigned char)(pixels[i] * 255.0f + 0.5f));
    }
}

/* The extents, then a row of the last extent a line. */
static void write_numbers(const struct rubric_operand *operand, const void *values,
                          const uint64_t *extents, size_t count, struct text *out)
{
    const uint64_t columns = operand->rank > 1 ? extents[operand->rank - 1] : 1;

    for (size_t i = 0; i < operand->rank; i++) {
        text_printf(out, "%" PRIu64 "%c", extents[i], i + 1 < operand->rank ? ' ' : '\n');
    }
    for (size_t i = 0; i < count; i++) {
        const char end = (i + 1) % columns == 0 ? '\n' : ' ';
        if (element_is_float(operand->type)) {
            text_printf(out, "%.*g%c", element_bytes(operand->type) > 4 ? 17 : 9,
                        element_value(operand->type, values, i), end);
        } else {
            text_printf(out, "%" PRId64 "%c", element_integer(operand->type, values, i), end);
        }
    }
}

/* Makes the files of all operands that have one. */
static void make_files(const struct program_session *session, const struct observation *observation,
                       const struct sample *sample, struct given_file *files, size_t *out_count)
{
    const struct rubric_launch *launch = session->launch;
    const struct case_scope scope = {.rubric = session->config->rubric,
                                     .parameters = observation->parameters};

    *out_count = 0;
    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        uint64_t extents[3] = {0};
        struct text text;
        if (operand->file == FILE_NONE) {
            continue;
        }
        const size_t count = case_elements(&scope, operand, extents);
        text_init(&text);
        if (operand->file == FILE_IMAGE) {
            write_image(sample->before[i], extents, operand->rank, &text);
        } else {
            write_numbers(operand, sample->before[i], extents, count, &text);
        }
        char *bytes = arena_alloc(session->arena, text.length + 1);
        memcpy(bytes, text.bytes, text.length);
        files[(*out_count)++] = (struct given_file){
            .name = file_name(session->arena, operand), .bytes = bytes, .length = text.length};
        text_release(&text);
    }
}

/* Whose arguments they are. */
struct argument_scope {
    const struct program_session *session;
    const struct observation *observation;
};

/* What stands for a name in an argument: a file, or the value of a parameter. */
static const char *value_of(void *context, const char *name)
{
    const struct argument_scope *scope = context;
    const struct rubric *rubric = scope->session->config->rubric;
    const struct rubric_launch *launch = scope->session->launch;

    for (size_t i = 0; i < launch->operand_count; i++) {
        if (strcmp(launch->operands[i].name, name) == 0) {
            return file_name(scope->session->arena, &launch->operands[i]);
        }
    }
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        if (strcmp(rubric->parameters[i].name, name) == 0) {
            return arena_printf(scope->session->arena, "%" PRId64,
                                scope->observation->parameters[i]);
        }
    }
    return NULL;
}

/* One run ***********************************************************************************/

/* Reads the result that was handed over; false if it has not all of its bytes. */
static enum error read_result(const struct judged_call *call, bool *out_is_read,
                              struct diagnostic *diagnostic)
{
    struct connection *connection = call->session->connection;
    const struct rubric_launch *launch = call->session->launch;
    struct sample *sample = call->sample;

    *out_is_read = true;
    for (size_t i = 0; i < launch->operand_count; i++) {
        const size_t bytes =
            call->observation->element_counts[i] * element_bytes(launch->operands[i].type);
        uint8_t *after = NULL;
        sample->after[i] = sample->before[i];
        if (!operand_is_result(&launch->operands[i])) {
            continue;
        }
        after = arena_alloc(connection->arena, bytes + 1);
        for (size_t at = 0; at < bytes; at += CONTROL_PIECE_BYTES) {
            const size_t piece =
                bytes - at < CONTROL_PIECE_BYTES ? bytes - at : CONTROL_PIECE_BYTES;
            const struct message read = {.type = CONTROL_CALL_RESULT, .words = {at, piece}};
            struct message reply;
            enum error error = connection_call(connection, &read, &reply, diagnostic);
            if (error == ERROR_NOT_FOUND || (error == ERROR_NONE && reply.payload_bytes != piece)) {
                *out_is_read = false;
                return ERROR_NONE;
            }
            if (error != ERROR_NONE) {
                return error;
            }
            memcpy(after + at, reply.payload, piece);
        }
        sample->after[i] = after;
    }
    return ERROR_NONE;
}

/* A result of another size is no result. */
static void check_size(const struct judged_call *call, uint64_t handed_bytes)
{
    const struct rubric_launch *launch = call->session->launch;

    for (size_t i = 0; i < launch->operand_count; i++) {
        const uint64_t bytes =
            call->observation->element_counts[i] * element_bytes(launch->operands[i].type);
        if (operand_is_result(&launch->operands[i]) && handed_bytes != bytes) {
            judged_call_fail(call->observation, CODE_BAD_OPERAND,
                             arena_printf(call->session->connection->arena,
                                          "%s has %" PRIu64 " bytes, but `%s` hands over %" PRIu64,
                                          launch->operands[i].name, bytes, launch->call,
                                          handed_bytes));
        }
    }
}

/* True if a kernel can have made the result. */
static bool has_stored(const struct sample *sample)
{
    const struct access_sum *global = sample->counts.totals[COUNT_GLOBAL];
    const uint64_t bytes = global[COUNT_WRITE].bytes + global[COUNT_ATOMIC].bytes;

    return sample->call.launches > 0 && (bytes > 0 || !sample->counts.is_counted);
}

/* Where no kernel stores anything, the result is as untouched as in memory that a call is given. */
static void keep_untouched(const struct judged_call *call)
{
    for (size_t i = 0; i < call->session->launch->operand_count && !has_stored(call->sample); i++) {
        call->sample->after[i] = call->sample->before[i];
    }
}

/* Lets the program run until it hands over its result, and takes that. */
static enum error run_call(struct judged_call *call, struct diagnostic *diagnostic)
{
    struct call_session *calls = call->session;
    struct connection *connection = calls->connection;
    const struct operand_values values = {connection, calls->launch, call->bound.addresses,
                                          call->stream, call->observation};
    struct case_walk walk = case_start(connection, calls->launch);
    enum case_step step = CASE_LAUNCH;
    uint64_t handed_bytes = 0;
    bool is_read = false;
    struct held_launch held;
    enum error error = judged_call_open(call, diagnostic);

    while (error == ERROR_NONE && step == CASE_LAUNCH) {
        error = case_next(&walk, &held, &step, diagnostic);
        if (error == ERROR_NONE && step == CASE_LAUNCH) {
            judged_call_note_launch(call, &held);
        }
    }
    calls->gone = step == CASE_GONE;
    calls->lacks_end = step != CASE_OVER;
    if (connection->link.loss != DEVICE_SERVES) {
        probe_note_lost(connection, calls->launch,
                        call->kernel_count == 1 ? call->observation->kernel : "", call->sample);
        operand_values_lost(&values, call->sample);
        return ERROR_NONE;
    }
    if (error == ERROR_NONE && step == CASE_DISORDER) {
        judged_call_fail(call->observation, CODE_BAD_MARKS, walk.disorder);
    }
    if (error == ERROR_NONE && step == CASE_OVER) {
        error = read_result(call, &is_read, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = judged_call_close(call, &handed_bytes, diagnostic);
    }
    if (error == ERROR_NONE && step == CASE_OVER) {
        judged_call_check_launched(call);
        check_size(call, handed_bytes);
        keep_untouched(call);
    }
    if (!is_read) {
        operand_values_lost(&values, call->sample);
    }
    return error;
}

/* Lets the program go on to its end; it has one result. */
static enum error run_out(struct judged_call *call, struct diagnostic *diagnostic)
{
    struct connection *connection = call->session->connection;
    struct connection_event event = {0};
    enum error error = ERROR_NONE;

    if (call->session->gone) {
        return ERROR_NONE;
    }
    if (call->session->lacks_end || sample_ends_calls(call->sample)) {
        connection_stop(connection);
        return ERROR_NONE;
    }
    while (error == ERROR_NONE && event.kind != CONTROL_EVENT_GONE &&
           event.kind != CONTROL_EVENT_BROKEN) {
        error = connection_resume(connection, &event, diagnostic);
        if (error == ERROR_NONE && event.kind == CONTROL_EVENT_MARKER &&
            event.mark == CLIENT_MARK_CALL_END) {
            judged_call_fail(call->observation, CODE_BAD_MARKS, "a second result is handed over");
        }
    }
    return error;
}

/* Keeps the findings of a run. */
static void add_findings(struct program_session *session, const struct finding *findings,
                         size_t count)
{
    arena_grow(session->arena, &session->findings, &session->finding_capacity,
               session->finding_count + count + 1, sizeof *session->findings);
    if (count > 0) {
        memcpy(session->findings + session->finding_count, findings, count * sizeof *findings);
    }
    session->finding_count += count;
}

/* What the run says of the program; a sample whose program did not come to its end is dropped. */
static void note_end(struct program_session *session, const struct judged_call *call)
{
    struct program_activity *activity = &session->activity;
    struct observation *observation = call->observation;
    const bool is_bad = activity->end.ending != ENDING_EXITED || activity->end.exit_status != 0 ||
                        activity->protocol_broken;

    activity->lacks_end = call->session->lacks_end;
    activity->ended_early = call->session->gone;
    activity->call = session->launch->call;
    add_findings(session, activity->findings, activity->finding_count);
    session->is_over = is_bad || activity->lacks_end || observation->failure != CODE_NONE ||
                       sample_ends_calls(call->sample);
    if (call->session->gone && call->sample->status == SAMPLE_DONE) {
        add_findings(session, call->sample->findings, call->sample->finding_count);
        observation->sample_count--;
        observation->launched = observation->sample_count > 0;
    }
}

static enum error run_probe(struct program_session *session, struct judged_call *call,
                            struct diagnostic *diagnostic)
{
    const struct rubric_launch *launch = session->launch;
    struct given_file files[RUBRIC_OPERANDS_MAX];
    struct session_config own = *session->config;
    struct call_session calls = {.launch = launch, .launch_index = session->launch_index};
    struct argument_scope scope = {session, call->observation};
    struct connection connection;
    const char **arguments =
        arena_array(session->arena, launch->argument_count + 1, sizeof *arguments);
    const struct probe_values values = {
        .rubric = own.rubric,
        .launch = launch,
        .observation = call->observation,
        .oracle = own.oracle != NULL ? session_oracle_get(own.oracle) : NULL,
        .seed = own.seed,
        .stream = call->stream,
        .kind = call->sample->kind,
    };

    probe_values_make(session->arena, &values, call->sample->before);
    make_files(session, call->observation, call->sample, files, &own.file_count);
    own.files = files;
    own.keeps_files = true;
    for (size_t i = 0; i < launch->argument_count; i++) {
        arguments[i] =
            text_or_empty(braces_fill(session->arena, launch->arguments[i], value_of, &scope));
    }
    enum error error = connection_open(&own, session->arena, NULL, arguments,
                                       launch->argument_count, &connection, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    calls.connection = &connection;
    call->session = &calls;
    error =
        connection_allow_work(&connection, launch, call->observation->parameters, 0, diagnostic);
    if (error == ERROR_NONE) {
        call->observation->sample_count++;
        error = run_call(call, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = run_out(call, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = connection_finish(&connection, launch->id, &session->activity, diagnostic);
        note_end(session, call);
    }
    connection_close(&connection);
    call->session = NULL;
    return error;
}

/* All probes of a case. There is no memory that one could leave to another. */
static enum error run_case(struct program_session *session, struct observation *observation,
                           struct diagnostic *diagnostic)
{
    const struct rubric *rubric = session->config->rubric;
    const struct rubric_launch *launch = session->launch;
    const struct case_scope scope = {.rubric = rubric, .parameters = observation->parameters};
    struct sample *samples = arena_array(session->arena, PROBES_MAX, sizeof *samples);
    enum probe_kind kinds[PROBES_MAX];
    size_t count = 0;
    struct judged_call call = {
        .observation = observation,
        .stream = (uint64_t)session->launch_index << 48 | (uint64_t)observation->case_index << 24 |
                  observation->repetition,
    };
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < launch->operand_count; i++) {
        uint64_t extents[3];
        observation->element_counts[i] = case_elements(&scope, &launch->operands[i], extents);
    }
    observation->samples = samples;
    probe_choose(rubric, launch, observation, kinds, &count);
    for (size_t i = 0; i < count && error == ERROR_NONE && !session->is_over; i++) {
        if (kinds[i] == PROBE_AGAIN || (kinds[i] == PROBE_REORDERED && !call.order_can_matter)) {
            continue;
        }
        call.sample = &samples[observation->sample_count];
        *call.sample = (struct sample){.kind = kinds[i]};
        error = run_probe(session, &call, diagnostic);
    }
    return error;
}

enum error program_call_run(const struct session_config *config, struct arena *arena, size_t launch,
                            const struct drawn_case *cases, size_t case_count,
                            struct launch_run *out_run, struct diagnostic *diagnostic)
{
    struct observation *observations = arena_array(arena, case_count + 1, sizeof *observations);
    struct program_session session = {.config = config,
                                      .arena = arena,
                                      .launch = &config->rubric->launches[launch],
                                      .launch_index = launch};
    size_t count = 0;
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < case_count && error == ERROR_NONE && !session.is_over; i++) {
        struct observation *observation = &observations[count++];
        observation->case_index = cases[i].case_index;
        observation->repetition = cases[i].repetition;
        case_parameters(config->rubric, &cases[i], 0, observation->parameters);
        error = run_case(&session, observation, diagnostic);
    }
    session.activity.findings = session.findings;
    session.activity.finding_count = session.finding_count;
    *out_run = (struct launch_run){.activity = session.activity,
                                   .kernel = config->kernel,
                                   .observations = observations,
                                   .observation_count = count};
    return error;
}
