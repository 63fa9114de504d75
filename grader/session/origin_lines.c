/* origin_lines.c: see origin_lines.h. */
#include "session/origin_lines.h"

#include "session/finding_map.h"
#include "wire/trace_record.h"

#include <string.h>

struct trace_line origin_line(const struct connection *connection, uint64_t module,
                              const struct finding_record_place *record)
{
    struct place place;

    if (module == 0 || module > connection->code.module_count) {
        return (struct trace_line){"", 0, 0};
    }
    memset(&place, 0, sizeof place);
    place_from_record(&connection->code.modules[module - 1], record, &place);
    return (struct trace_line){place.file, place.line, place.column};
}

/* The same of a place as the device packs it. */
static struct trace_line line_of(const struct connection *connection, uint64_t module,
                                 const uint8_t *packed)
{
    struct finding_record_place record;

    trace_place_unpack(packed, &record);
    return origin_line(connection, module, &record);
}

/* What the device says of some bytes. */
struct bytes_origin {
    struct trace_line last, made, loader;
    uint64_t unloaded, launch, lost_site;
};

static enum error ask(struct connection *connection, uint64_t address, uint64_t bytes,
                      struct bytes_origin *out_origin, struct diagnostic *diagnostic)
{
    const struct message request = {.type = CONTROL_ORIGIN, .words = {address, bytes}};
    struct message reply;
    enum error error = connection_call(connection, &request, &reply, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (reply.payload_bytes != 3 * (size_t)TRACE_PLACE_BYTES || reply.words[3] > bytes) {
        diagnostic_set(diagnostic, BLAME_GRADER, "where a value comes from cannot be read");
        return ERROR_PEER;
    }
    const uint8_t *packed = reply.payload;
    *out_origin = (struct bytes_origin){
        line_of(connection, reply.words[0], packed),
        line_of(connection, reply.words[1], packed + TRACE_PLACE_BYTES),
        line_of(connection, reply.words[2], packed + 2 * (size_t)TRACE_PLACE_BYTES),
        reply.words[3],
        reply.words[4],
        reply.words[5],
    };
    return ERROR_NONE;
}

static enum error read_loads(const struct followed_memory *memory, struct followed_call *followed,
                             struct diagnostic *diagnostic)
{
    const struct rubric_launch *launch = memory->launch;
    const size_t *element_counts = memory->element_counts;

    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        const size_t bytes = element_bytes(operand->type);
        struct bytes_origin origin;
        if (!operand_has_values(operand) || operand->is_in_host_memory) {
            continue;
        }
        enum error error = ask(memory->connection, memory->bound->addresses[i],
                               element_counts[i] * bytes, &origin, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        followed->loads[i] =
            (struct operand_loads){origin.unloaded < element_counts[i] * bytes,
                                   (size_t)(origin.unloaded / bytes), origin.loader};
    }
    return ERROR_NONE;
}

enum error origin_lines_read(const struct followed_memory *memory, struct followed_call *followed,
                             struct diagnostic *diagnostic)
{
    const size_t bytes = element_bytes(memory->launch->operands[followed->operand].type);
    const uint64_t first = memory->bound->addresses[followed->operand];

    for (size_t i = 0; i < followed->count; i++) {
        struct bytes_origin origin;
        enum error error = ask(memory->connection, first + followed->elements[i] * bytes, bytes,
                               &origin, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        followed->origins[i] = (struct value_origin){origin.last, origin.made, origin.launch};
    }
    struct bytes_origin whole;
    enum error error = ask(memory->connection, first,
                           memory->element_counts[followed->operand] * bytes, &whole, diagnostic);
    if (error == ERROR_NONE) {
        followed->lost = connection_places(memory->connection, whole.lost_site);
        error = read_loads(memory, followed, diagnostic);
    }
    followed->is_known = error == ERROR_NONE;
    return error;
}
