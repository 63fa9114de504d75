/* launch_case.c: see launch_case.h. */
#include "session/launch_case.h"

#include "model/case.h"
#include "session/operand_values.h"
#include "session/probe.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct case_walk case_start(struct connection *connection, const struct rubric_launch *launch)
{
    if (launch->input_count == 0) {
        connection_close_input(connection); /* a program that waits for a key goes on */
    }
    return (struct case_walk){
        .connection = connection, .launch = launch, .in_region = launch->input_count == 0};
}

static void disorder(struct case_walk *walk, const char *message, enum case_step *out_step)
{
    walk->disorder = message;
    *out_step = CASE_DISORDER;
}

static size_t operand_by_name(const struct rubric_launch *launch, const char *name)
{
    size_t i = 0;

    while (i < launch->operand_count && strcmp(launch->operands[i].name, name) != 0) {
        i++;
    }
    return i;
}

static bool take_operand(struct case_walk *walk, const struct connection_event *event,
                         enum case_step *out_step)
{
    const struct rubric_launch *launch = walk->launch;
    const size_t index = operand_by_name(launch, event->name);

    if (index == launch->operand_count) {
        disorder(walk, "an operand is announced that the rubric does not have", out_step);
        return true;
    }
    if ((walk->announced & 1u << index) != 0) {
        disorder(walk, "an operand is announced twice", out_step);
        return true;
    }
    walk->announced |= 1u << index;
    walk->connection->announced[index] = event->address;
    return false;
}

/* Takes a mark of a judged call; true if the walk has come to a step. */
static bool take_call_mark(struct case_walk *walk, const struct connection_event *event,
                           enum case_step *out_step)
{
    const uint32_t all = (1u << walk->launch->operand_count) - 1;

    switch (event->mark) {
    case CLIENT_MARK_CASE:
    case CLIENT_MARK_CASE_END:
        return false;
    case CLIENT_MARK_CALL:
        if (walk->in_region || walk->is_announcing || walk->in_other) {
            disorder(walk, "a call begins within another one", out_step);
            return true;
        }
        walk->is_announcing = strcmp(event->name, walk->launch->call) == 0;
        walk->in_other = !walk->is_announcing;
        walk->announced = 0;
        break;
    case CLIENT_MARK_OPERAND:
        if (!walk->is_announcing && !walk->in_other) {
            disorder(walk, "an operand is announced where no call begins", out_step);
            return true;
        }
        if (walk->is_announcing && take_operand(walk, event, out_step)) {
            return true;
        }
        break;
    default:
        if (walk->in_region || walk->in_other) {
            *out_step = CASE_OVER;
            walk->in_other = false;
            return walk->in_region;
        }
        disorder(walk,
                 walk->is_announcing ? "a call ends before all of its operands are announced"
                                     : "a call ends that has not begun",
                 out_step);
        return true;
    }
    if (walk->is_announcing && walk->announced == all) {
        *out_step = CASE_READY;
        walk->is_announcing = false;
        walk->in_region = true;
        return true;
    }
    return false;
}

/* Takes a mark of a case, or of a call where a launch in it is judged; true if the case is over. */
static bool take_case_mark(struct case_walk *walk, enum client_mark mark, enum case_step *out_step)
{
    bool is_end = mark == CLIENT_MARK_CASE_END || mark == CLIENT_MARK_CALL_END;

    if (walk->launch->input_count == 0 || mark == CLIENT_MARK_OPERAND) {
        return false;
    }
    if (is_end && walk->in_region) {
        *out_step = CASE_OVER;
        return true;
    }
    walk->in_region = !is_end;
    return false;
}

bool case_take(struct case_walk *walk, const struct connection_event *event,
               enum case_step *out_step)
{
    switch (event->kind) {
    case CONTROL_EVENT_GONE:
    case CONTROL_EVENT_BROKEN:
        *out_step = CASE_GONE;
        return true;
    case CONTROL_EVENT_MARKER:
        return walk->launch->call != NULL ? take_call_mark(walk, event, out_step)
                                          : take_case_mark(walk, event->mark, out_step);
    case CONTROL_EVENT_LAUNCH:
        *out_step = walk->in_region ? CASE_LAUNCH : *out_step;
        return walk->in_region;
    default:
        return false;
    }
}

enum error case_next(struct case_walk *walk, struct held_launch *out_launch,
                     enum case_step *out_step, struct diagnostic *diagnostic)
{
    struct connection_event event;
    enum error error = ERROR_NONE;

    do {
        error = connection_resume(walk->connection, &event, diagnostic);
    } while (error == ERROR_NONE && !case_take(walk, &event, out_step));
    if (error == ERROR_NONE && *out_step == CASE_LAUNCH) {
        *out_launch = event.launch;
    }
    return error;
}

/* Gives the call inputs like those of its first probe. */
static enum error feed_call(struct case_walk *walk, const struct observation *observation,
                            struct diagnostic *diagnostic)
{
    struct observation copy = *observation;
    struct bound_launch bound;
    struct sample sample = {.kind = PROBE_EXACT};
    enum error error = probe_bind(walk->connection, walk->launch, NULL, &copy, &bound, diagnostic);

