/* time_launch.c: one launch of a submission, timed on a real GPU; see session.h.
 *
 *   start the program -> first shape -> the shape that is timed -> its launch is held
 *   -> the program is killed -> baseline and reference are loaded as modules of the grader's own
 *   -> they are timed alone (timing_control) -> timing_loop
 *
 * The program is killed before anything is measured, so none of its threads and children disturb.
 * It sees no time, and no data that was timed: these come from a seed that the system's random pool
 * gives.
 *
 * A launch of the grader's own that fails is trouble of the machine, but a kernel of the submission
 * that ran before it in the same process may have caused it. So the caller should time once more,
 * in a fresh process, before it believes run->trouble. If it fails there too, and both times only
 * after it had run alone (run->is_spoilt), it is the submission's kernel that makes it fail.
 */
#include "session/session.h"

#include "base/clock.h"
#include "base/rng.h"
#include "session/launch_case.h"
#include "session/probe.h"
#include "session/recorded_call.h"
#include "session/timing_control.h"
#include "session/timing_loop.h"
#include "session/timing_operands.h"

#include <inttypes.h>
#include <string.h>

/* A launch that is being timed. */
struct launch_timer {
    struct connection connection;
    const struct session_config *config;
    const struct timing_task *task;
    const struct rubric_launch *launch;
    struct held_launch held;
    struct observation observation; /* of the case */
    struct bound_launch bound;
    struct recorded_call *record; /* what is timed */
    bool gone;                    /* the program has closed its channel */
    uint64_t secret;              /* part of each request's seed */
    struct timing_request *request;
    struct timing_sample *samples; /* [TIMING_SAMPLES_MAX] */
    struct timing_control control;
    struct timing_run *run;
};

static void fail(struct launch_timer *timer, enum code code, const char *message)
{
    if (timer->run->failure == CODE_NONE) {
        timer->run->failure = code;
        timer->run->failure_message = message;
    }
}

static void fail_unlaunched(struct launch_timer *timer, enum case_step step, const char *shape)
{
    timer->gone = step == CASE_GONE;
    fail(timer, CODE_NEVER_LAUNCHED,
         arena_printf(timer->connection.arena, "`%s` is not launched for %s",
                      case_kernel(timer->config, timer->launch), shape));
}

static void fail_unrepeatable(struct launch_timer *timer, const char *problem)
{
    const char *name = timer->launch->call != NULL ? timer->launch->call
                                                   : case_kernel(timer->config, timer->launch);

    fail(timer, CODE_NOT_REPEATABLE,
         arena_printf(timer->connection.arena, "`%s` %s, so it cannot be timed by itself", name,
                      problem));
}

/* Records the call that is ready; what it launches becomes the held launch, as far as its geometry
 * is concerned. */
static enum error record_call(struct launch_timer *timer, struct case_walk *walk,
                              struct observation *observation, enum case_step *step,
                              struct diagnostic *diagnostic)
{
    enum error error =
        probe_bind(&timer->connection, timer->launch, NULL, observation, &timer->bound, diagnostic);

    if (error != ERROR_NONE || observation->failure != CODE_NONE) {
        return error;
    }
    error = call_record(walk, observation, &timer->bound, timer->record, step, diagnostic);
    const struct recorded_step *launch = recorded_launch(timer->record, timer->launch);
    if (error == ERROR_NONE && *step == CASE_OVER && launch != NULL) {
        timer->held.geometry = recorded_geometry(launch);
        *step = CASE_LAUNCH;
    } else if (error == ERROR_NONE && timer->record->unrepeatable != NULL) {
        fail_unrepeatable(timer, timer->record->unrepeatable); /* the launch may be left out */
    }
    return error;
}

/* Sends the first shape and lets its launches run, or records its call; the first launch tells the
 * block width. */
static enum error run_first_shape(struct launch_timer *timer, struct diagnostic *diagnostic)
{
    struct connection *connection = &timer->connection;
    struct case_walk walk = case_start(connection, timer->launch);
    enum case_step step = CASE_LAUNCH;
    enum error error = ERROR_NONE;
    int64_t block = case_block_width(timer->config, timer->launch, timer->launch->first_values);
    struct observation first = {.block = block};
    bool is_learnt = false;
    bool is_call = timer->launch->call != NULL;

