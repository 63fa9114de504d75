/* operand_values.c: see operand_values.h. */
#include "session/operand_values.h"

#include "session/inputs.h"

size_t operand_input_count(const struct rubric_launch *launch)
{
    size_t count = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        count += launch->operands[i].role == OPERAND_INPUT ? 1 : 0;
    }
    return count;
}

static size_t operand_bytes(const struct operand_values *values, size_t operand)
{
    return values->observation->element_counts[operand] *
           element_bytes(values->launch->operands[operand].type);
}

static enum error write_input(const struct operand_values *values, size_t operand,
                              const struct input_plan *plan, struct sample *sample,
                              struct diagnostic *diagnostic)
{
    enum element_type type = values->launch->operands[operand].type;
    const void *input = input_values(values->connection->arena, plan, type,
                                     values->observation->element_counts[operand]);

    sample->before[operand] = input;
    return connection_write_memory(values->connection, values->addresses[operand], input,
                                   operand_bytes(values, operand), diagnostic);
}

static enum error poison_output(const struct operand_values *values, size_t operand,
                                const struct input_plan *plan, struct sample *sample,
                                struct diagnostic *diagnostic)
{
    size_t bytes = operand_bytes(values, operand);
    uint32_t pattern = output_poison(plan);
    uint32_t *before = arena_alloc(values->connection->arena, bytes);
    struct message fill = {
        .type = CONTROL_FILL,
        .words = {values->addresses[operand], bytes, pattern},
    };

    for (size_t i = 0; i < bytes / sizeof *before; i++) {
        before[i] = pattern;
    }
    sample->before[operand] = before;
    return connection_call(values->connection, &fill, NULL, diagnostic);
}

enum error operand_values_write(const struct operand_values *values, struct sample *sample,
                                struct diagnostic *diagnostic)
{
    struct input_plan plan = {
        .seed = values->connection->config->seed,
        .stream = values->stream,
        .kind = sample->kind,
        .input_count = operand_input_count(values->launch),
    };

    for (size_t i = 0; i < values->launch->operand_count; i++) {
        enum error error;
        if (values->launch->operands[i].role == OPERAND_INPUT) {
            plan.largest = values->launch->operands[i].largest;
            error = write_input(values, i, &plan, sample, diagnostic);
            plan.input++;
        } else {
            error = poison_output(values, i, &plan, sample, diagnostic);
        }
        if (error != ERROR_NONE) {
            return error;
        }
    }
    return ERROR_NONE;
}

enum error operand_values_read(const struct operand_values *values, struct sample *sample,
                               struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < values->launch->operand_count; i++) {
        size_t bytes = operand_bytes(values, i);
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
