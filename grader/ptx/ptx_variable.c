/* ptx_variable.c: declarations of variables and parameters.
 *
 *   variables   = space prefix name dimensions [ "=" initial ]
 *                 { "," name dimensions [ "=" initial ] } ";"
 *   prefix      = { ".align" N | ".attribute" "(" ... ")" | ".v2" | ".v4" | type
 *                 | ".ptr" [ space ] [ ".align" N ] }
 *   dimensions  = { "[" [ N ] "]" }
 *   parameters  = "(" [ ".param" prefix name dimensions { "," ... } ] ")"
 */
#include "ptx/ptx_parser.h"

#include <string.h>

static bool parse_alignment(struct ptx_parser *parser, uint64_t *out_alignment)
{
    uint64_t alignment;

    if (!ptx_expect_integer(parser, PTX_ALIGNMENT_MAX, &alignment)) {
        return false;
    }
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return ptx_fail(parser, ERROR_SYNTAX, "expected a power of two as alignment, got %d",
                        (int)alignment);
    }
    *out_alignment = alignment;
    return true;
}

/* ".attribute(.managed)": nothing here depends on it. */
static bool skip_attribute(struct ptx_parser *parser)
{
    if (!ptx_expect_sign(parser, '(')) {
        return false;
    }
    size_t depth = 1;
    while (depth > 0) {
        if (parser->lexer.token.kind == PTX_TOKEN_END ||
            parser->lexer.token.kind == PTX_TOKEN_BAD) {
            return ptx_fail_expected(parser, "\")\"");
        }
        depth += ptx_at_sign(parser, '(');
        depth -= ptx_at_sign(parser, ')');
        ptx_next(parser);
    }
    return true;
}

/* ".ptr .global .align 4" tells what a parameter points at: a promise that nothing here uses. */
static bool skip_pointer_attributes(struct ptx_parser *parser)
{
    const struct ptx_token *token = &parser->lexer.token;
    enum ptx_space space;
    uint64_t alignment;

    if (token->kind == PTX_TOKEN_WORD && token->start[0] == '.' &&
        ptx_space_find(token->start + 1, token->length - 1, &space)) {
        ptx_next(parser);
    }
    return !ptx_accept_word(parser, ".align") || parse_alignment(parser, &alignment);
}

static bool parse_prefix(struct ptx_parser *parser, struct ptx_declaration *declaration)
{
    const struct ptx_token *token = &parser->lexer.token;

    while (token->kind == PTX_TOKEN_WORD && token->start[0] == '.') {
        bool good = true;

        if (ptx_accept_word(parser, ".align")) {
            good = parse_alignment(parser, &declaration->alignment);
        } else if (ptx_accept_word(parser, ".attribute")) {
            good = skip_attribute(parser);
        } else if (ptx_accept_word(parser, ".ptr")) {
            good = skip_pointer_attributes(parser);
        } else if (ptx_accept_word(parser, ".v2")) {
            declaration->vector = 2;
        } else if (ptx_accept_word(parser, ".v4")) {
            declaration->vector = 4;
        } else {
            enum ptx_type type = ptx_type_find(token->start + 1, token->length - 1);
            if (type == PTX_TYPE_NONE || type == PTX_PRED || declaration->type != PTX_TYPE_NONE) {
                return ptx_fail_expected(parser, "the type of a variable");
            }
            declaration->type = type;
            ptx_next(parser);
        }
        if (!good) {
            return false;
        }
    }
    if (declaration->type == PTX_TYPE_NONE) {
        return ptx_fail_expected(parser, "the type of a variable");
    }
    return true;
}

static bool parse_name(struct ptx_parser *parser, struct ptx_declaration *declaration)
{
    struct ptx_token name;

    declaration->dimension_count = 0;
    declaration->is_unsized = false;
    if (!ptx_expect_name(parser, &name)) {
        return false;
    }
    declaration->name = name.start;
    declaration->name_length = name.length;
    declaration->line = name.line;
    while (ptx_accept_sign(parser, '[')) {
        uint64_t size = 0;

        if (declaration->dimension_count == PTX_DIMENSIONS_MAX) {
            return ptx_fail(parser, ERROR_LIMIT, "expected at most %d dimensions, got more",
                            PTX_DIMENSIONS_MAX);
        }
        if (ptx_at_sign(parser, ']') && declaration->dimension_count == 0) {
            declaration->is_unsized = true;
        } else if (!ptx_expect_integer(parser, PTX_VARIABLE_BYTES_MAX, &size)) {
            return false;
        }
        declaration->dimensions[declaration->dimension_count++] = size;
        if (!ptx_expect_sign(parser, ']')) {
            return false;
        }
    }
    return true;
}

bool ptx_parse_declaration(struct ptx_parser *parser, enum ptx_space space,
                           struct ptx_declaration *out_declaration)
{
    *out_declaration = (struct ptx_declaration){.space = space, .vector = 1};
    return parse_prefix(parser, out_declaration) && parse_name(parser, out_declaration);
}

bool ptx_declaration_bytes(struct ptx_parser *parser, const struct ptx_declaration *declaration,
                           uint64_t *out_bytes, uint32_t *out_alignment)
{
    uint64_t element = ptx_type_bytes(declaration->type) * declaration->vector;
    uint64_t bytes = element;
    bool is_empty = false;

    for (size_t i = 0; i < declaration->dimension_count; i++) {
        uint64_t size = declaration->dimensions[i];

        is_empty |= size == 0; /* the others are bounded all the same: strides rely on it */
        if (__builtin_mul_overflow(bytes, size == 0 ? 1 : size, &bytes) ||
            bytes > PTX_VARIABLE_BYTES_MAX) {
            return ptx_fail_at(parser, ERROR_LIMIT, declaration->line,
                               "expected variables of at most %llu bytes, got a larger one",
                               (unsigned long long)PTX_VARIABLE_BYTES_MAX);
        }
    }
    *out_bytes = is_empty ? 0 : bytes;
    *out_alignment = (uint32_t)(declaration->alignment != 0 ? declaration->alignment : element);
    return true;
}

