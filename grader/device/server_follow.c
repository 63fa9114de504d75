/* server_follow.c: answers where the values of a call come from, see ORIGIN, TERMS and FATE in
 * wire/control_messages.def. */
#include "device/server_state.h"

#include "wire/trace_record.h"

#include <stdlib.h>

/* The number of a place's module, plus 1; 0: it is unknown. */
static uint32_t module_of(const struct device_place *place)
{
    return place->is_known ? place->module + 1 : 0;
}

static void pack_place(const struct device_place *place, uint64_t *out_module, struct text *out)
{
    uint8_t bytes[TRACE_PLACE_BYTES];

    trace_place_pack(&place->place, bytes);
    text_append_bytes(out, bytes, sizeof(bytes));
    *out_module = module_of(place);
}

static void set_payload(struct server *server, struct message *reply)
{
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = server->bytes.length;
}

enum error server_find_origin(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic)
{
    struct device_origin origin;

    (void)diagnostic;
    device_find_origin(server->device, request->words[0], request->words[1], &origin);
    text_clear(&server->bytes);
    pack_place(&origin.last, &reply->words[0], &server->bytes);
    pack_place(&origin.made, &reply->words[1], &server->bytes);
    pack_place(&origin.loader, &reply->words[2], &server->bytes);
    reply->words[3] = origin.unloaded;
    reply->words[4] = origin.launch;
    reply->words[5] = origin.lost_site;
    set_payload(server, reply);
    return ERROR_NONE;
}

enum error server_find_terms(struct server *server, const struct message *request,
                             struct message *reply, struct diagnostic *diagnostic)
{
    struct device_term *terms = calloc(TERM_RECORDS_MAX, sizeof *terms);

    (void)diagnostic;
    if (terms == NULL) {
        abort();
    }
    size_t count = device_find_terms(server->device, request->words[0], request->words[1], terms,
                                     TERM_RECORDS_MAX);
    text_clear(&server->bytes);
    for (size_t i = 0; i < count && i < TERM_RECORDS_MAX && count != SIZE_MAX; i++) {
        const struct device_term *term = &terms[i];
        uint8_t bytes[TERM_RECORD_BYTES];
        term_record_pack(
            &(struct term_record){.address = term->address,
                                  .bytes = term->bytes,
                                  .count = term->count,
                                  .modules = {module_of(&term->load), module_of(&term->place)},
                                  .places = {term->load.place, term->place.place}},
            bytes);
        text_append_bytes(&server->bytes, bytes, sizeof bytes);
    }
    free(terms);
    reply->words[0] = count;
    set_payload(server, reply);
    return ERROR_NONE;
}

enum error server_find_fate(struct server *server, const struct message *request,
                            struct message *reply, struct diagnostic *diagnostic)
{
    struct device_place place;

    (void)diagnostic;
    reply->words[1] = device_find_fate(server->device, request->words[0], &place);
    text_clear(&server->bytes);
    pack_place(&place, &reply->words[0], &server->bytes);
    set_payload(server, reply);
    return ERROR_NONE;
}