    if (error != ERROR_NONE || copy.failure != CODE_NONE) {
        return error;
    }
    const struct operand_values values = {.connection = walk->connection,
                                          .launch = walk->launch,
                                          .addresses = bound.addresses,
                                          .observation = &copy};
    return operand_values_write(&values, &sample, diagnostic);
}

enum error case_next_launch(struct case_walk *walk, const struct observation *observation,
                            struct held_launch *out_launch, enum case_step *out_step,
                            struct diagnostic *diagnostic)
{
    enum error error = case_next(walk, out_launch, out_step, diagnostic);

    while (error == ERROR_NONE && *out_step == CASE_READY) {
        error = feed_call(walk, observation, diagnostic);
        if (error == ERROR_NONE) {
            error = case_next(walk, out_launch, out_step, diagnostic);
        }
    }
    if (error == ERROR_NONE && *out_step == CASE_DISORDER) {
        *out_step = CASE_GONE;
    }
    return error;
}

enum error case_next_numbered(struct case_walk *walk, const struct observation *observation,
                              struct held_launch *out_launch, enum case_step *out_step,
                              struct diagnostic *diagnostic)
{
    bool is_whole = walk->launch->input_count == 0;
    uint32_t number = is_whole ? walk->connection->config->launch_number : 0;
    enum error error = case_next_launch(walk, observation, out_launch, out_step, diagnostic);

    for (uint32_t i = 1; i < number && error == ERROR_NONE && *out_step == CASE_LAUNCH; i++) {
        struct kernel_launches unused;
        error = connection_let_pass(walk->connection, out_launch, UINT64_MAX, &unused, diagnostic);
        if (error == ERROR_NONE) {
            error = case_next_launch(walk, observation, out_launch, out_step, diagnostic);
        }
    }
    return error;
}

void case_send(struct connection *connection, const struct rubric_launch *launch,
               const int64_t *parameters)
{
    struct case_scope scope = {.rubric = connection->config->rubric, .parameters = parameters};
    struct text line;

    if (launch->input_count == 0) {
        return;
    }
    text_init(&line);
    for (size_t i = 0; i < launch->input_count; i++) {
        double value = 0.0;
        expression_evaluate(launch->input[i], case_lookup, &scope, &value, NULL);
        text_printf(&line, value == rint(value) ? "%s%.0f" : "%s%.17g", i == 0 ? "" : " ", value);
    }
    text_append_char(&line, '\n');
    connection_write(connection, line.bytes, line.length);
    text_release(&line);
}

static bool block_is_allowed(const struct rubric_launch *launch, int64_t block)
{
    for (size_t i = 0; i < launch->block_count; i++) {
        if (launch->blocks[i] == block) {
            return true;
        }
    }
    return launch->block_count == 0;
}

const char *case_kernel(const struct session_config *config, const struct rubric_launch *launch)
{
    return config->kernel != NULL ? config->kernel : launch->kernel;
}

int64_t case_block_width(const struct session_config *config, const struct rubric_launch *launch,
                         const int64_t *parameters)
{
    struct drawn_case drawn = {.case_index = SIZE_MAX};

    if (launch->block == NULL) {
        return config->block;
    }
    /* those that count have no unit */
    memcpy(drawn.units, parameters, config->rubric->parameter_count * sizeof *parameters);
    return case_block(config->rubric, launch, &drawn);
}

/* What the block width counts: blocks for vectors have one dimension. */
static const char *block_width_unit(const struct rubric_launch *launch, int64_t block_width)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (launch->operands[i].rank > 1) {
            return block_width == 1 ? "thread in x" : "threads in x";
        }
    }
    return block_width == 1 ? "thread" : "threads";
}

/* What is wrong with a block width that is none of those that the launch may have, or another one
 * than `expected`. */
static const char *block_width_text(struct arena *arena, const struct rubric_launch *launch,
                                    int64_t block_width, int64_t expected)
{
    const char *unit = block_width_unit(launch, block_width);

    if (expected == 0) {
        return arena_printf(arena,
                            "a block has %" PRId64 " %s, which is not an allowed block width",
                            block_width, unit);
    }
    return arena_printf(arena,
                        launch->block != NULL ? "a block has %" PRId64 " %s, expected %" PRId64
                                                " in this case"
                                              : "a block has %" PRId64 " %s, but had %" PRId64
                                                " in an earlier launch",
                        block_width, unit, expected);
}

void case_learn_block(struct arena *arena, const struct rubric_launch *launch,
                      const struct held_launch *held, int64_t *block,
                      struct observation *observation)
{
    int64_t block_width = held->geometry.block[0];

    if (*block == 0 && block_is_allowed(launch, block_width)) {
        *block = block_width;
    } else if (*block != block_width) {
        observation->failure = CODE_WRONG_BLOCK;
        observation->failure_message = block_width_text(arena, launch, block_width, *block);
    }
    observation->block = block_width;
}

uint64_t case_threads(const struct launch_geometry *geometry)
{
    uint64_t threads = 1;

    for (size_t i = 0; i < 3; i++) {
        if (__builtin_mul_overflow(threads, geometry->grid[i], &threads) ||
            __builtin_mul_overflow(threads, geometry->block[i], &threads)) {
            return UINT64_MAX;
        }
    }
    return threads;
}