    memcpy(first.parameters, timer->launch->first_values, sizeof first.parameters);
    case_send(connection, timer->launch, timer->launch->first_values);
    while (error == ERROR_NONE && step == CASE_LAUNCH && timer->observation.failure == CODE_NONE &&
           !(is_call && is_learnt)) {
        error = case_next(&walk, &timer->held, &step, diagnostic);
        if (error == ERROR_NONE && step == CASE_READY) {
            error = record_call(timer, &walk, &first, &step, diagnostic);
        }
        if (error == ERROR_NONE && step == CASE_LAUNCH && !is_learnt) {
            is_learnt = true;
            case_learn_block(connection->arena, timer->launch, &timer->held, &block,
                             &timer->observation);
        }
    }
    if (error == ERROR_NONE && timer->observation.failure == CODE_NONE &&
        (step == CASE_GONE || !is_learnt)) {
        fail_unlaunched(timer, step, "the first shape");
    }
    return error;
}

/* Records the launch that is held. */
static enum error record_launch(struct launch_timer *timer, struct diagnostic *diagnostic)
{
    struct observation *observation = &timer->observation;
    enum error error = probe_bind(&timer->connection, timer->launch, &timer->held, observation,
                                  &timer->bound, diagnostic);

    return error == ERROR_NONE && observation->failure == CODE_NONE
               ? launch_record(&timer->connection, timer->launch, &timer->held, &timer->bound,
                               timer->record, diagnostic)
               : error;
}

/* Sends the shape that is timed; its first launch, the one that was judged, or its call is
 * recorded.
 */
static enum error hold_launch(struct launch_timer *timer, struct diagnostic *diagnostic)
{
    struct connection *connection = &timer->connection;
    struct observation *observation = &timer->observation;
    struct case_walk walk = case_start(connection, timer->launch);
    enum case_step step;
    int64_t expected = case_block_width(timer->config, timer->launch, observation->parameters);

    if (expected != 0) {
        observation->block = expected;
    }
    case_send(connection, timer->launch, observation->parameters);
    enum error error =
        timer->launch->call != NULL
            ? case_next(&walk, &timer->held, &step, diagnostic)
            : case_next_numbered(&walk, observation, &timer->held, &step, diagnostic);
    if (error == ERROR_NONE && step == CASE_READY) {
        error = record_call(timer, &walk, observation, &step, diagnostic);
    }
    if (error != ERROR_NONE || observation->failure != CODE_NONE) {
        return error;
    }
    if (step != CASE_LAUNCH) {
        fail_unlaunched(timer, step, "the timed shape");
        return ERROR_NONE;
    }
    if (timer->launch->block_count > 0) {
        case_learn_block(connection->arena, timer->launch, &timer->held, &observation->block,
                         observation);
    }
    return timer->launch->call != NULL ? ERROR_NONE : record_launch(timer, diagnostic);
}

/* Brings the program to the launch that is timed; what it gets wrong becomes the run's failure. */
static enum error reach_launch(struct launch_timer *timer, struct diagnostic *diagnostic)
{
    struct observation *observation = &timer->observation;
    enum error error = ERROR_NONE;

    memcpy(observation->parameters, timer->task->parameters, sizeof observation->parameters);
    if (timer->launch->has_first && timer->launch->input_count > 0) {
        error = run_first_shape(timer, diagnostic);
    }
    if (error == ERROR_NONE && timer->run->failure == CODE_NONE &&
        observation->failure == CODE_NONE) {
        error = hold_launch(timer, diagnostic);
    }
    if (error == ERROR_NONE && observation->failure != CODE_NONE) {
        fail(timer, observation->failure, observation->failure_message);
    }
    timer->run->block = observation->block;
    return error;
}

