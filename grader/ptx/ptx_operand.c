/* ptx_operand.c: operands as written.
 *
 *   operands  = [ operand { ( "," | "|" ) operand } ]
 *   operand   = list | "[" base [ sum ] [ "," list ] "]" | vector | simple
 *   list      = "{" simple { "," simple } "}"
 *   simple    = "_" | [ "!" ] register | [ sign ] number | special | symbol [ sum ]
 *   base      = register | symbol | number
 *
 * Names must be declared. What is written in a way that this grammar does not have makes the
 * instruction unknown; that is not an error here.
 */
#include "ptx/ptx_parser.h"

/* Fills the operand with the address of what a name stands for; false if it has none. */
static bool set_symbol(struct ptx_parser *parser, const struct ptx_name *name,
                       struct ptx_raw_operand *raw)
{
    const struct ptx_variable *variable;

    raw->operand.kind = PTX_OPERAND_SYMBOL;
    raw->operand.symbol = (int32_t)name->index;
    switch (name->kind) {
    case PTX_NAME_MODULE_VARIABLE:
    case PTX_NAME_FUNCTION_VARIABLE:
        variable = name->kind == PTX_NAME_MODULE_VARIABLE ? &parser->variables[name->index]
                                                          : &parser->body.variables[name->index];
        raw->operand.scope =
            name->kind == PTX_NAME_MODULE_VARIABLE ? PTX_SCOPE_MODULE : PTX_SCOPE_FUNCTION;
        raw->symbol_space = variable->space;
        raw->symbol_bytes = variable->bytes;
        return true;
    case PTX_NAME_PARAMETER:
        raw->operand.scope = PTX_SCOPE_PARAMETER;
        raw->symbol_space = PTX_SPACE_PARAM;
        raw->symbol_bytes = parser->body.parameters[name->index].bytes;
        return true;
    case PTX_NAME_RETURN:
        raw->operand.scope = PTX_SCOPE_RETURN;
        raw->symbol_space = PTX_SPACE_PARAM;
        raw->symbol_bytes = parser->body.returns[name->index].bytes;
        return true;
    case PTX_NAME_FUNCTION:
        raw->operand.scope = PTX_SCOPE_CODE;
        return true;
    default:
        return false;
    }
}

/* A name: "_", a register, a symbol or a special register. */
static bool parse_named(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                        struct ptx_raw_operand *raw)
{
    struct ptx_token token = parser->lexer.token;
    enum ptx_special special;

    if (token.start[0] == '.') {
        return ptx_fail_expected(parser, "an operand");
    }
    ptx_next(parser);
    if (ptx_token_is_word(&token, "_")) {
        raw->operand.kind = PTX_OPERAND_SINK;
        return true;
    }
    raw->operand.reg = ptx_find_register(parser, &token, &raw->register_type);
    if (raw->operand.reg >= 0) {
        raw->operand.kind = PTX_OPERAND_REGISTER;
        return true;
    }
    const struct ptx_name *name = ptx_names_find(&parser->names, token.start, token.length);
    if (name != NULL) {
        operands->is_unknown |= !set_symbol(parser, name, raw);
        return true;
    }
    if (ptx_special_find(token.start, token.length, &special)) {
        raw->operand.kind = PTX_OPERAND_SPECIAL;
        raw->operand.special = (uint8_t)special;
        return true;
    }
    if (ptx_special_is_reserved(token.start, token.length)) {
        operands->is_unknown = true;
        return true;
    }
    int length = token.length < 200 ? (int)token.length : 200;
    return ptx_fail_at(parser, ERROR_SYNTAX, token.line, "expected a declared name, got \"%.*s\"",
                       length, token.start);
}

static bool at_sum(const struct ptx_parser *parser)
{
    return ptx_at_sign(parser, '+') || ptx_at_sign(parser, '-');
}

static bool parse_literal(struct ptx_parser *parser, struct ptx_raw_operand *raw)
{
    int64_t rest;

    raw->operand.kind = PTX_OPERAND_IMMEDIATE;
    while (at_sum(parser)) {
        raw->is_negative ^= ptx_at_sign(parser, '-');
        ptx_next(parser);
    }
    raw->literal_kind = parser->lexer.token.kind;
    raw->literal_bits = parser->lexer.token.bits;
    if (raw->literal_kind != PTX_TOKEN_INTEGER && raw->literal_kind != PTX_TOKEN_FLOAT32 &&
        raw->literal_kind != PTX_TOKEN_FLOAT64) {
        return ptx_fail_expected(parser, "an operand");
    }
    ptx_next(parser);
    if (raw->literal_kind == PTX_TOKEN_INTEGER && at_sum(parser)) {
        if (!ptx_expect_sum(parser, &rest)) {
            return false;
        }
        raw->literal_bits =
            (raw->is_negative ? 0 - raw->literal_bits : raw->literal_bits) + (uint64_t)rest;
        raw->is_negative = false;
    }
    return true;
}

/* A register takes an offset in brackets only. */
static bool parse_simple(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                         bool in_brackets, struct ptx_raw_operand *raw)
{
    *raw = (struct ptx_raw_operand){.operand = {.reg = -1, .symbol = -1}};
    if (ptx_accept_sign(parser, '!')) {
        raw->operand.negated = true;
    }
    if (parser->lexer.token.kind != PTX_TOKEN_WORD) {
        return parse_literal(parser, raw);
    }
    if (!parse_named(parser, operands, raw)) {
        return false;
    }
    if (at_sum(parser)) {
        operands->is_unknown |= raw->operand.kind != PTX_OPERAND_SYMBOL &&
                                !(in_brackets && raw->operand.kind == PTX_OPERAND_REGISTER);
        return ptx_expect_sum(parser, &raw->operand.offset);
    }
    return true;
}

