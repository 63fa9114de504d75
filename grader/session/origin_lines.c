/* origin_lines.c: see origin_lines.h. */
#include "session/origin_lines.h"

#include "session/finding_map.h"
#include "wire/trace_record.h"

#include <string.h>

/* A place as the device packs it; `module` is its number plus 1. */
static struct trace_line line_of(const struct connection *connection, uint64_t module,
                                 const uint8_t *packed)
{
    struct finding_record_place record;
    struct place place;

    if (module == 0 || module > connection->code.module_count) {
        return (struct trace_line){"", 0, 0};
    }
    memset(&place, 0, sizeof place);
    trace_place_unpack(packed, &record);
    place_from_record(&connection->code.modules[module - 1], &record, &place);
    return (struct trace_line){place.file, place.line, place.column};
}

enum error origin_lines_read(struct connection *connection, const struct rubric_launch *launch,
                             const struct bound_launch *bound, struct followed_call *followed,
                             struct diagnostic *diagnostic)
{
    const size_t bytes = element_bytes(launch->operands[followed->operand].type);

    for (size_t i = 0; i < followed->count; i++) {
        const struct message request = {
            .type = CONTROL_ORIGIN,
            .words = {bound->addresses[followed->operand] + followed->elements[i] * bytes},
        };
        struct message reply;
        enum error error = connection_call(connection, &request, &reply, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        if (reply.payload_bytes != 2 * (size_t)TRACE_PLACE_BYTES) {
            diagnostic_set(diagnostic, BLAME_GRADER, "where a value comes from cannot be read");
            return ERROR_PEER;
        }
        const uint8_t *packed = reply.payload;
        followed->origins[i] = (struct value_origin){
            line_of(connection, reply.words[0], packed),
            line_of(connection, reply.words[1], packed + TRACE_PLACE_BYTES),
        };
    }
    followed->is_known = true;
    return ERROR_NONE;
}
