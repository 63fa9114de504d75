/* launch_recipe.c: learns what a trusted program launches for a case; see session.h.
 *
 * The program is run like a submission's, under the sandbox, until its launch is held or its call
 * has ended. What that asks for is copied; it never runs, and the program is stopped. The device
 * must be the emulated one with the model of the real GPU: what the program chooses by the GPU's
 * properties, as a block width by the occupancy calculator, is then what it would choose there.
 *
 * Only operands may be addresses. A value in another argument or in a variable is copied as it is,
 * so a coursework whose reference solution keeps an address there cannot be timed: the launch would
 * fault, which the measurement reports as trouble.
 */
#include "session/session.h"

#include "session/launch_case.h"
#include "session/probe.h"
#include "session/recorded_call.h"

#include <string.h>

/* A recipe that is being learnt. */
struct learner {
    struct connection connection;
    const struct rubric_launch *launch;
    struct held_launch held;
    struct observation observation; /* of the case */
    struct bound_launch bound;
    struct recorded_call *record;
};

/* Why a program came to no launch: the first call that failed, or else what it says itself. */
static const char *first_complaint(struct arena *arena, const struct program_activity *activity)
{
    if (activity->call_error_count > 0) {
        const struct call_error *call = &activity->call_errors[0];
        return arena_printf(arena, ": %s fails with %s", call->call, call->name);
    }
    size_t length = strcspn(activity->errors, "\n");
    return length == 0 ? "" : arena_printf(arena, ": %.*s", (int)length, activity->errors);
}

static enum error never_launched(struct learner *learner, enum case_step step,
                                 struct diagnostic *diagnostic)
{
    struct program_activity activity;

    if (step != CASE_GONE) {
        connection_stop(&learner->connection);
    }
    enum error error =
        connection_finish(&learner->connection, learner->launch->id, &activity, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    diagnostic_set(diagnostic, BLAME_RUBRIC,
                   "the reference solution does not launch `%s` for the timed shape%s",
                   case_kernel(learner->connection.config, learner->launch),
                   first_complaint(learner->connection.arena, &activity));
    return ERROR_COURSEWORK;
}

/* Records the call that is ready, and takes the launch that tells the block width for the held one.
 */
static enum error record_call(struct learner *learner, struct case_walk *walk, enum case_step *step,
                              struct diagnostic *diagnostic)
{
    enum error error = probe_bind(&learner->connection, learner->launch, NULL,
                                  &learner->observation, &learner->bound, diagnostic);

    if (error != ERROR_NONE || learner->observation.failure != CODE_NONE) {
        return error;
    }
    error = call_record(walk, &learner->observation, &learner->bound, learner->record, step,
                        diagnostic);
    const struct recorded_step *launch = recorded_launch(learner->record, learner->launch);
    if (error == ERROR_NONE && *step == CASE_OVER && launch != NULL) {
        learner->held.geometry = recorded_geometry(launch);
        *step = CASE_LAUNCH;
    }
    return error;
}

/* Records the launch that is held. */
static enum error record_launch(struct learner *learner, struct diagnostic *diagnostic)
{
    struct connection *connection = &learner->connection;
    enum error error = probe_bind(connection, learner->launch, &learner->held,
                                  &learner->observation, &learner->bound, diagnostic);

    return error == ERROR_NONE && learner->observation.failure == CODE_NONE
               ? launch_record(connection, learner->launch, &learner->held, &learner->bound,
                               learner->record, diagnostic)
               : error;
}

/* Sends the case and records its launch or call. Its numbers do not depend on the block width, so
 * no first shape has to tell that. */
static enum error reach_launch(struct learner *learner, const int64_t *parameters,
                               struct diagnostic *diagnostic)
{
    struct connection *connection = &learner->connection;
    struct observation *observation = &learner->observation;
    struct case_walk walk = case_start(connection, learner->launch);
    enum case_step step;

    memcpy(observation->parameters, parameters,
           connection->config->rubric->parameter_count * sizeof *parameters);
    observation->block = case_block_width(connection->config, learner->launch, parameters);
    case_send(connection, learner->launch, parameters);
    enum error error = case_next(&walk, &learner->held, &step, diagnostic);
    if (error == ERROR_NONE && step == CASE_READY) {
        error = record_call(learner, &walk, &step, diagnostic);
    }
    if (error == ERROR_NONE && observation->failure == CODE_NONE && step != CASE_LAUNCH) {
        error = never_launched(learner, step, diagnostic);
    }
    if (error == ERROR_NONE && observation->failure == CODE_NONE &&
        learner->launch->block_count > 0) {
        case_learn_block(connection->arena, learner->launch, &learner->held, &observation->block,
                         observation);
    }
    if (error == ERROR_NONE && learner->launch->call == NULL) {
        error = record_launch(learner, diagnostic);
    }
    if (error == ERROR_NONE && observation->failure != CODE_NONE) {
        diagnostic_set(diagnostic, BLAME_RUBRIC, "the reference solution: %s",
                       observation->failure_message);
        error = ERROR_COURSEWORK;
    }
    const char *problem = learner->record->reads_back ? "reads what kernels have computed"
                                                      : learner->record->unrepeatable;
    if (error == ERROR_NONE && problem != NULL) {
        diagnostic_set(diagnostic, BLAME_RUBRIC, "the reference solution's call %s", problem);
        error = ERROR_COURSEWORK;
    }
    return error;
}

/* The variable of the launch's module that is the operand; NULL if there is none. */
static const struct code_variable *operand_variable(const struct code_module *module,
                                                    const struct rubric_operand *operand)
{
    for (size_t i = 0; i < module->variable_count && operand->bind.is_symbol; i++) {
        if (strcmp(module->variables[i].plain_name, operand->bind.symbol) == 0) {
            return &module->variables[i];
        }
    }
    return NULL;
}

/* Which operands are variables. */
static enum error take_operands(const struct learner *learner, struct launch_recipe *recipe,
                                struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < learner->launch->operand_count && learner->launch->call == NULL; i++) {
        const struct rubric_operand *operand = &learner->launch->operands[i];
        const struct code_module *module = &learner->connection.code.modules[learner->held.module];
        const struct code_variable *variable = operand_variable(module, operand);

        if (operand->bind.is_symbol && variable == NULL) {
            diagnostic_set(diagnostic, BLAME_RUBRIC,
                           "the reference solution has %s in a different source file than `%s`: a "
                           "timed launch needs them in the same file",
                           operand->name, module->kernels[learner->held.kernel].plain_name);
            return ERROR_COURSEWORK;
        }
        recipe->operand_symbols[i] = variable == NULL ? NULL : variable->name;
    }
    return ERROR_NONE;
}

