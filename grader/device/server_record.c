/* server_record.c: a judged call that is recorded: what the program asks for is written down and
 * not carried out (CALL in control_messages.def).
 */
#include "device/server_state.h"

#include <stdlib.h>
#include <string.h>

bool server_call_records(const struct server *server)
{
    return server->call.is_open && server->call.is_recorded;
}

/* The next step, for its parameters to be set; NULL if there are too many. */
static struct server_call_step *add_step(struct server_call *call,
                                         const struct call_step_record *record)
{
    if (call->record.steps == CALL_STEPS_MAX) {
        call->record.steps_left_out = call->record.steps_left_out + 1;
        return NULL;
    }
    struct server_call_step *step = &call->steps[call->record.steps++];
    *step = (struct server_call_step){.record = *record};
    return step;
}

static void keep_bytes(struct server_call_step *step, const void *bytes, size_t length)
{
    step->parameters = malloc(length + 1);
    if (step->parameters == NULL) {
        abort();
    }
    memcpy(step->parameters, bytes, length);
}

void server_call_keep_launch(struct server *server, const struct device_launch *launch,
                             size_t parameter_bytes)
{
    const struct call_step_record record = {
        .kind = CALL_STEP_LAUNCH,
        .module = launch->module,
        .function = launch->function,
        .grid = control_dimensions_pack(launch->grid),
        .block = control_dimensions_pack(launch->block),
        .dynamic_shared_bytes = launch->dynamic_shared_bytes,
        .is_cooperative = launch->is_cooperative,
        .parameter_bytes = parameter_bytes,
    };
    struct server_call_step *step = add_step(&server->call, &record);

    if (step != NULL) {
        keep_bytes(step, launch->parameters, parameter_bytes);
    }
}

void server_call_keep_upload(struct server *server, const struct call_step_record *step,
                             uint64_t to_pitch, uint64_t rows, const uint8_t *bytes)
{
    struct call_step_record row = *step;

    row.kind = CALL_STEP_UPLOAD;
    row.parameter_bytes = row.bytes;
    for (uint64_t i = 0; i < rows && server->call.record.steps_left_out == 0; i++) {
        /* more than the parameters of a launch may be is more than any rubric lets cross */
        struct server_call_step *kept =
            row.bytes <= CLIENT_PARAMETERS_BYTES ? add_step(&server->call, &row) : NULL;
        if (kept == NULL) {
            server->call.record.steps_left_out = 1;
            return;
        }
        keep_bytes(kept, bytes + i * row.bytes, (size_t)row.bytes);
        row.to += to_pitch;
    }
}

void server_call_keep_rows(struct server *server, const struct call_step_record *step,
                           uint64_t to_pitch, uint64_t from_pitch, uint64_t rows)
{
    bool is_whole = rows == 1 || (to_pitch == step->bytes && from_pitch == step->bytes);
    struct call_step_record row = *step;

    if (is_whole) {
        row.bytes *= rows;
        rows = 1;
    }
    for (uint64_t i = 0; i < rows && server->call.record.steps_left_out == 0; i++) {
        add_step(&server->call, &row);
        row.to += to_pitch;
        row.from += from_pitch;
    }
}

void server_call_pack_steps(const struct server_call *call, struct text *out)
{
    for (size_t i = 0; i < call->record.steps; i++) {
        const struct server_call_step *step = &call->steps[i];
        uint8_t bytes[CALL_STEP_RECORD_BYTES];

        call_step_record_pack(&step->record, bytes);
        text_append_bytes(out, bytes, sizeof(bytes));
        if (step->record.parameter_bytes > 0) {
            text_append_bytes(out, step->parameters, (size_t)step->record.parameter_bytes);
        }
    }
}

void server_call_release_steps(struct server_call *call)
{
    for (size_t i = 0; i < call->record.steps; i++) {
        free(call->steps[i].parameters);
    }
}
