/* ptx_location.c: .file and .loc.
 *
 *   .file INDEX "name" [, TIME, SIZE]
 *   .loc FILE LINE COLUMN [, function_name LABEL [+ N]] [, inlined_at FILE LINE COLUMN]
 *
 * The place of inlined_at is one that a .loc before has named, which may be inlined itself; so a
 * hash table gives the newest location of a place. Each location points at an older one only,
 * which is why the chain of inlined_at always ends.
 */
#include "ptx/ptx_parser.h"

#include <string.h>

enum { FIRST_PLACES = 256 };

bool ptx_parse_file(struct ptx_parser *parser)
{
    uint64_t index;
    uint64_t ignored;

    if (!ptx_expect_integer(parser, PTX_FILES_MAX - 1, &index)) {
        return false;
    }
    const struct ptx_token *token = &parser->lexer.token;
    if (token->kind != PTX_TOKEN_STRING) {
        return ptx_fail_expected(parser, "the name of a file in quotes");
    }
    if (index >= parser->file_count) {
        arena_grow(parser->scratch, &parser->files, &parser->file_capacity, index + 1,
                   sizeof *parser->files);
        while (parser->file_count <= index) {
            parser->files[parser->file_count++] = "";
        }
    }
    if (index > 0) {
        parser->files[index] = arena_strndup(parser->arena, token->start, token->length);
    }
    ptx_next(parser);
    while (ptx_accept_sign(parser, ',')) {
        if (!ptx_expect_integer(parser, UINT64_MAX, &ignored)) {
            return false;
        }
    }
    return true;
}

static struct ptx_place *find_place(struct ptx_place *places, size_t capacity,
                                    const struct ptx_location *location)
{
    uint64_t hash = location->file;

    hash = (hash * UINT64_C(0x9e3779b97f4a7c15)) ^ location->line;
    hash = (hash * UINT64_C(0x9e3779b97f4a7c15)) ^ location->column;
    hash = (hash * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
    for (size_t i = hash & (capacity - 1);; i = (i + 1) & (capacity - 1)) {
        struct ptx_place *place = &places[i];

        if (place->newest == 0 || (place->file == location->file && place->line == location->line &&
                                   place->column == location->column)) {
            return place;
        }
    }
}

static void grow_places(struct ptx_parser *parser)
{
    size_t capacity = parser->place_capacity == 0 ? FIRST_PLACES : parser->place_capacity * 4;
    struct ptx_place *places = arena_array(parser->scratch, capacity, sizeof *places);

    for (size_t i = 0; i < parser->place_capacity; i++) {
        const struct ptx_place *old = &parser->places[i];

        if (old->newest != 0) {
            struct ptx_location key = {.file = old->file, .line = old->line, .column = old->column};
            *find_place(places, capacity, &key) = *old;
        }
    }
    parser->places = places;
    parser->place_capacity = capacity;
}

/* The index of a location, which is added unless the newest one at its place is the same. With
 * `any_caller` the newest one will do, wherever it is inlined. */
static bool add_location(struct ptx_parser *parser, const struct ptx_location *location,
                         bool any_caller, uint32_t *out_index)
{
    if (parser->place_count * 2 >= parser->place_capacity) {
        grow_places(parser);
    }
    struct ptx_place *place = find_place(parser->places, parser->place_capacity, location);
    if (place->newest != 0 &&
        (any_caller || parser->locations[place->newest].inlined_at == location->inlined_at)) {
        *out_index = place->newest;
        return true;
    }
    if (parser->location_count >= PTX_LOCATIONS_MAX) {
        return ptx_fail(parser, ERROR_LIMIT, "expected at most %d places in .loc, got more",
                        PTX_LOCATIONS_MAX);
    }
    arena_grow(parser->scratch, &parser->locations, &parser->location_capacity,
               parser->location_count + 1, sizeof *parser->locations);
    parser->locations[parser->location_count] = *location;
    parser->place_count += place->newest == 0;
    *place = (struct ptx_place){location->file, location->line, location->column,
                                (uint32_t)parser->location_count};
    *out_index = (uint32_t)parser->location_count++;
    return true;
}

static bool parse_place(struct ptx_parser *parser, struct ptx_location *out_location)
{
    uint64_t numbers[3];

    for (size_t i = 0; i < 3; i++) {
        if (!ptx_expect_integer(parser, i == 0 ? PTX_FILES_MAX - 1 : INT32_MAX, &numbers[i])) {
            return false;
        }
    }
    *out_location = (struct ptx_location){
        .file = (uint32_t)numbers[0], .line = (uint32_t)numbers[1], .column = (uint32_t)numbers[2]};
    return true;
}

bool ptx_parse_loc(struct ptx_parser *parser)
{
    struct ptx_location location;
    struct ptx_location caller;
    struct ptx_token ignored;
    int64_t ignored_offset;

    if (!parse_place(parser, &location)) {
        return false;
    }
    while (ptx_accept_sign(parser, ',')) {
        if (ptx_accept_word(parser, "function_name")) {
            if (!ptx_expect_name(parser, &ignored) ||
                (ptx_at_sign(parser, '+') && !ptx_expect_sum(parser, &ignored_offset))) {
                return false;
            }
        } else if (ptx_accept_word(parser, "inlined_at")) {
            if (!parse_place(parser, &caller) ||
                !add_location(parser, &caller, true, &location.inlined_at)) {
                return false;
            }
        } else {
            return ptx_fail_expected(parser, "function_name or inlined_at");
        }
    }
    if (location.line == 0) { /* "1 0 0": nvcc does not know */
        parser->location = 0;
        return true;
    }
    if (!add_location(parser, &location, false, &parser->location)) {
        return false;
    }
    if (parser->body.first_location == 0) {
        parser->body.first_location = parser->location;
    }
    return true;
}

void ptx_finish_locations(struct ptx_parser *parser)
{
    for (size_t i = 1; i < parser->location_count; i++) {
        struct ptx_location *location = &parser->locations[i];

        if (location->file >= parser->file_count || parser->files[location->file][0] == '\0') {
            location->file = 0;
        }
    }
}
