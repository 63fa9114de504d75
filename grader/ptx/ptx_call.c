/* ptx_call.c: call and its lists.
 *
 *   call    = [ "(" value { "," value } ")" "," ] callee [ "," "(" [ values ] ")" ]
 *             [ "," prototype ]
 *   callee  = function | register
 *   value   = name of a .param variable | register | number
 *
 * nvcc passes everything through .param variables of the block around the call. Direct calls are
 * checked against the head of the callee: as many values, each of the same size.
 */
#include "ptx/ptx_parser.h"

enum { VALUES_MAX = 64 };

struct values {
    struct ptx_raw_operand items[VALUES_MAX];
    size_t count;
};

static bool parse_values(struct ptx_parser *parser, struct values *values)
{
    struct ptx_raw_operands operands = {0};

    values->count = 0;
    while (!ptx_accept_sign(parser, ')')) {
        if (values->count > 0 && !ptx_expect_sign(parser, ',')) {
            return false;
        }
        if (values->count == VALUES_MAX) {
            return ptx_fail(parser, ERROR_LIMIT, "expected at most %d values in a call",
                            VALUES_MAX);
        }
        if (!ptx_parse_operand(parser, &operands, &values->items[values->count])) {
            return false;
        }
        const struct ptx_operand *operand = &values->items[values->count].operand;
        bool is_param = operand->kind == PTX_OPERAND_SYMBOL &&
                        values->items[values->count].symbol_space == PTX_SPACE_PARAM &&
                        operand->scope != PTX_SCOPE_CODE && operand->offset == 0;
        bool is_value =
            operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_IMMEDIATE;
        if (operands.is_unknown || (!is_param && !is_value) || operand->negated) {
            return ptx_fail(parser, ERROR_SYNTAX,
                            "expected a .param variable, a register or a number in a call");
        }
        values->count++;
    }
    return true;
}

/* Holds the values to the parameters of the callee; numbers get the type of theirs. */
static bool values_fit(struct values *values, const struct ptx_parameter *parameters, size_t count)
{
    if (values->count != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct ptx_raw_operand *value = &values->items[i];
        uint64_t bytes = parameters[i].bytes;

        if (value->operand.kind == PTX_OPERAND_IMMEDIATE) {
            if (bytes > 8 || bytes != ptx_type_bytes(parameters[i].type) ||
                !ptx_convert_literal(value, parameters[i].type, &value->operand.bits)) {
                return false;
            }
        } else if (value->operand.kind == PTX_OPERAND_REGISTER) {
            if (ptx_type_bytes(value->register_type) != bytes) {
                return false;
            }
        } else if (value->symbol_bytes != bytes) {
            return false;
        }
    }
    return true;
}

static bool can_be_indirect(const struct values *values)
{
    for (size_t i = 0; i < values->count; i++) {
        if (values->items[i].operand.kind == PTX_OPERAND_IMMEDIATE) {
            return false;
        }
    }
    return true;
}

static uint32_t add_values(struct ptx_parser *parser, const struct values *values)
{
    size_t first = parser->body.element_count;

    for (size_t i = 0; i < values->count; i++) {
        ptx_add_elements(parser, &values->items[i].operand, 1);
    }
    return (uint32_t)first;
}

/* The callee: a function by name, or a register with an address. */
static bool parse_callee(struct ptx_parser *parser, struct ptx_operand *out_callee)
{
    struct ptx_raw_operands operands = {0};
    struct ptx_raw_operand raw;

    if (!ptx_parse_operand(parser, &operands, &raw)) {
        return false;
    }
    bool is_function = raw.operand.kind == PTX_OPERAND_SYMBOL &&
                       raw.operand.scope == PTX_SCOPE_CODE && raw.operand.offset == 0;
    bool is_address =
        raw.operand.kind == PTX_OPERAND_REGISTER && ptx_type_bytes(raw.register_type) == 8;
    if (operands.is_unknown || (!is_function && !is_address) || raw.operand.negated) {
        return ptx_fail(parser, ERROR_SYNTAX,
                        "expected a function or a 64-bit register after call");
    }
    *out_callee = raw.operand;
    if (is_function) {
        out_callee->kind = PTX_OPERAND_FUNCTION;
    }
    return true;
}

/* ", (values)" and ", prototype", each of which may be missing. */
static bool parse_tail(struct ptx_parser *parser, struct values *arguments)
{
    arguments->count = 0;
    if (ptx_at_sign(parser, ';')) {
        return true;
    }
    if (!ptx_expect_sign(parser, ',')) {
        return false;
    }
    if (ptx_accept_sign(parser, '(')) {
        if (!parse_values(parser, arguments)) {
            return false;
        }
        if (!ptx_accept_sign(parser, ',')) {
            return true;
        }
    }
    struct ptx_token prototype;
    if (!ptx_expect_name(parser, &prototype)) {
        return false;
    }
    const struct ptx_name *name = ptx_names_find(&parser->names, prototype.start, prototype.length);
    if (name == NULL || name->kind != PTX_NAME_PROTOTYPE) {
        return ptx_fail_at(parser, ERROR_SYNTAX, prototype.line,
                           "expected the name of a prototype in a call");
    }
    return true;
}

bool ptx_parse_call(struct ptx_parser *parser, struct ptx_instruction *instruction)
{
    struct values returns = {.count = 0};
    struct values arguments = {.count = 0};
    struct ptx_operand callee = {0};

    if (ptx_accept_sign(parser, '(') &&
        (!parse_values(parser, &returns) || !ptx_expect_sign(parser, ','))) {
        return false;
    }
    if (!parse_callee(parser, &callee) || !parse_tail(parser, &arguments)) {
        return false;
    }
    if (callee.kind == PTX_OPERAND_FUNCTION) {
        const struct ptx_function *function = &parser->functions[callee.symbol];
        if (function->is_entry ||
            !values_fit(&arguments, function->parameters, function->parameter_count) ||
            !values_fit(&returns, function->returns, function->return_count)) {
            return ptx_fail(parser, ERROR_SYNTAX,
                            "expected a call of \"%.200s\" with the values it declares",
                            function->name);
        }
    } else if (!can_be_indirect(&arguments) || !can_be_indirect(&returns)) {
        return ptx_fail(parser, ERROR_SYNTAX, "expected no numbers in a call through a register");
    }
    for (size_t i = 0; i < returns.count; i++) {
        if (returns.items[i].operand.kind == PTX_OPERAND_IMMEDIATE) {
            return ptx_fail(parser, ERROR_SYNTAX, "expected no number as return value");
        }
    }
    instruction->operands[0] = callee;
    instruction->operand_count = 1;
    instruction->returns_first = add_values(parser, &returns);
    instruction->returns_count = (uint32_t)returns.count;
    instruction->arguments_first = add_values(parser, &arguments);
    instruction->arguments_count = (uint32_t)arguments.count;
    return true;
}
