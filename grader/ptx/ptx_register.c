/* ptx_register.c: registers: their declarations, and which one a name means; see ptx_parser.h.
 *
 *   registers  = name [ "<" N ">" ] { "," ... }
 */
#include "ptx/ptx_parser.h"

#include <string.h>

static int32_t add_register(struct ptx_parser *parser, const struct ptx_token *name,
                            enum ptx_type type)
{
    struct ptx_body *body = &parser->body;

    arena_grow(parser->scratch, &body->registers, &body->register_capacity,
               body->register_count + 1, sizeof *body->registers);
    body->registers[body->register_count] = (struct ptx_register){
        .name = arena_strndup(parser->arena, name->start, name->length), .type = type};
    return (int32_t)body->register_count++;
}

/* The register `number` of a range, made when it is used for the first time. */
static int32_t range_register(struct ptx_parser *parser, struct ptx_range *range,
                              const struct ptx_token *name, uint32_t number)
{
    if (range->registers == NULL) {
        if (range->count > PTX_REGISTERS_MAX - parser->register_total) {
            ptx_fail(parser, ERROR_LIMIT, "expected at most %d registers, got more",
                     PTX_REGISTERS_MAX);
            return -1;
        }
        parser->register_total += range->count;
        range->registers = arena_array(parser->scratch, range->count, sizeof *range->registers);
    }
    if (range->registers[number] == 0) {
        range->registers[number] = add_register(parser, name, range->type) + 1;
    }
    return range->registers[number] - 1;
}

/* The range that has a name such as "%r12", and the number in it; NULL if there is none. */
static const struct ptx_name *find_range(struct ptx_parser *parser, const struct ptx_token *name,
                                         uint32_t *out_number)
{
    size_t start = name->length;
    uint64_t number = 0;
    uint64_t scale = 1;

    while (start > 1 && name->length - start < 9 && name->start[start - 1] >= '0' &&
           name->start[start - 1] <= '9') {
        start--;
        number += scale * (uint64_t)(name->start[start] - '0');
        scale *= 10;
        if (name->start[start] == '0' && start + 1 < name->length) {
            continue; /* "%r01" is none of "%r<2>" */
        }
        const struct ptx_name *found = ptx_names_find(&parser->names, name->start, start);
        if (found != NULL && found->kind == PTX_NAME_RANGE &&
            number < parser->body.ranges[found->index].count) {
            *out_number = (uint32_t)number;
            return found;
        }
    }
    return NULL;
}

/* The vector that has a name such as "v.x" or "v.r" as its element; NULL if there is none. */
static const struct ptx_name *find_vector(struct ptx_parser *parser, const struct ptx_token *name,
                                          uint32_t *out_number)
{
    static const char letters[] = "xyzwrgba";
    size_t length = name->length;
    const char *letter = length > 2 && name->start[length - 2] == '.'
                             ? memchr(letters, name->start[length - 1], sizeof letters - 1)
                             : NULL;

    if (letter == NULL) {
        return NULL;
    }
    const struct ptx_name *found = ptx_names_find(&parser->names, name->start, length - 2);
    *out_number = (uint32_t)(letter - letters) % 4;
    return found != NULL && found->kind == PTX_NAME_VECTOR &&
                   *out_number < parser->body.ranges[found->index].count
               ? found
               : NULL;
}

int32_t ptx_vector_register(struct ptx_parser *parser, const struct ptx_name *vector,
                            uint32_t number)
{
    struct ptx_token name = {.start = vector->text, .length = vector->length};

    return range_register(parser, &parser->body.ranges[vector->index], &name, number);
}

int32_t ptx_find_register(struct ptx_parser *parser, const struct ptx_token *name,
                          enum ptx_type *out_type)
{
    const struct ptx_name *exact = ptx_names_find(&parser->names, name->start, name->length);
    uint32_t number = 0;
    const struct ptx_name *range = find_range(parser, name, &number);
    int32_t found = -1;

    if (range != NULL && (exact == NULL || exact < range)) {
        found = range_register(parser, &parser->body.ranges[range->index], name, number);
    } else if (exact != NULL && exact->kind == PTX_NAME_REGISTER) {
        found = (int32_t)exact->index;
    } else if (exact == NULL) {
        const struct ptx_name *vector = find_vector(parser, name, &number);
        found = vector != NULL ? ptx_vector_register(parser, vector, number) : -1;
    }
    if (found >= 0) {
        *out_type = parser->body.registers[found].type;
    }
    return found;
}

/* "%f<9>", "%x", or a vector "v" of that many elements. */
static bool parse_register_name(struct ptx_parser *parser, enum ptx_type type, uint32_t elements)
{
    struct ptx_body *body = &parser->body;
    struct ptx_token name;
    uint64_t count = elements;

    if (!ptx_expect_name(parser, &name)) {
        return false;
    }
    bool is_range = elements == 1 && ptx_accept_sign(parser, '<');
    if (!is_range && elements == 1) {
        if (!ptx_declare(parser, &name, PTX_NAME_REGISTER, body->register_count)) {
            return false;
        }
        add_register(parser, &name, type);
        return true;
    }
    if ((is_range && (!ptx_expect_integer(parser, PTX_REGISTERS_MAX, &count) ||
                      !ptx_expect_sign(parser, '>'))) ||
        !ptx_declare(parser, &name, is_range ? PTX_NAME_RANGE : PTX_NAME_VECTOR,
                     body->range_count)) {
        return false;
    }
    arena_grow(parser->scratch, &body->ranges, &body->range_capacity, body->range_count + 1,
               sizeof *body->ranges);
    body->ranges[body->range_count++] = (struct ptx_range){.type = type, .count = (uint32_t)count};
    return true;
}

/* ".reg .f32 %f<9>, %x;" or ".reg .v4 .f32 v;" */
bool ptx_parse_registers(struct ptx_parser *parser)
{
    const struct ptx_token *token = &parser->lexer.token;
    uint32_t elements = ptx_accept_word(parser, ".v2") ? 2 : ptx_accept_word(parser, ".v4") ? 4 : 1;
    enum ptx_type type = PTX_TYPE_NONE;

    if (token->kind == PTX_TOKEN_WORD && token->start[0] == '.') {
        type = ptx_type_find(token->start + 1, token->length - 1);
    }
    if (type == PTX_TYPE_NONE) {
        return ptx_fail_expected(parser, "the type of a register");
    }
    ptx_next(parser);
    do {
        if (!parse_register_name(parser, type, elements)) {
            return false;
        }
    } while (ptx_accept_sign(parser, ','));
    return ptx_expect_sign(parser, ';');
}
