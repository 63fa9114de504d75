/* launch_case.c: see launch_case.h. */
#include "session/launch_case.h"

#include <inttypes.h>

struct case_walk case_start(struct connection *connection, const struct rubric_launch *launch)
{
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
        text_printf(&line, "%s%.0f", i == 0 ? "" : " ", value);
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

void case_learn_block(struct arena *arena, const struct rubric_launch *launch,
                      const struct held_launch *held, int64_t *block,
                      struct observation *observation)
{
    int64_t edge = held->geometry.block[0];

    if (*block == 0 && block_is_allowed(launch, edge)) {
        *block = edge;
    } else if (*block != edge) {
        observation->failure = CODE_WRONG_BLOCK;
        observation->failure_message =
            *block == 0 ? arena_printf(arena,
                                       "a block has %" PRId64 " columns, which is none of the "
                                       "edges that are allowed",
                                       edge)
                        : arena_printf(arena,
                                       "a block has %" PRId64 " columns, and had %" PRId64
                                       " in an earlier launch",
                                       edge, *block);
    }
    observation->block = edge;
}
