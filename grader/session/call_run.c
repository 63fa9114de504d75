/* call_run.c: see call_run.h. */
#include "session/call_run.h"

#include "session/judged_call.h"
#include "session/operand_values.h"
#include "session/value_parts.h"

#include <string.h>

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
        judged_call_fail_at(call->observation, call->freed, CODE_BAD_OPERAND,
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
        judged_call_fail(observation, CODE_BAD_MARKS, walk->disorder);
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
    enum error error = judged_call_open(call, diagnostic);

    if (error == ERROR_NONE) {
        error = operand_values_write(&values, call->sample, diagnostic);
    }
    session->lacks_end = true;
    call->kernel_count = 0;
    while (error == ERROR_NONE && step == CASE_LAUNCH) {
        error = case_next(walk, &held, &step, diagnostic);
        if (error == ERROR_NONE && step == CASE_LAUNCH) {
            judged_call_note_launch(call, &held);
        }
    }
    if (error == ERROR_NONE) {
        note_step(session, walk, step, call->observation);
    }
    session->lacks_end = step != CASE_OVER;
    if (error == ERROR_NONE && connection->link.loss == DEVICE_SERVES) {
        error = judged_call_close(call, NULL, diagnostic);
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
        judged_call_check_launched(call);
        error = read_results(call, diagnostic);
        if (error == ERROR_NONE && connection->config->follows != NULL) {
            const struct followed_memory memory = {connection, session->launch, &call->bound,
                                                   call->observation->element_counts};
            struct followed_call *followed = connection->config->follows;
            error = origin_lines_read(&memory, followed, diagnostic);
            error = error == ERROR_NONE
                        ? value_parts_read(&memory, connection->arena, followed, diagnostic)
                        : error;
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
        session->is_over || sample_ends_calls(call->sample) || observation->failure != CODE_NONE;
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
    bool is_unjudged = is_first_shape && !sample_ends_calls(&samples[0]);
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
