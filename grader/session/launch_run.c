/* launch_run.c: one observed launch over all cases; see session.h.
 *
 * A harness launches its kernel once for a case, and that launch is judged. A whole program, which
 * gets one case, may try its kernel out first: with fewer blocks, or with blocks of other block
 * widths. Of it the first launch is judged that has the right block width and leaves no element of
 * an output as it was. As long as there is none, a launch that does not fit is given up for a later
 * one that does, and one that leaves elements out for a later one of more threads, or one of as
 * many that leaves none out. Launches of equal geometry are never looked at twice: what was judged
 * wrong is not mended by doing it again.
 */
#include "session/session.h"

#include "session/call_run.h"
#include "session/launch_case.h"
#include "session/probe.h"
#include "session/program_call.h"
#include "session/stand_ins.h"
#include "session/step_map.h"
#include "session/trial_launches.h"

#include <assert.h>
#include <string.h>

enum {
    LOOKS_MAX = 12,  /* launches of a whole program that are looked at for one case */
    HELD_MAX = 4096, /* and of those that are held to see their geometry */
};

/* The run so far. */
struct launch_session {
    struct connection connection;
    const struct session_config *config;
    const struct rubric_launch *launch;
    size_t launch_index;
    int64_t block;                          /* 0 until it is known */
    struct launch_geometry seen[LOOKS_MAX]; /* [look_count]: the launches looked at */
    size_t look_count;                      /* in this case */
    uint32_t launch_count;                  /* held in this case */
    struct trial_launches misfits;
    bool gone;        /* the program has closed its channel */
    bool ended_early; /* it did so before it had read all shapes */
    bool has_begun;   /* it has marked the begin of a case */
    bool lacks_end;   /* it has not marked the end of the last one */
    bool held;        /* a launch is held and will not be let go: nothing more can be learnt */
    struct call_session calls; /* where calls are judged */
    struct observation *last;  /* that was made; NULL: none was */
};

/* True if a harness reads each case from its input; otherwise the program runs on its own. */
static bool is_driven_by_input(const struct launch_session *session)
{
    return session->launch->input_count > 0;
}

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

/* True if no element of an output still holds what it was poisoned with. */
static bool covers_outputs(const struct launch_session *session,
                           const struct observation *observation)
{
    const struct sample *sample = observation->samples;

    if (observation->sample_count == 0 || sample->status != SAMPLE_DONE) {
        return false;
    }
    for (size_t i = 0; i < session->launch->operand_count; i++) {
        const struct rubric_operand *operand = &session->launch->operands[i];
        const uint8_t *before = sample->before[i];
        const uint8_t *after = sample->after[i];
        size_t bytes = element_bytes(operand->type);
        size_t count =
            operand->role == OPERAND_OUTPUT && !operand->starts_as_zero && bytes >= sizeof(uint32_t)
                ? observation->element_counts[i]
                : 0;
        for (size_t j = 0; j < count; j++) {
            if (memcmp(before + j * bytes, after + j * bytes, bytes) == 0) {
                return false;
            }
        }
    }
    return true;
}

/* True if a later launch of a whole program cannot be the one to judge. */
static bool is_settled(const struct launch_session *session, bool is_first_shape,
                       const struct observation *observation)
{
    return session->look_count == LOOKS_MAX || session->launch_count >= HELD_MAX ||
           (observation->failure == CODE_NONE &&
            (is_first_shape || covers_outputs(session, observation)));
}