static bool parse_vector(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                         struct ptx_raw_operand *raw)
{
    size_t first = operands->element_count;

    *raw =
        (struct ptx_raw_operand){.operand = {.kind = PTX_OPERAND_VECTOR, .reg = -1, .symbol = -1}};
    ptx_next(parser);
    do {
        if (operands->element_count - first == PTX_VECTOR_MAX) {
            operands->is_unknown = true;
            return true;
        }
        if (!parse_simple(parser, operands, false, &operands->elements[operands->element_count])) {
            return false;
        }
        operands->element_count++;
    } while (!operands->is_unknown && ptx_accept_sign(parser, ','));
    raw->operand.element_first = (uint32_t)first;
    raw->operand.element_count = (uint32_t)(operands->element_count - first);
    operands->is_unknown |= !ptx_accept_sign(parser, '}');
    return true;
}

/* "[base + offset]" */
static bool parse_memory(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                         struct ptx_raw_operand *raw)
{
    ptx_next(parser);
    if (!parse_simple(parser, operands, true, raw)) {
        return false;
    }
    struct ptx_operand *operand = &raw->operand;
    if (operand->kind == PTX_OPERAND_IMMEDIATE && raw->literal_kind == PTX_TOKEN_INTEGER) {
        operand->offset = (int64_t)(raw->is_negative ? 0 - raw->literal_bits : raw->literal_bits);
    } else if (operand->kind == PTX_OPERAND_SYMBOL) {
        operands->is_unknown |= operand->scope == PTX_SCOPE_CODE;
    } else if (operand->kind != PTX_OPERAND_REGISTER) {
        operands->is_unknown = true;
    }
    operands->is_unknown |= operand->negated;
    operand->kind = PTX_OPERAND_MEMORY;
    raw->is_open = ptx_at_sign(parser, ',');
    operands->is_unknown |= !raw->is_open && !ptx_accept_sign(parser, ']');
    return true;
}

/* The vector of registers that the current token names (".reg .v4 .f32 v"); NULL if it names none.
 */
static const struct ptx_name *at_vector(struct ptx_parser *parser)
{
    const struct ptx_token *token = &parser->lexer.token;
    const struct ptx_name *name = token->kind == PTX_TOKEN_WORD
                                      ? ptx_names_find(&parser->names, token->start, token->length)
                                      : NULL;

    return name != NULL && name->kind == PTX_NAME_VECTOR ? name : NULL;
}

/* A vector by its name: the same as its elements in braces. */
static bool parse_vector_name(struct ptx_parser *parser, const struct ptx_name *name,
                              struct ptx_raw_operands *operands, struct ptx_raw_operand *raw)
{
    const struct ptx_range *range = &parser->body.ranges[name->index];

    *raw = (struct ptx_raw_operand){.operand = {.kind = PTX_OPERAND_VECTOR,
                                                .reg = -1,
                                                .symbol = -1,
                                                .element_first = (uint32_t)operands->element_count,
                                                .element_count = range->count}};
    for (uint32_t i = 0; i < range->count; i++) {
        int32_t reg = ptx_vector_register(parser, name, i);

        if (reg < 0) {
            return false;
        }
        operands->elements[operands->element_count++] = (struct ptx_raw_operand){
            .operand = {.kind = PTX_OPERAND_REGISTER, .reg = reg, .symbol = -1},
            .register_type = range->type};
    }
    ptx_next(parser);
    return true;
}

bool ptx_parse_operand(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                       struct ptx_raw_operand *out_operand)
{
    if (ptx_at_sign(parser, '{')) {
        return parse_vector(parser, operands, out_operand);
    }
    if (ptx_at_sign(parser, '[')) {
        return parse_memory(parser, operands, out_operand);
    }
    const struct ptx_name *vector = at_vector(parser);
    if (vector != NULL) {
        return parse_vector_name(parser, vector, operands, out_operand);
    }
    return parse_simple(parser, operands, false, out_operand);
}

bool ptx_parse_operands(struct ptx_parser *parser, struct ptx_raw_operands *out_operands)
{
    bool is_second = false;

    out_operands->count = 0;
    out_operands->element_count = 0;
    out_operands->is_unknown = false;
    if (ptx_at_sign(parser, ';')) {
        return true;
    }
    for (;;) {
        if (out_operands->count == PTX_RAW_MAX) {
            out_operands->is_unknown = true;
            return true;
        }
        struct ptx_raw_operand *raw = &out_operands->items[out_operands->count];
        if (!ptx_parse_operand(parser, out_operands, raw)) {
            return false;
        }
        raw->is_second = is_second;
        raw->is_inside = out_operands->count > 0 && raw[-1].is_open;
        out_operands->is_unknown |= raw->is_inside && (raw->operand.kind != PTX_OPERAND_VECTOR ||
                                                       !ptx_accept_sign(parser, ']'));
        out_operands->count++;
        is_second = ptx_at_sign(parser, '|');
        if (out_operands->is_unknown ||
            (!ptx_accept_sign(parser, ',') && !ptx_accept_sign(parser, '|'))) {
            break;
        }
    }
    out_operands->is_unknown |= !ptx_at_sign(parser, ';');
    return true;
}
