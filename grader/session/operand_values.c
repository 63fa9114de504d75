/* operand_values.c: see operand_values.h. */
#include "session/operand_values.h"

#include "session/inputs.h"

#include <stdlib.h>
#include <string.h>

static size_t operand_bytes(const struct operand_values *values, size_t operand)
{
    return values->observation->element_counts[operand] *
           element_bytes(values->launch->operands[operand].type);
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

    if (values->launch->call != NULL && values->launch->operands[operand].role == OPERAND_SCRATCH) {
        return ERROR_NONE; /* it is undefined, and the device sees reads of what nothing wrote */
    }
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

enum error operand_values_write(const struct operand_values *values, struct sample *sample,
                                struct diagnostic *diagnostic)
{
    const struct session_config *config = values->connection->config;
    const struct probe_values probe = {
        .rubric = config->rubric,
        .launch = values->launch,
        .observation = values->observation,
        .oracle = config->oracle != NULL ? session_oracle_get(config->oracle) : NULL,
        .seed = config->seed,
        .stream = values->stream,
        .kind = sample->kind,
    };
    enum error error = ERROR_NONE;

    probe_values_make(values->connection->arena, &probe, sample->before);
    for (size_t i = 0; i < values->launch->operand_count && error == ERROR_NONE; i++) {
        error = write_operand(values, i, sample->before[i], diagnostic);
    }
    return error;
}

/* Reads an input. As a rule it is what it was, so it is kept a second time only if it is not. */
static enum error read_input(const struct operand_values *values, size_t operand,
                             struct sample *sample, struct diagnostic *diagnostic)
{
    const size_t bytes = operand_bytes(values, operand);
    void *after = malloc(bytes + 1);

    if (after == NULL) {
        abort();
    }
    enum error error = connection_read_memory(values->connection, values->addresses[operand], after,
                                              bytes, diagnostic);
    sample->after[operand] = sample->before[operand];
    if (error == ERROR_NONE && memcmp(after, sample->before[operand], bytes) != 0) {
        void *kept = arena_alloc(values->connection->arena, bytes);
        memcpy(kept, after, bytes);
        sample->after[operand] = kept;
    }
    free(after);
    return error;
}

static enum error read_result(const struct operand_values *values, size_t operand,
                              struct sample *sample, struct diagnostic *diagnostic)
{
    const size_t bytes = operand_bytes(values, operand);
    void *after = arena_alloc(values->connection->arena, bytes);
    enum error error = connection_read_memory(values->connection, values->addresses[operand], after,
                                              bytes, diagnostic);

    sample->after[operand] = error == ERROR_NONE ? after : NULL;
    return error;
}

enum error operand_values_read(const struct operand_values *values, struct sample *sample,
                               struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < values->launch->operand_count && error == ERROR_NONE; i++) {
        const struct rubric_operand *operand = &values->launch->operands[i];
        if (operand_is_result(operand)) {
            error = read_result(values, i, sample, diagnostic);
        } else if (operand->role == OPERAND_INPUT) {
            error = read_input(values, i, sample, diagnostic);
        } else {
            sample->after[i] = sample->before[i]; /* nobody looks at scratch memory */
        }
    }
    return error;
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