static bool add_step(struct timing_contender *contender, const struct timing_step *step,
                     const uint8_t *parameters)
{
    if (step->kind == TIMING_LAUNCH) {
        return timing_add_launch(contender, step, parameters);
    }
    if (contender->step_count == TIMING_STEPS_MAX) {
        return false;
    }
    contender->steps[contender->step_count++] = *step;
    return true;
}

/* What was copied from the host is copied from memory of the grader's own. */
static enum error place_upload(struct launch_timer *timer, const struct recorded_step *recorded,
                               struct timing_step *step, struct diagnostic *diagnostic)
{
    return recorded->uploaded == NULL ? ERROR_NONE
                                      : connection_keep(&timer->connection, recorded->uploaded,
                                                        step->bytes, &step->from, diagnostic);
}

/* Describes the submission's steps as they are: they run in the process that recorded them. */
static enum error describe_judged(struct launch_timer *timer, struct diagnostic *diagnostic)
{
    struct timing_contender *contender = &timer->request->contenders[TIMING_JUDGED];
    const struct recorded_call *record = timer->record;
    const char *problem = record->unrepeatable;

    timer->run->reads_back = record->reads_back;
    memcpy(contender->addresses, timer->bound.addresses, sizeof timer->bound.addresses);
    for (size_t i = 0; i < record->memory_count; i++) {
        const struct recorded_memory *memory = &record->memory[i];
        if (memory->operand == SIZE_MAX) {
            contender->scratch[contender->scratch_count++] =
                (struct timing_range){memory->start, memory->bytes};
        }
    }
    for (size_t i = 0; i < record->step_count && problem == NULL; i++) {
        struct timing_step step = record->steps[i].step;
        enum error error = place_upload(timer, &record->steps[i], &step, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        if (!add_step(contender, &step, record->steps[i].parameters)) {
            problem = "passes too many bytes of arguments to its kernels";
        }
    }
    if (problem != NULL) {
        fail_unrepeatable(timer, problem);
    }
    return ERROR_NONE;
}

/* Asks where a variable of the grader's own module lies. ERROR_NOT_FOUND: the assembler has left it
 * out, since nothing uses it. */
static enum error find_own_variable(struct launch_timer *timer, uint32_t module, const char *name,
                                    struct message *out_reply, struct diagnostic *diagnostic)
{
    const struct message symbol = {
        .type = CONTROL_SYMBOL,
        .words = {module},
        .payload = name,
        .payload_bytes = strlen(name),
    };

    return connection_call(&timer->connection, &symbol, out_reply, diagnostic);
}

/* The modules of a recipe that are loaded as the grader's own, and where its memory is. */
struct trusted_place {
    struct launch_timer *timer;
    const struct rubric_launch *launch;
    const struct launch_recipe *recipe;
    const struct session_config *owner;
    struct {
        uint32_t module; /* of the program */
        uint32_t own;    /* on the device */
    } modules[RECORDED_STEPS_MAX];
    size_t module_count;
    uint64_t scratch[RECORDED_MEMORY_MAX]; /* what the recipe's memory is here, if it is scratch */
};

/* The own module that stands for one of the program's; it is loaded when it is first needed. */
static enum error own_module(struct trusted_place *place, uint32_t module, uint32_t *out_own,
                             struct diagnostic *diagnostic)
{
    struct connection *connection = &place->timer->connection;
    const struct kernel_resources *kernels = NULL;
    size_t kernel_count = 0;
    uint64_t own = 0;

    for (size_t i = 0; i < place->module_count; i++) {
        if (place->modules[i].module == module) {
            *out_own = place->modules[i].own;
            return ERROR_NONE;
        }
    }
    enum error error = session_resources(place->owner, connection->arena, module, &kernels,
                                         &kernel_count, diagnostic);
    if (error == ERROR_NONE) {
        const struct module_resources *code = &place->owner->resources->modules[module];
        error =
            device_link_load_own(&connection->link, &place->owner->program->code.modules[module],
                                 code->image, code->image_bytes, &own, diagnostic);
    }
    if (error == ERROR_NONE) {
        place->modules[place->module_count].module = module;
        place->modules[place->module_count++].own = (uint32_t)own;
        *out_own = (uint32_t)own;
    }
    return error;
}

/* Gives the variables of the own modules what the recipe's program had set. */
static enum error write_variables(struct trusted_place *place, struct diagnostic *diagnostic)
{
    struct launch_timer *timer = place->timer;