/* Adds a variable to the module or the function. A definition replaces its extern declaration. */
static bool add_variable(struct ptx_parser *parser, const struct ptx_declaration *declaration,
                         const struct ptx_variable *variable, bool is_module_scope)
{
    struct ptx_token name = {.kind = PTX_TOKEN_WORD,
                             .start = declaration->name,
                             .length = declaration->name_length,
                             .line = declaration->line};
    const struct ptx_name *old = ptx_names_find(&parser->names, name.start, name.length);

    if (is_module_scope && old != NULL && old->kind == PTX_NAME_MODULE_VARIABLE &&
        parser->body.scope_height == 0) {
        struct ptx_variable *first = &parser->variables[old->index];
        if (first->space == variable->space && (first->is_extern || variable->is_extern)) {
            *first = first->is_extern ? *variable : *first;
            return true;
        }
    }
    if (is_module_scope) {
        if (!ptx_declare(parser, &name, PTX_NAME_MODULE_VARIABLE, parser->variable_count)) {
            return false;
        }
        arena_grow(parser->scratch, &parser->variables, &parser->variable_capacity,
                   parser->variable_count + 1, sizeof *parser->variables);
        parser->variables[parser->variable_count++] = *variable;
        return true;
    }
    struct ptx_body *body = &parser->body;
    if (!ptx_declare(parser, &name, PTX_NAME_FUNCTION_VARIABLE, body->variable_count)) {
        return false;
    }
    arena_grow(parser->scratch, &body->variables, &body->variable_capacity,
               body->variable_count + 1, sizeof *body->variables);
    body->variables[body->variable_count++] = *variable;
    return true;
}

bool ptx_parse_variables(struct ptx_parser *parser, enum ptx_space space, bool is_extern,
                         bool is_module_scope)
{
    struct ptx_declaration declaration;

    if (!ptx_parse_declaration(parser, space, &declaration)) {
        return false;
    }
    for (;;) {
        struct ptx_variable variable = {.space = space,
                                        .type = declaration.type,
                                        .is_extern = is_extern,
                                        .location = is_module_scope ? 0 : parser->location};

        if (!ptx_declaration_bytes(parser, &declaration, &variable.bytes, &variable.alignment)) {
            return false;
        }
        variable.name = arena_strndup(parser->arena, declaration.name, declaration.name_length);
        if (ptx_accept_sign(parser, '=')) {
            if (!ptx_parse_initial(parser, &declaration, &variable)) {
                return false;
            }
        } else if (declaration.is_unsized && !is_extern) {
            return ptx_fail_at(parser, ERROR_SYNTAX, declaration.line,
                               "expected a size or an initial value for \"%.200s\", got \"[]\"",
                               variable.name);
        }
        if (!add_variable(parser, &declaration, &variable, is_module_scope)) {
            return false;
        }
        if (!ptx_accept_sign(parser, ',')) {
            return ptx_expect_sign(parser, ';');
        }
        if (!parse_name(parser, &declaration)) {
            return false;
        }
    }
}

/* Lays a parameter out behind `*bytes`. */
static bool add_parameter(struct ptx_parser *parser, const struct ptx_declaration *declaration,
                          struct ptx_parameter *parameter, uint64_t *bytes)
{
    if (!ptx_declaration_bytes(parser, declaration, &parameter->bytes, &parameter->alignment)) {
        return false;
    }
    parameter->name = arena_strndup(parser->arena, declaration->name, declaration->name_length);
    parameter->type = declaration->type;
    parameter->offset =
        (*bytes + parameter->alignment - 1) / parameter->alignment * parameter->alignment;
    *bytes = parameter->offset + parameter->bytes;
    if (*bytes > PTX_VARIABLE_BYTES_MAX) {
        return ptx_fail(parser, ERROR_LIMIT, "expected smaller parameters");
    }
    return true;
}

bool ptx_parse_parameters(struct ptx_parser *parser, const struct ptx_parameter **out_parameters,
                          size_t *out_count, uint64_t *out_bytes)
{
    struct ptx_parameter *parameters = NULL;
    size_t capacity = 0;
    size_t count = 0;
    uint64_t bytes = 0;

    while (!ptx_accept_sign(parser, ')')) {
        struct ptx_declaration declaration;

        if (count > 0 && !ptx_expect_sign(parser, ',')) {
            return false;
        }
        if (ptx_at_word(parser, ".reg")) {
            return ptx_fail(parser, ERROR_UNSUPPORTED,
                            "expected parameters in .param space, got one in .reg");
        }
        if (!ptx_accept_word(parser, ".param")) {
            return ptx_fail_expected(parser, "\".param\" or \")\"");
        }
        if (!ptx_parse_declaration(parser, PTX_SPACE_PARAM, &declaration)) {
            return false;
        }
        if (count == PTX_PARAMETERS_MAX) {
            return ptx_fail(parser, ERROR_LIMIT, "expected at most %d parameters, got more",
                            PTX_PARAMETERS_MAX);
        }
        arena_grow(parser->arena, &parameters, &capacity, count + 1, sizeof *parameters);
        parameters[count] = (struct ptx_parameter){0};
        if (!add_parameter(parser, &declaration, &parameters[count], &bytes)) {
            return false;
        }
        count++;
    }
    *out_parameters = parameters;
    *out_count = count;
    *out_bytes = bytes;
    return true;
}
