/* trace_launch.c: the accesses of one block of one case, logged on the emulated device; see
 * session.h.
 *
 *   start the program -> first shape -> the case -> its launch is held -> inputs of values that all
 *   differ, the output poisoned -> snapshot -> TRACE -> the program is stopped
 *
 * A kernel that is right once and wrong the next time is run once before.
 *
 * What goes wrong on the way, whoever's fault it is, gives no trace: what there is to judge of the
 * program has been judged before. The program sees nothing of it, as with a probe.
 */
#include "session/session.h"

#include "session/inputs.h"
#include "session/launch_case.h"
#include "session/probe.h"
#include "session/trace_inputs.h"
#include "session/trace_map.h"
#include "wire/trace_record.h"

#include <string.h>

/* A launch that is being traced. */
struct tracer {
    struct connection connection;
    const struct rubric_launch *launch;
    const struct trace_request *request;
    struct held_launch held;
    struct observation observation; /* of the case */
    struct bound_launch bound;
    struct launch_trace *trace;
    struct diagnostic diagnostic; /* nobody asks why there is no trace */
};

/* Sends the first shape and lets its launches run; the first of them tells the block width. */
static bool run_first_shape(struct tracer *tracer)
{
    struct connection *connection = &tracer->connection;
    struct case_walk walk = case_start(connection, tracer->launch);
    enum case_step step = CASE_LAUNCH;
    int64_t block =
        case_block_width(connection->config, tracer->launch, tracer->launch->first_values);
    struct observation first = {.block = block};
    bool is_learnt = false;

    memcpy(first.parameters, tracer->launch->first_values, sizeof first.parameters);
    case_send(connection, tracer->launch, tracer->launch->first_values);
    while (step == CASE_LAUNCH && tracer->observation.failure == CODE_NONE) {
        if (case_next_launch(&walk, &first, &tracer->held, &step, &tracer->diagnostic) !=
            ERROR_NONE) {
            return false;
        }
        if (step == CASE_LAUNCH && !is_learnt && tracer->launch->block_count > 0) {
            is_learnt = true;
            case_learn_block(connection->arena, tracer->launch, &tracer->held, &block,
                             &tracer->observation);
        }
    }
    return step == CASE_OVER;
}

/* Brings the program to the launch of the case and binds its operands. */
static bool hold_launch(struct tracer *tracer)
{
    struct connection *connection = &tracer->connection;
    struct observation *observation = &tracer->observation;
    enum case_step step;

    if (tracer->launch->has_first && tracer->launch->input_count > 0 && !run_first_shape(tracer)) {
        return false;
    }
    struct case_walk walk = case_start(connection, tracer->launch);
    memcpy(observation->parameters, tracer->request->parameters, sizeof observation->parameters);
    observation->block = tracer->request->block;
    if (connection_allow_work(connection, tracer->launch, observation->parameters,
                              observation->block, &tracer->diagnostic) != ERROR_NONE) {
        return false;
    }
    case_send(connection, tracer->launch, observation->parameters);
    if (case_next_numbered(&walk, observation, &tracer->held, &step, &tracer->diagnostic) !=
            ERROR_NONE ||
        step != CASE_LAUNCH) {
        return false;
    }
    if (tracer->launch->block_count > 0) {
        case_learn_block(connection->arena, tracer->launch, &tracer->held, &observation->block,
                         observation);
    }
    return observation->block == tracer->request->block &&
           probe_bind(connection, tracer->launch, &tracer->held, observation, &tracer->bound,
                      &tracer->diagnostic) == ERROR_NONE &&
           observation->failure == CODE_NONE;
}

/* True if the inputs can be told apart, and what is to be watched exists. */
static bool is_traceable(const struct tracer *tracer, size_t *out_total)
{
    const struct trace_request *request = tracer->request;
    size_t total = 0;

    for (size_t i = 0; i < tracer->launch->operand_count; i++) {
        bool is_input = operand_has_values(&tracer->launch->operands[i]);
        total += is_input ? tracer->observation.element_counts[i] : 0;
    }
    *out_total = total;
    return total <= TRACE_ELEMENTS_MAX && request->operand < tracer->launch->operand_count &&
           request->element < tracer->observation.element_counts[request->operand];
}

static bool write_input(struct tracer *tracer, size_t operand, struct trace_inputs *inputs)
{
    enum element_type type = tracer->launch->operands[operand].type;
    size_t count = tracer->observation.element_counts[operand];
    const void *values = trace_inputs_next(inputs, tracer->connection.arena, type, count);

    tracer->trace->inputs[operand] = values;
    return connection_write_memory(&tracer->connection, tracer->bound.addresses[operand], values,
                                   count * element_bytes(type), &tracer->diagnostic) == ERROR_NONE;
}

static bool poison_output(struct tracer *tracer, size_t operand)
{
    const struct input_plan plan = {
        .seed = tracer->connection.config->seed,
        .stream = TRACE_ELEMENTS_MAX,
        .kind = PROBE_EXACT,
    };
    const struct message fill = {
        .type = CONTROL_FILL,
        .words = {tracer->bound.addresses[operand],
                  tracer->observation.element_counts[operand] *
                      element_bytes(tracer->launch->operands[operand].type),
                  output_poison(&plan, tracer->launch->operands[operand].type)},
    };

    return connection_call(&tracer->connection, &fill, NULL, &tracer->diagnostic) == ERROR_NONE;
}