    for (size_t i = 0; i < place->recipe->variable_count; i++) {
        const struct recipe_variable *variable = &place->recipe->variables[i];
        struct message reply;
        uint32_t own = 0;
        enum error error = own_module(place, variable->module, &own, diagnostic);

        if (error == ERROR_NONE) {
            error = find_own_variable(timer, own, variable->name, &reply, diagnostic);
        }
        if (error == ERROR_NOT_FOUND) {
            continue;
        }
        if (error == ERROR_NONE && reply.words[1] != variable->length) {
            diagnostic_set(diagnostic, BLAME_GRADER,
                           "the variable %s has %" PRIu64 " bytes on the GPU, expected %zu",
                           variable->name, reply.words[1], variable->length);
            error = ERROR_INTERNAL;
        }
        if (error == ERROR_NONE) {
            error = connection_write_memory(&timer->connection, reply.words[0], variable->bytes,
                                            variable->length, diagnostic);
        }
        if (error != ERROR_NONE) {
            return error;
        }
    }
    return ERROR_NONE;
}

/* The operand of a trusted launch that has the name of one of the timed launch's. */
static size_t operand_named(const struct rubric_launch *launch, const char *name)
{
    size_t i = 0;

    while (i < launch->operand_count && strcmp(launch->operands[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* Lets a trusted contender work in the submission's buffers, or in its own variables where it takes
 * no argument. */
static enum error place_operands(struct trusted_place *place, struct timing_contender *contender,
                                 struct diagnostic *diagnostic)
{
    struct launch_timer *timer = place->timer;

    for (size_t i = 0; i < timer->launch->operand_count; i++) {
        const char *name = timer->launch->operands[i].name;
        size_t own = operand_named(place->launch, name);

        if (own == place->launch->operand_count) {
            diagnostic_set(diagnostic, BLAME_RUBRIC, "the launch `%s` has no operand %s",
                           place->launch->id, name);
            return ERROR_COURSEWORK;
        }
        contender->addresses[i] = timer->bound.addresses[i];
        if (place->recipe->operand_symbols[own] != NULL) {
            struct message reply;
            uint32_t module = 0;
            enum error error =
                own_module(place, place->recipe->record->steps[0].step.module, &module, diagnostic);
            if (error == ERROR_NONE) {
                error = find_own_variable(timer, module, place->recipe->operand_symbols[own],
                                          &reply, diagnostic);
            }
            if (error != ERROR_NONE) {
                return error;
            }
            contender->addresses[i] = reply.words[0];
        }
    }
    return ERROR_NONE;
}

/* Makes scratch memory of the size that the recipe's program had. */
static enum error place_scratch(struct trusted_place *place, struct timing_contender *contender,
                                struct diagnostic *diagnostic)
{
    const struct recorded_call *record = place->recipe->record;

    for (size_t i = 0; i < record->memory_count; i++) {
        const struct message allocate = {.type = CONTROL_ALLOCATE,
                                         .words = {record->memory[i].bytes}};
        struct message reply;
        if (record->memory[i].operand != SIZE_MAX) {
            continue;
        }
        enum error error =
            connection_call(&place->timer->connection, &allocate, &reply, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        place->scratch[i] = reply.words[0];
        contender->scratch[contender->scratch_count++] =
            (struct timing_range){reply.words[0], record->memory[i].bytes};
    }
    return ERROR_NONE;
}

/* What an address of the recipe's program is here; itself if it is none. */
static uint64_t relocated(const struct trusted_place *place, const struct timing_contender *to,
                          uint64_t address)
{
    const struct recorded_call *record = place->recipe->record;

    for (size_t i = 0; i < record->memory_count; i++) {
        const struct recorded_memory *memory = &record->memory[i];
        if (address - memory->start >= memory->bytes) {
            continue;
        }
        if (memory->operand == SIZE_MAX) {
            return place->scratch[i] + (address - memory->start);
        }
        size_t operand =
            operand_named(place->timer->launch, place->launch->operands[memory->operand].name);
        if (operand < place->timer->launch->operand_count) {
            return to->addresses[operand] + (address - record->operands[memory->operand]);
        }
    }
    return address;
}

/* A copy of the parameters of a launch with the addresses that are right here. */
static const uint8_t *relocated_parameters(const struct trusted_place *place,
                                           const struct timing_contender *to,
                                           const struct recorded_step *step)
{
    const size_t bytes = step->step.parameter_bytes;
    uint8_t *copy = arena_alloc(place->timer->connection.arena, bytes + 1);

    memcpy(copy, step->parameters, bytes);
    for (size_t i = 0; i < step->kernel->parameter_count; i++) {
        const struct code_parameter *parameter = &step->kernel->parameters[i];
        uint64_t end = parameter->offset + parameter->bytes;
        for (uint64_t at = parameter->offset; at + 8 <= end && at + 8 <= bytes; at += 8) {
            uint64_t word;
            memcpy(&word, copy + at, sizeof word);
            word = relocated(place, to, word);
            memcpy(copy + at, &word, sizeof word);
        }
    }
    return copy;
}

static enum error place_steps(struct trusted_place *place, struct timing_contender *contender,
                              struct diagnostic *diagnostic)
{
    const struct recorded_call *record = place->recipe->record;

    for (size_t i = 0; i < record->step_count; i++) {
        const struct recorded_step *from = &record->steps[i];
        struct timing_step step = from->step;
        const uint8_t *parameters = NULL;
        enum error error = ERROR_NONE;

        if (step.kind == TIMING_LAUNCH) {
            error = own_module(place, from->step.module, &step.module, diagnostic);
            parameters = relocated_parameters(place, contender, from);
        } else {
            step.to = relocated(place, contender, step.to);
            step.from = relocated(place, contender, step.from);
            error = place_upload(place->timer, from, &step, diagnostic);
        }
        if (error != ERROR_NONE) {
            return error;
        }
        if (!add_step(contender, &step, parameters)) {
            diagnostic_set(diagnostic, BLAME_RUBRIC, "`%s` takes too many bytes of arguments",
                           from->kernel == NULL ? "" : from->kernel->plain_name);
            return ERROR_COURSEWORK;
        }
    }
    return ERROR_NONE;
}

/* Loads a recipe's modules beside the submission's and describes its steps. */
static enum error describe_trusted(struct launch_timer *timer, enum timing_role role,
                                   const struct rubric_launch *launch,
                                   const struct launch_recipe *recipe,
                                   const struct session_config *owner,
                                   struct diagnostic *diagnostic)
{
    struct timing_contender *contender = &timer->request->contenders[role];
    struct trusted_place *place = arena_alloc(timer->connection.arena, sizeof *place);

    *place =
        (struct trusted_place){.timer = timer, .launch = launch, .recipe = recipe, .owner = owner};
    enum error error = place_operands(place, contender, diagnostic);
    if (error == ERROR_NONE) {
        error = place_scratch(place, contender, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = place_steps(place, contender, diagnostic);
    }
    return error == ERROR_NONE ? write_variables(place, diagnostic) : error;
}

/* Everything of a request that does not change between batches. */
static enum error build_request(struct launch_timer *timer, struct diagnostic *diagnostic)
{
    const struct timing_task *task = timer->task;
    const struct rubric *rubric = timer->config->rubric;
    struct timing_request *request = timer->request;

    request->judged = TIMING_JUDGED;
    request->baseline = TIMING_BASELINE;
    request->reference = TIMING_REFERENCE;
    request->contender_count = TIMING_ROLES;
    request->restores_judged = timer->launch->call != NULL;
    enum error error = describe_judged(timer, diagnostic);
    timer->observation.case_index = SIZE_MAX; /* of no case */
    const struct timed_operands operands = {.connection = &timer->connection,
                                            .launch = timer->launch,
                                            .observation = &timer->observation,
                                            .secret = timer->secret};
    if (error == ERROR_NONE) {
        error = timing_describe_operands(&operands, request, diagnostic);
    }
    if (error == ERROR_NONE) {
        error =
            describe_trusted(timer, TIMING_BASELINE, &rubric->launches[task->criterion->baseline],
                             task->baseline, task->baseline_config, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = describe_trusted(timer, TIMING_REFERENCE, timer->launch, task->reference,
                                 task->reference_config, diagnostic);
    }
    request->contenders[TIMING_TWIN] = request->contenders[TIMING_REFERENCE];
    return error;
}

/* Findings as they are reported: with the launch they belong to. */
static const struct finding *named_findings(struct launch_timer *timer,
                                            const struct timing_reply *reply)
{
    struct finding *findings =
        arena_array(timer->connection.arena, reply->finding_count, sizeof *findings);

    for (size_t i = 0; i < reply->finding_count; i++) {
        findings[i] = reply->findings[i];
        findings[i].launch = timer->launch->id;
    }
    return findings;
}

static enum error measure(void *context, const struct timing_batch *batch,
                          struct timing_outcome *out_outcome, struct diagnostic *diagnostic)
{
    struct launch_timer *timer = context;
    struct timing_reply reply;
    struct rng rng;

    rng_init(&rng, timer->config->seed, timer->secret, timer->task->criterion->launch,
             batch->number);
    timer->request->seed = rng_next(&rng);
    timer->request->block_count = batch->block_count;
    timer->request->launches_per_span = batch->launches_per_span;
    enum error error =
        connection_time(&timer->connection, timer->request, timer->samples, &reply, diagnostic);
    if (error == ERROR_NONE) {
        timer->run->copy_bandwidth = reply.copy_bandwidth;
        *out_outcome = (struct timing_outcome){
            .status = reply.status,
            .contender = reply.contender,
            .samples = timer->samples,
            .sample_count = reply.sample_count,
            .findings = named_findings(timer, &reply),
            .finding_count = reply.finding_count,
        };
    }
    return error;
}

/* Times baseline and reference alone: in the judged place is the reference once more, which also
 * shows that comparing works. What goes wrong here is no fault of the submission's launch. */
static enum error measure_control(struct launch_timer *timer, struct diagnostic *diagnostic)
{
    const struct timing_batch batch = {UINT32_MAX, TIMING_CONTROL_BLOCKS, 1};
    struct timing_contender *judged = &timer->request->contenders[TIMING_JUDGED];
    struct timing_contender *kept = arena_alloc(timer->connection.arena, sizeof *kept);
    struct timing_outcome outcome = {.status = LAUNCH_DONE};
    struct timing_run compared = {.first_wrong = UINT64_MAX};

    *kept = *judged;
    *judged = timer->request->contenders[TIMING_REFERENCE];
    enum error error = measure(timer, &batch, &outcome, diagnostic);
    *judged = *kept;
    if (error != ERROR_NONE) {
        return error;
    }
    timing_note_comparisons(outcome.samples, outcome.sample_count, &compared);
    if (outcome.status != LAUNCH_DONE) {
        timer->run->trouble = "the reference solution does not run on this GPU at the timed shape";
    } else if (compared.wrong_spans > 0) {
        timer->run->trouble = "the reference solution's results differ from run to run on this GPU";
    } else if (compared.changed_spans > 0) {
        timer->run->trouble = "the reference solution changes its inputs";
    }
    timing_control_note(outcome.samples, outcome.sample_count, &timer->control);
    return ERROR_NONE;
}

static uint64_t wall_clock_ns(void *context)
{
    (void)context;
    return clock_now_ns();
}

static enum error measure_launch(struct launch_timer *timer, struct diagnostic *diagnostic)
{
    const struct timing_plan plan = {
        .budget_ns = timer->task->budget_ns,
        .settled_below = timer->task->criterion->no_marks,
        .seed = timer->config->seed,
        .measure = measure,
        .now_ns = wall_clock_ns,
        .context = timer,
    };

    if (!rng_seed_from_system(&timer->secret)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "the system gives no random numbers");
        return ERROR_ENVIRONMENT;
    }
    enum error error = build_request(timer, diagnostic);
    if (error != ERROR_NONE || timer->run->failure != CODE_NONE) {
        return error;
    }
    error = measure_control(timer, diagnostic);
    if (error == ERROR_NONE && timer->run->trouble[0] == '\0') {
        error = timing_loop(&plan, timer->connection.arena, timer->run, diagnostic);
        /* the driver refuses steps of ours that it took before */
        timer->run->is_spoilt = timer->run->is_spoilt || error == ERROR_ENVIRONMENT;
    }
    if (error == ERROR_NONE && timer->run->failure == CODE_NONE && timer->run->trouble[0] == '\0' &&
        timing_control_slower(&timer->control, timer->run)) {
        timer->run->trouble = "the other kernels became slower after the submission's had run: "
                              "something else used the GPU, or the submission's kernel slowed "
                              "them down";
    }
    return error;
}

/* A GPU without memory left, or the like, is the machine's trouble with this one criterion. */
static enum error note_trouble(struct launch_timer *timer, enum error error,
                               const struct diagnostic *diagnostic)
{
    if (error != ERROR_LIMIT && error != ERROR_ENVIRONMENT) {
        return error;
    }
    timer->run->trouble = arena_strdup(timer->connection.arena, diagnostic->message);
    return ERROR_NONE;
}

/* Stops the program, which has nothing left to do, and asks what it did. */
static enum error finish(struct launch_timer *timer, struct diagnostic *diagnostic)
{
    struct program_activity *activity = &timer->run->activity;

    if (!timer->gone && !timer->connection.program_ended) {
        connection_stop(&timer->connection);
    }
    enum error error =
        connection_finish(&timer->connection, timer->launch->id, activity, diagnostic);
    activity->ended_early = timer->gone && timer->launch->input_count > 0;
    return error;
}

/* Code that the GPU's driver refuses is the submission's failure. */
static enum error note_refusal(struct timing_run *run, struct arena *arena, enum error error,
                               const struct diagnostic *diagnostic)
{
    if (diagnostic->blame != BLAME_STUDENT) {
        return error;
    }
    run->failure = error == ERROR_LIMIT ? CODE_DEVICE_MEMORY : CODE_LAUNCH_REFUSED;
    run->failure_message = arena_strdup(arena, diagnostic->message);
    return ERROR_NONE;
}

enum error session_time_launch(const struct session_config *config, struct arena *arena,
                               const struct timing_task *task, struct timing_run *out_run,
                               struct diagnostic *diagnostic)
{
    struct launch_timer timer = {
        .config = config,
        .task = task,
        .launch = &config->rubric->launches[task->criterion->launch],
        .request = arena_alloc(arena, sizeof *timer.request),
        .record = arena_alloc(arena, sizeof *timer.record),
        .samples = arena_array(arena, TIMING_SAMPLES_MAX, sizeof *timer.samples),
        .run = out_run,
    };
    struct diagnostic local = {.blame = BLAME_NONE};

    memset(out_run, 0, sizeof *out_run);
    out_run->ran = true;
    out_run->trouble = "";
    out_run->reference_block = task->reference->block;
    memcpy(out_run->parameters, task->parameters, sizeof out_run->parameters);
    const bool is_call = timer.launch->call != NULL;
    enum error error = connection_open(
        config, arena, is_call ? NULL : case_kernel(config, timer.launch), timer.launch->arguments,
        timer.launch->argument_count, &timer.connection, &local);
    if (error != ERROR_NONE) {
        error = note_refusal(out_run, arena, error, &local);
    } else {
        error = reach_launch(&timer, &local);
        if (error == ERROR_NONE && out_run->failure == CODE_NONE) {
            connection_stop(&timer.connection);
            error = note_trouble(&timer, measure_launch(&timer, &local), &local);
        }
        if (error == ERROR_NONE) {
            error = finish(&timer, &local);
        }
        connection_close(&timer.connection);
    }
    if (error != ERROR_NONE) {
        *diagnostic = local;
    }
    return error;
}