static bool was_seen(const struct launch_session *session, const struct launch_geometry *geometry)
{
    for (size_t i = 0; i < session->look_count; i++) {
        if (memcmp(&session->seen[i], geometry, sizeof *geometry) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_right_block_width(const struct launch_session *session,
                                  const struct held_launch *held)
{
    struct observation unused = {.failure = CODE_NONE};
    int64_t block = session->block;

    case_learn_block(session->connection.arena, session->launch, held, &block, &unused);
    return unused.failure == CODE_NONE;
}

/* True if a launch could be judged in place of the one that is. */
static bool is_worth_a_look(const struct launch_session *session, const struct held_launch *held,
                            const struct observation *judged)
{
    return session->look_count < LOOKS_MAX && !was_seen(session, &held->geometry) &&
           has_right_block_width(session, held) &&
           (judged->failure != CODE_NONE ||
            case_threads(&held->geometry) >= case_threads(&judged->geometry));
}

static bool is_judged_instead(const struct launch_session *session, const struct observation *later,
                              const struct observation *judged)
{
    if (later->failure != CODE_NONE || judged->failure != CODE_NONE) {
        return later->failure == CODE_NONE;
    }
    return case_threads(&later->geometry) > case_threads(&judged->geometry) ||
           covers_outputs(session, later);
}

/* Looks at a held launch; what it shows replaces what was seen before if it is the one to judge. */
static enum error look_at_launch(struct launch_session *session, const struct held_launch *held,
                                 bool is_first_shape, struct observation *observation,
                                 struct diagnostic *diagnostic)
{
    struct observation later = {
        .case_index = observation->case_index,
        .repetition = observation->repetition,
        .block = session->block,
        .launch_count = session->launch_count,
    };

    memcpy(later.parameters, observation->parameters, sizeof later.parameters);
    session->seen[session->look_count++] = held->geometry;
    enum error error = observe_launch(session, held, is_first_shape, &later, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    session->held = sampling_stopped(&later) ||
                    (later.failure == CODE_WRONG_BLOCK && is_driven_by_input(session));
    if (!observation->launched || is_judged_instead(session, &later, observation)) {
        *observation = later;
    }
    return ERROR_NONE;
}

/* A program that runs on its own may launch its kernel thousands of times to time it: it is held up
 * no longer than it takes to find the launch that is judged. If input drives the program, the
 * number of its launches counts. */
static enum error let_others_pass(struct launch_session *session, const struct held_launch *held,
                                  bool is_first_shape, const struct observation *observation,
                                  struct diagnostic *diagnostic)
{
    struct kernel_launches unused;

    if (session->held || is_driven_by_input(session)) {
        return ERROR_NONE;
    }
    return is_settled(session, is_first_shape, observation)
               ? connection_ignore(&session->connection,
                                   case_kernel(session->config, session->launch), diagnostic)
               : connection_let_pass(&session->connection, held, UINT64_MAX, &unused, diagnostic);
}

static enum error note_launch(struct launch_session *session, const struct held_launch *held,
                              bool is_first_shape, struct observation *observation,
                              struct diagnostic *diagnostic)
{
    bool is_driven = is_driven_by_input(session);
    enum error error = ERROR_NONE;

    session->launch_count++;
    if (!observation->launched || (!is_driven && is_worth_a_look(session, held, observation))) {
        error = look_at_launch(session, held, is_first_shape, observation, diagnostic);
    }
    if (is_driven) {
        observation->launch_count = session->launch_count;
    } else if (error == ERROR_NONE && !has_right_block_width(session, held)) {
        error = trial_launches_note(&session->misfits, &session->connection, session->launch->id,
                                    held, diagnostic);
    }
    return error == ERROR_NONE
               ? let_others_pass(session, held, is_first_shape, observation, diagnostic)
               : error;
}

static enum error run_calls(struct launch_session *session, bool is_first_shape,
                            struct observation *observation, struct diagnostic *diagnostic)
{
    struct call_session *calls = &session->calls;

    calls->block = session->block;
    enum error error = call_run_case(calls, is_first_shape, observation, diagnostic);
    session->block = calls->block;
    session->gone = session->ended_early = calls->gone;
    session->held = calls->is_over && !calls->gone; /* how a crash ends is waited for */
    session->has_begun = calls->has_begun;
    session->lacks_end = calls->lacks_end;
    return error;
}

/* Sends the case and lets the program work on it, until its end mark or its own end. */
static enum error run_case(struct launch_session *session, bool is_first_shape,
                           struct observation *observation, struct diagnostic *diagnostic)
{
    if (session->launch->call != NULL) {
        return run_calls(session, is_first_shape, observation, diagnostic);
    }
    case_send(&session->connection, session->launch, observation->parameters);
    struct case_walk walk = case_start(&session->connection, session->launch);

    session->look_count = 0;
    session->launch_count = 0;
    for (;;) {
        struct held_launch held;
        enum case_step step;
        enum error error = case_next(&walk, &held, &step, diagnostic);

        if (error != ERROR_NONE) {
            return error;
        }
        session->has_begun = session->has_begun || walk.in_region;
        session->lacks_end = walk.in_region && step != CASE_OVER;
        if (step == CASE_OVER) {
            return ERROR_NONE;
        }
        if (step == CASE_GONE) {
            session->gone = true;
            session->ended_early = session->launch->input_count > 0;
            return ERROR_NONE;
        }
        error = note_launch(session, &held, is_first_shape, observation, diagnostic);
        if (error != ERROR_NONE || session->held) {
            return error;
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
    session->block = case_block_width(session->config, session->launch, observation->parameters);
    enum error error = connection_allow_work(&session->connection, session->launch,
                                             observation->parameters, session->block, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    return run_case(session, true, observation, diagnostic);
}

/* Has the launches from now on logged. */
static enum error watch_steps(struct launch_session *session, struct diagnostic *diagnostic)
{
    const struct step_request *steps = session->config->steps;
    const char *kernel = case_kernel(session->config, session->launch);

    if (steps == NULL) {
        return ERROR_NONE;
    }
    kernel = steps->kernel != NULL ? steps->kernel : kernel;
    return steps_watch(&session->connection.link, &session->connection.code,
                       kernel[0] == '\0' ? NULL : kernel, steps, diagnostic);
}

static enum error run_drawn_case(struct launch_session *session, const struct drawn_case *drawn,
                                 struct observation *observation, struct diagnostic *diagnostic)
{
    observation->case_index = drawn->case_index;
    observation->repetition = drawn->repetition;
    if (session->launch->block != NULL || session->block == 0) {
        session->block = case_block_width(session->config, session->launch, drawn->units);
    }
    observation->block = session->block;
    case_parameters(session->config->rubric, drawn, session->block, observation->parameters);
    enum error error = connection_allow_work(&session->connection, session->launch,
                                             observation->parameters, session->block, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    return run_case(session, false, observation, diagnostic);
}

/* All shapes one after the other; what comes after the program's end is left out. */
static enum error run_shapes(struct launch_session *session, const struct drawn_case *cases,
                             size_t case_count, struct launch_run *out_run,
                             struct diagnostic *diagnostic)
{
    struct observation *observations =
        arena_array(session->connection.arena, case_count + 1, sizeof *observations);
    bool has_input = session->launch->input_count > 0;
    size_t count = 0;
    enum error error = case_count == 0 ? watch_steps(session, diagnostic) : ERROR_NONE;

    if (error == ERROR_NONE && session->launch->has_first && (has_input || case_count == 0)) {
        error = run_first_shape(session, &observations[count++], diagnostic);
        if (session->block == 0 && session->launch->block_count > 0) {
            case_count = 0; /* no block width, no shapes */
        }
    }
    for (size_t i = 0; i < case_count && error == ERROR_NONE; i++) {
        if (session->gone || session->held) {
            break;
        }
        error = i == 0 ? watch_steps(session, diagnostic) : ERROR_NONE;
        if (error == ERROR_NONE && session->config->variants != NULL) {
            error = stand_ins_use(&session->connection, session->config->variants[i], diagnostic);
        }
        if (error == ERROR_NONE) {
            error = run_drawn_case(session, &cases[i], &observations[count++], diagnostic);
        }
    }
    session->last = count > 0 ? &observations[count - 1] : NULL;
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
    if (session->launch->call != NULL && !session->gone) {
        error = call_run_out(&session->calls, session->last, diagnostic);
        if (session->calls.is_over) {
            connection_stop(&session->connection);
            return error;
        }
        session->gone = session->calls.gone;
    }
    while (error == ERROR_NONE && !session->gone) {
        error = connection_resume(&session->connection, &event, diagnostic);
        session->gone = event.kind == CONTROL_EVENT_GONE || event.kind == CONTROL_EVENT_BROKEN;
    }
    return error;
}

/* Where nothing was judged in place of them, launches that do not fit are the mistake. */
static void forgive_misfits(const struct launch_session *session, struct launch_run *run)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        if (run->observations[i].failure != CODE_NONE || run->observations[i].sample_count == 0) {
            return;
        }
    }
    trial_launches_forgive(&session->misfits, session->connection.arena, &run->activity);
}

/* What its marks say of a program that has ended: nothing of a whole program, which has none, or of
 * one that was stopped at a launch. */
static void note_marks(const struct launch_session *session, struct program_activity *activity)
{
    bool has_marks = session->launch->input_count > 0 && !session->held;

    activity->ended_early = session->ended_early;
    activity->lacks_begin = has_marks && !session->has_begun;
    activity->lacks_end = has_marks && session->lacks_end;
    activity->call = session->launch->call;
}

/* Findings of calls that leave no sample are reported with those of the program's own data. */
static void add_loose_findings(const struct launch_session *session,
                               struct program_activity *activity)
{
    const struct call_session *calls = &session->calls;
    const size_t count = activity->finding_count + calls->loose_count;
    struct finding *all = arena_array(session->connection.arena, count + 1, sizeof *all);

    if (calls->loose_count == 0) {
        return;
    }
    memcpy(all, calls->loose, calls->loose_count * sizeof *all);
    if (activity->finding_count > 0) {
        memcpy(all + calls->loose_count, activity->findings, activity->finding_count * sizeof *all);
    }
    activity->findings = all;
    activity->finding_count = count;
}

/* The kernel that does all work of each call, in one launch; NULL: there is none. */
static const char *only_kernel(const struct launch_run *run)
{
    const char *name = NULL;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t k = 0; k < observation->sample_count; k++) {
            const struct sample *sample = &observation->samples[k];
            bool is_alone = sample->kernel_count == 1 && sample->kernels[0].launches == 1;
            if (sample->kernel_count == 0) {
                continue;
            }
            if (!is_alone || (name != NULL && strcmp(name, sample->kernels[0].plain_name) != 0)) {
                return NULL;
            }
            name = sample->kernels[0].plain_name;
        }
    }
    return name;
}

enum error session_run_launch(const struct session_config *config, struct arena *arena,
                              size_t launch, const struct drawn_case *cases, size_t case_count,
                              struct launch_run *out_run, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = config->rubric;
    const bool has_harness = rubric->programs[rubric->launches[launch].program].harness_count > 0;
    struct session_config observing = *config;
    struct launch_session session = {
        .config = &observing,
        .launch = &config->rubric->launches[launch],
        .launch_index = launch,
    };

    if (launch_is_program(session.launch)) {
        return program_call_run(config, arena, launch, cases, case_count, out_run, diagnostic);
    }
    assert(session.launch->input_count > 0 || case_count <= 1);
    memset(out_run, 0, sizeof *out_run);
    out_run->kernel = config->kernel;
    observing.given_only = has_harness && rubric_counts_baseline(rubric, launch);
    /* Within a call no launch is held. */
    const char *kernel = session.launch->call != NULL ? NULL : case_kernel(config, session.launch);
    enum error error =
        connection_open(&observing, arena, kernel, session.launch->arguments,
                        session.launch->argument_count, &session.connection, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    session.calls = (struct call_session){.connection = &session.connection,
                                          .launch = session.launch,
                                          .launch_index = launch,
                                          .given_only = observing.given_only};
    error = run_shapes(&session, cases, case_count, out_run, diagnostic);
    if (error == ERROR_NONE) {
        error = run_out(&session, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = connection_finish(&session.connection, session.launch->id, &out_run->activity,
                                  diagnostic);
        if (error == ERROR_NONE && config->steps != NULL &&
            session.connection.link.loss == DEVICE_SERVES) {
            error = steps_take(&session.connection.link, arena, &session.connection.code,
                               &session.connection.operands, &out_run->steps, diagnostic);
        }
        add_loose_findings(&session, &out_run->activity);
        note_marks(&session, &out_run->activity);
        forgive_misfits(&session, out_run);
        if (session.launch->kernel[0] == '\0') {
            out_run->kernel = only_kernel(out_run);
        }
    }
    connection_close(&session.connection);
    return error;
}

uint32_t session_launch_number(const struct launch_run *run, const int64_t *parameters,
                               int64_t block)
{
    uint32_t number = 0;
    bool has_block_width = false;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        bool is_block_width = observation->block == block;
        if (observation->sample_count == 0) {
            continue;
        }
        if (memcmp(observation->parameters, parameters, sizeof observation->parameters) == 0) {
            return observation->launch_count;
        }
        if (is_block_width && !has_block_width) {
            number = 0;
            has_block_width = true;
        }
        if (is_block_width == has_block_width && observation->launch_count > number) {
            number = observation->launch_count;
        }
    }
    return number;
}
