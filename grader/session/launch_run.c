/* launch_run.c: one observed launch over all cases; see session.h. */
#include "session/session.h"

#include "session/launch_case.h"
#include "session/probe.h"

#include <string.h>

/* The run so far. */
struct launch_session {
    struct connection connection;
    const struct session_config *config;
    const struct rubric_launch *launch;
    size_t launch_index;
    int64_t block;    /* 0 until it is known */
    bool gone;        /* the program has closed its channel */
    bool ended_early; /* it did so before it had read all shapes */
    bool held;        /* a launch is held and will not be let go: nothing more can be learnt */
};

static enum error observe_launch(struct launch_session *session, const struct held_launch *held,
                                 bool is_first_shape, struct observation *observation,
                                 struct diagnostic *diagnostic)
{
    struct bound_launch bound;
    uint64_t stream = (uint64_t)session->launch_index << 48 |
                      (uint64_t)observation->case_index << 24 | observation->repetition;

    case_learn_block(session->connection.arena, session->launch, held, &session->block,
                     observation);
    enum error error =
        probe_bind(&session->connection, session->launch, held, observation, &bound, diagnostic);
    if (error != ERROR_NONE || is_first_shape || observation->failure != CODE_NONE) {
        return error;
    }
    return probe_run(&session->connection, session->launch, &bound, stream, observation,
                     diagnostic);
}

static bool sampling_stopped(const struct observation *observation)
{
    return observation->sample_count > 0 &&
           observation->samples[observation->sample_count - 1].status != SAMPLE_DONE;
}

/* Lets the program work on one case, until its end mark or its own end. */
static enum error run_case(struct launch_session *session, bool is_first_shape,
                           struct observation *observation, struct diagnostic *diagnostic)
{
    struct case_walk walk = case_start(&session->connection, session->launch);

    for (;;) {
        struct held_launch held;
        enum case_step step;
        enum error error = case_next(&walk, &held, &step, diagnostic);

        if (error != ERROR_NONE || step == CASE_OVER) {
            return error;
        }
        if (step == CASE_GONE) {
            session->gone = true;
            session->ended_early = session->launch->input_count > 0;
            return ERROR_NONE;
        }
        if (observation->launch_count++ == 0) {
            error = observe_launch(session, &held, is_first_shape, observation, diagnostic);
            if (error != ERROR_NONE) {
                return error;
            }
            if (sampling_stopped(observation) || observation->failure == CODE_WRONG_BLOCK) {
                session->held = true;
                return ERROR_NONE;
            }
        }
    }
}

static enum error run_first_shape(struct launch_session *session, struct observation *observation,
                                  struct diagnostic *diagnostic)
{
    const struct rubric *rubric = session->config->rubric;

    observation->case_index = SIZE_MAX;
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        observation->parameters[i] = session->launch->first_values[i];
    }
    case_send(&session->connection, session->launch, observation->parameters);
    return run_case(session, true, observation, diagnostic);
}

static enum error run_drawn_case(struct launch_session *session, const struct drawn_case *drawn,
                                 struct observation *observation, struct diagnostic *diagnostic)
{
    observation->case_index = drawn->case_index;
    observation->repetition = drawn->repetition;
    observation->block = session->block;
    case_parameters(session->config->rubric, drawn, session->block, observation->parameters);
    case_send(&session->connection, session->launch, observation->parameters);
    return run_case(session, false, observation, diagnostic);
}

/* All shapes one after the other; what comes after the program's end is left out. */
static enum error run_shapes(struct launch_session *session, const struct drawn_case *cases,
                             size_t case_count, struct launch_run *out_run,
                             struct diagnostic *diagnostic)
{
    struct observation *observations =
        arena_array(session->connection.arena, case_count + 1, sizeof *observations);
    size_t count = 0;
    enum error error = ERROR_NONE;

    if (session->launch->has_first) {
        error = run_first_shape(session, &observations[count++], diagnostic);
        if (session->block == 0) {
            case_count = 0; /* no edge, no shapes */
        }
    }
    for (size_t i = 0; i < case_count && error == ERROR_NONE; i++) {
        if (session->gone || session->held) {
            break;
        }
        error = run_drawn_case(session, &cases[i], &observations[count++], diagnostic);
    }
    out_run->observations = observations;
    out_run->observation_count = count;
    return error;
}

/* Ends the program: with a held launch it is stopped, otherwise it sees the end of its input and
 * may finish. */
static enum error run_out(struct launch_session *session, struct diagnostic *diagnostic)
{
    struct connection_event event = {0};
    enum error error = ERROR_NONE;

    connection_close_input(&session->connection);
    if (session->held) {
        connection_stop(&session->connection);
        return ERROR_NONE;
    }
    while (error == ERROR_NONE && !session->gone) {
        error = connection_resume(&session->connection, &event, diagnostic);
        session->gone = event.kind == CONTROL_EVENT_GONE || event.kind == CONTROL_EVENT_BROKEN;
    }
    return error;
}

enum error session_run_launch(const struct session_config *config, struct arena *arena,
                              size_t launch, const struct drawn_case *cases, size_t case_count,
                              struct launch_run *out_run, struct diagnostic *diagnostic)
{
    struct launch_session session = {
        .config = config,
        .launch = &config->rubric->launches[launch],
        .launch_index = launch,
    };
    memset(out_run, 0, sizeof *out_run);
    enum error error =
        connection_open(config, arena, session.launch->kernel, session.launch->arguments,
                        session.launch->argument_count, &session.connection, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    error = run_shapes(&session, cases, case_count, out_run, diagnostic);
    if (error == ERROR_NONE) {
        error = run_out(&session, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = connection_finish(&session.connection, session.launch->id, &out_run->activity,
                                  diagnostic);
        out_run->activity.ended_early = session.ended_early;
    }
    connection_close(&session.connection);
    return error;
}