/* Writes inputs that only this seed gives, and poisons the output. */
static bool write_operands(struct tracer *tracer, uint64_t seed)
{
    struct trace_inputs inputs;
    size_t total = 0;

    if (!is_traceable(tracer, &total)) {
        return false;
    }
    trace_inputs_init(&inputs, seed, total);
    for (size_t i = 0; i < tracer->launch->operand_count; i++) {
        bool is_input = operand_has_values(&tracer->launch->operands[i]);
        if (!(is_input ? write_input(tracer, i, &inputs) : poison_output(tracer, i))) {
            return false;
        }
    }
    return true;
}

/* Which block of the grid a number means; false if there is no such block. */
static bool find_block(const uint32_t grid[3], uint64_t number, uint32_t out_index[3])
{
    out_index[0] = (uint32_t)(number % grid[0]);
    out_index[1] = (uint32_t)(number / grid[0] % grid[1]);
    out_index[2] = (uint32_t)(number / grid[0] / grid[1] % grid[2]);
    return number / grid[0] / grid[1] / grid[2] == 0;
}

/* Takes what the device says of the block. */
static bool read_trace(struct tracer *tracer, const struct message *reply)
{
    const struct launch_geometry *geometry = &tracer->held.geometry;
    const uint32_t *block = geometry->block;
    struct launch_trace *trace = tracer->trace;
    const struct trace_source source = {
        .module = &tracer->connection.code.modules[tracer->held.module],
        .launch = tracer->launch,
        .addresses = tracer->bound.addresses,
        .element_counts = tracer->observation.element_counts,
        .threads = block[0] * block[1] * block[2],
    };
    uint64_t accesses = reply->words[4];
    uint64_t places = reply->words[5];

    if (reply->words[0] != LAUNCH_DONE || accesses > TRACE_RECORDS_MAX ||
        places > TRACE_PLACES_MAX ||
        reply->payload_bytes != accesses * TRACE_RECORD_BYTES + places * TRACE_PLACE_BYTES ||
        !find_block(geometry->grid, reply->words[1], trace->block_index)) {
        return false;
    }
    trace->request = *tracer->request;
    memcpy(trace->element_counts, tracer->observation.element_counts, sizeof trace->element_counts);
    memcpy(trace->grid, geometry->grid, sizeof trace->grid);
    memcpy(trace->block, geometry->block, sizeof trace->block);
    trace->wrote_element = reply->words[2] != 0;
    trace->is_complete = reply->words[3] != 0;
    return trace_from_bytes(tracer->connection.arena, &source, reply->payload, (size_t)accesses,
                            (size_t)places, trace);
}

/* Lets the launch leave something behind. */
static bool run_before(struct tracer *tracer)
{
    const struct message probe = {.type = CONTROL_PROBE};
    struct message reply;

    return write_operands(tracer, ~tracer->connection.config->seed) &&
           connection_call(&tracer->connection, &probe, &reply, &tracer->diagnostic) ==
               ERROR_NONE &&
           reply.words[0] == LAUNCH_DONE;
}

/* Has the held launch traced. */
static bool trace_launch(struct tracer *tracer)
{
    const struct trace_request *request = tracer->request;
    const struct message snapshot = {.type = CONTROL_SNAPSHOT};
    struct message reply;

    if ((request->is_again && !run_before(tracer)) ||
        !write_operands(tracer, tracer->connection.config->seed) ||
        connection_call(&tracer->connection, &snapshot, NULL, &tracer->diagnostic) != ERROR_NONE) {
        return false;
    }
    size_t bytes = element_bytes(tracer->launch->operands[request->operand].type);
    const struct message trace = {
        .type = CONTROL_TRACE,
        .words = {tracer->bound.addresses[request->operand] + request->element * bytes, bytes},
    };
    return connection_call(&tracer->connection, &trace, &reply, &tracer->diagnostic) ==
               ERROR_NONE &&
           read_trace(tracer, &reply);
}

const struct launch_trace *session_trace_launch(const struct session_config *config,
                                                struct arena *arena,
                                                const struct trace_request *request)
{
    struct tracer tracer = {
        .launch = &config->rubric->launches[request->launch],
        .request = request,
        .trace = arena_alloc(arena, sizeof *tracer.trace),
    };

    memset(tracer.trace, 0, sizeof *tracer.trace);
    if (config->device.is_gpu ||
        connection_open(config, arena, case_kernel(config, tracer.launch), tracer.launch->arguments,
                        tracer.launch->argument_count, &tracer.connection,
                        &tracer.diagnostic) != ERROR_NONE) {
        return NULL;
    }
    bool is_traced = hold_launch(&tracer) && trace_launch(&tracer);
    connection_close(&tracer.connection);
    return is_traced ? tracer.trace : NULL;
}
