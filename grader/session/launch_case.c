/* launch_case.c: see launch_case.h. */
#include "session/launch_case.h"

#include "model/case.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct case_walk case_start(struct connection *connection, const struct rubric_launch *launch)
{
    if (launch->input_count == 0) {
        connection_close_input(connection); /* a program that waits for a key goes on */
    }
    return (struct case_walk){connection, launch, launch->input_count == 0};
}

enum error case_next(struct case_walk *walk, struct held_launch *out_launch,
                     enum case_step *out_step, struct diagnostic *diagnostic)
{
    for (;;) {
        struct connection_event event;
        enum error error = connection_resume(walk->connection, &event, diagnostic);

        if (error != ERROR_NONE) {
            return error;
        }
        if (event.kind == CONTROL_EVENT_GONE || event.kind == CONTROL_EVENT_BROKEN) {
            *out_step = CASE_GONE;
            return ERROR_NONE;
        }
        if (event.kind == CONTROL_EVENT_MARKER && walk->launch->input_count > 0) {
            if (!event.marker_begin && walk->in_region) {
                *out_step = CASE_OVER;
                return ERROR_NONE;
            }
            walk->in_region = event.marker_begin;
        }
        if (event.kind == CONTROL_EVENT_LAUNCH && walk->in_region) {
            *out_launch = event.launch;
            *out_step = CASE_LAUNCH;
            return ERROR_NONE;
        }
    }
}

enum error case_next_numbered(struct case_walk *walk, struct held_launch *out_launch,
                              enum case_step *out_step, struct diagnostic *diagnostic)
{
    bool is_whole = walk->launch->input_count == 0;
    uint32_t number = is_whole ? walk->connection->config->launch_number : 0;
    enum error error = case_next(walk, out_launch, out_step, diagnostic);

    for (uint32_t i = 1; i < number && error == ERROR_NONE && *out_step == CASE_LAUNCH; i++) {
        struct kernel_launches unused;
        error = connection_let_pass(walk->connection, out_launch, UINT64_MAX, &unused, diagnostic);
        if (error == ERROR_NONE) {
            error = case_next(walk, out_launch, out_step, diagnostic);
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
static const char *block_width_unit(const struct rubric_launch *launch)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (launch->operands[i].rank > 1) {
            return "threads in x";
        }
    }
    return "threads";
}

/* What is wrong with a block width that is none of those that the launch may have, or another one
 * than `expected`. */
static const char *block_width_text(struct arena *arena, const struct rubric_launch *launch,
                                    int64_t block_width, int64_t expected)
{
    const char *unit = block_width_unit(launch);

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
