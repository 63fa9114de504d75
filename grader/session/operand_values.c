/* operand_values.c: see operand_values.h. */
#include "session/operand_values.h"

#include "model/case.h"
#include "model/oracle_watch.h"
#include "session/inputs.h"

#include <math.h>
#include <string.h>

/* A number of no operand, for what the oracle draws. */
enum { ORACLE_STREAM = 1002 };

size_t operand_input_count(const struct rubric_launch *launch)
{
    size_t count = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        count += operand_has_values(&launch->operands[i]) ? 1 : 0;
    }
    return count;
}

static size_t operand_bytes(const struct operand_values *values, size_t operand)
{
    return values->observation->element_counts[operand] *
           element_bytes(values->launch->operands[operand].type);
}

/* The additions of the longest sum that a result is said to be; 0: none is. */
static double additions_of(const struct operand_values *values)
{
    struct case_scope scope = {.rubric = values->connection->config->rubric,
                               .parameters = values->observation->parameters,
                               .block = values->observation->block};
    double most = 0.0;

    for (size_t i = 0; i < values->launch->operand_count; i++) {
        const struct compare_rule *rule = &values->launch->operands[i].compare;
        double additions = 0.0;
        if (rule->additions != NULL &&
            expression_evaluate(rule->additions, case_lookup, &scope, &additions, NULL)) {
            most = fmax(most, additions);
        }
    }
    return most;
}

static size_t float_inputs(const struct rubric_launch *launch)
{
    size_t count = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        count +=
            operand_has_values(&launch->operands[i]) && element_is_float(launch->operands[i].type)
                ? 1
                : 0;
    }
    return count;
}

/* What an operand holds before the launch, in the arena. */
static void *values_before(const struct operand_values *values, size_t operand,
                           struct input_plan *plan)
{
    const struct rubric_operand *of = &values->launch->operands[operand];
    struct arena *arena = values->connection->arena;
    size_t bytes = operand_bytes(values, operand);

    if (operand_has_values(of)) {
        plan->largest = of->largest;
        plan->domain = input_domain_of(values->connection->config->rubric, values->launch, operand,
                                       values->observation);
        void *input =
            input_values(arena, plan, of->type, values->observation->element_counts[operand]);
        plan->input++;
        return input;
    }
    unsigned char *before = arena_alloc(arena, bytes); /* of zeros */
    uint32_t pattern = output_poison(plan, of->type);
    for (size_t i = 0; !of->starts_as_zero && i < bytes; i += sizeof pattern) {
        memcpy(before + i, &pattern, bytes - i < sizeof pattern ? bytes - i : sizeof pattern);
    }
    return before;
}

/* Writes what an operand holds: what repeats is sent once. */
static enum error write_operand(const struct operand_values *values, size_t operand,
                                const void *before, struct diagnostic *diagnostic)
{
    struct connection *connection = values->connection;
    const size_t bytes = operand_bytes(values, operand), tail = bytes % sizeof(uint32_t);
    const uint64_t address = values->addresses[operand];
    uint32_t pattern = 0;
    enum error error = ERROR_NONE;

    if (operand_has_values(&values->launch->operands[operand])) {
        return connection_write_memory(connection, address, before, bytes, diagnostic);
    }
    if (bytes > tail) {
        memcpy(&pattern, before, sizeof pattern);
        const struct message fill = {.type = CONTROL_FILL,
                                     .words = {address, bytes - tail, pattern}};
        error = connection_call(connection, &fill, NULL, diagnostic);
    }
    return error != ERROR_NONE || tail == 0
               ? error
               : connection_write_memory(connection, address + (bytes - tail),
                                         (const char *)before + (bytes - tail), tail, diagnostic);
}

/* Lets the oracle change the inputs. */
static void make_inputs(const struct operand_values *values, const struct sample *sample)
{
    const struct session_config *config = values->connection->config;
    const struct oracle *oracle =
        config->oracle != NULL ? session_oracle_get(config->oracle) : NULL;
    struct posed_problem problem;
    struct rng rng;

    if (oracle != NULL && oracle->make_inputs != NULL) {
        problem_pose(config->rubric, values->launch, values->observation, sample->before, &problem);
        rng_init(&rng, config->seed, values->stream, (uint64_t)probe_inputs(sample->kind),
                 ORACLE_STREAM);
        oracle_make_inputs(oracle, values->launch, &problem, &rng);
    }
}

enum error operand_values_write(const struct operand_values *values, struct sample *sample,
                                struct diagnostic *diagnostic)
{
    struct input_plan plan = {
        .seed = values->connection->config->seed,
        .stream = values->stream,
        .kind = sample->kind,
        .input_count = operand_input_count(values->launch),
        .is_factor = float_inputs(values->launch) > 1,
        .additions = additions_of(values),
    };
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < values->launch->operand_count; i++) {
        sample->before[i] = values_before(values, i, &plan);
    }
    make_inputs(values, sample);
    for (size_t i = 0; i < values->launch->operand_count && error == ERROR_NONE; i++) {
        error = write_operand(values, i, sample->before[i], diagnostic);
    }
    return error;
}

enum error operand_values_read(const struct operand_values *values, struct sample *sample,
                               struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < values->launch->operand_count; i++) {
        size_t bytes = operand_bytes(values, i);

        if (values->launch->operands[i].role == OPERAND_SCRATCH) {
            sample->after[i] = sample->before[i]; /* nobody looks at it */
            continue;
        }
        void *after = arena_alloc(values->connection->arena, bytes);
        enum error error = connection_read_memory(values->connection, values->addresses[i], after,
                                                  bytes, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        sample->after[i] = after;
    }
    return ERROR_NONE;
}

void operand_values_lost(const struct operand_values *values, struct sample *sample)
{
    for (size_t i = 0; i < values->launch->operand_count; i++) {
        if (sample->before[i] == NULL) {
            sample->before[i] = arena_alloc(values->connection->arena, operand_bytes(values, i));
        }
        sample->after[i] = sample->before[i];
    }
}