static bool is_operand(const struct learner *learner, const struct code_variable *variable)
{
    for (size_t i = 0; i < learner->launch->operand_count; i++) {
        const struct binding *bind = &learner->launch->operands[i].bind;
        if (bind->is_symbol && strcmp(bind->symbol, variable->plain_name) == 0) {
            return true;
        }
    }
    return false;
}

/* Reads one variable; *out_known is false for one that is only declared in this module. */
static enum error read_variable(struct learner *learner, uint32_t module,
                                const struct code_variable *variable,
                                struct recipe_variable *out_variable, bool *out_known,
                                struct diagnostic *diagnostic)
{
    struct message symbol = {
        .type = CONTROL_SYMBOL,
        .words = {module},
        .payload = variable->name,
        .payload_bytes = strlen(variable->name),
    };
    struct message reply;
    enum error error = connection_call(&learner->connection, &symbol, &reply, diagnostic);

    *out_known = error == ERROR_NONE && reply.words[1] > 0;
    if (error == ERROR_NOT_FOUND || (error == ERROR_NONE && !*out_known)) {
        return ERROR_NONE;
    }
    if (error != ERROR_NONE) {
        return error;
    }
    const size_t length = (size_t)reply.words[1];
    uint8_t *bytes = arena_alloc(learner->connection.arena, length);
    error = connection_read_memory(&learner->connection, reply.words[0], bytes, length, diagnostic);
    if (error == ERROR_NONE) {
        *out_variable = (struct recipe_variable){module, variable->name, bytes, length};
    }
    return error;
}

/* What the variables of a module hold, but for the operands. */
static enum error take_variables(struct learner *learner, uint32_t number,
                                 struct launch_recipe *recipe, size_t *capacity,
                                 struct diagnostic *diagnostic)
{
    const struct code_module *module = &learner->connection.code.modules[number];
    struct recipe_variable *variables = (struct recipe_variable *)(uintptr_t)recipe->variables;

    arena_grow(learner->connection.arena, &variables, capacity,
               recipe->variable_count + module->variable_count, sizeof *variables);
    recipe->variables = variables;
    for (size_t i = 0; i < module->variable_count; i++) {
        bool known = false;
        if (is_operand(learner, &module->variables[i])) {
            continue;
        }
        enum error error = read_variable(learner, number, &module->variables[i],
                                         &variables[recipe->variable_count], &known, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        recipe->variable_count += known ? 1 : 0;
    }
    return ERROR_NONE;
}

/* True if an earlier step is a launch of the same module. */
static bool is_known_module(const struct recorded_call *record, size_t step)
{
    for (size_t i = 0; i < step; i++) {
        if (record->steps[i].kernel != NULL &&
            record->steps[i].step.module == record->steps[step].step.module) {
            return true;
        }
    }
    return false;
}

static enum error take_recipe(struct learner *learner, struct launch_recipe *out_recipe,
                              struct diagnostic *diagnostic)
{
    struct launch_recipe recipe = {
        .program = learner->connection.config->program,
        .record = learner->record,
        .block = learner->observation.block,
    };
    size_t capacity = 0;
    enum error error = take_operands(learner, &recipe, diagnostic);

    for (size_t i = 0; i < learner->record->step_count && error == ERROR_NONE; i++) {
        const struct recorded_step *step = &learner->record->steps[i];
        if (step->kernel != NULL && !is_known_module(learner->record, i)) {
            error = take_variables(learner, step->step.module, &recipe, &capacity, diagnostic);
        }
    }
    if (error == ERROR_NONE) {
        *out_recipe = recipe;
    }
    return error;
}

enum error session_learn_launch(const struct session_config *config, struct arena *arena,
                                size_t launch, const int64_t *parameters,
                                struct launch_recipe *out_recipe, struct diagnostic *diagnostic)
{
    struct learner learner = {.launch = &config->rubric->launches[launch]};
    const bool is_call = learner.launch->call != NULL;

    learner.record = arena_alloc(arena, sizeof *learner.record);
    enum error error = connection_open(
        config, arena, is_call ? NULL : case_kernel(config, learner.launch),
        learner.launch->arguments, learner.launch->argument_count, &learner.connection, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    error = reach_launch(&learner, parameters, diagnostic);
    if (error == ERROR_NONE) {
        error = take_recipe(&learner, out_recipe, diagnostic);
    }
    connection_close(&learner.connection);
    return error;
}
