/* ptx_function.c: heads of functions, and their bodies as finished arrays.
 *
 *   entry      = ".entry" name [ parameters ] { performance } ( body | ";" )
 *   func       = ".func" { ".noreturn" } [ returns ] name [ parameters ] { performance }
 *                ( body | ";" )
 *   performance = ".maxntid" N , N , N | ".reqntid" ... | ".minnctapersm" N | ".maxnreg" N
 *                | ".noreturn" | ".pragma" string ";" | ...
 *
 * A function may be declared several times and defined once; all of its heads must agree, because
 * calls are checked against the one that came before them.
 */
#include "ptx/ptx_parser.h"

#include <string.h>

/* Words between the head and the body. Those whose numbers matter are kept. */
static const struct {
    const char *word;
    enum {
        KEEP_NOTHING,
        KEEP_MAX_THREADS,
        KEEP_REQUIRED_THREADS,
        KEEP_MIN_BLOCKS,
        KEEP_MAX_REGISTERS
    } keep;
} performance_rows[] = {
    {".maxntid", KEEP_MAX_THREADS},       {".reqntid", KEEP_REQUIRED_THREADS},
    {".minnctapersm", KEEP_MIN_BLOCKS},   {".maxnctapersm", KEEP_NOTHING},
    {".maxnreg", KEEP_MAX_REGISTERS},     {".noreturn", KEEP_NOTHING},
    {".reqnctapercluster", KEEP_NOTHING}, {".explicitcluster", KEEP_NOTHING},
    {".maxclusterrank", KEEP_NOTHING},    {".blocksareclusters", KEEP_NOTHING},
    {".abi_preserve", KEEP_NOTHING},      {".abi_preserve_control", KEEP_NOTHING},
};

/* Numbers with commas, none to three of them; those that are missing are 1. */
static bool parse_numbers(struct ptx_parser *parser, uint32_t out_numbers[3])
{
    size_t count = 0;

    out_numbers[0] = out_numbers[1] = out_numbers[2] = 1;
    while (parser->lexer.token.kind == PTX_TOKEN_INTEGER) {
        uint64_t number;

        if (!ptx_expect_integer(parser, UINT32_MAX, &number)) {
            return false;
        }
        out_numbers[count++] = (uint32_t)number;
        if (count == 3 || !ptx_accept_sign(parser, ',')) {
            break;
        }
    }
    return true;
}

static bool parse_performance(struct ptx_parser *parser, struct ptx_function *function)
{
    while (parser->lexer.token.kind == PTX_TOKEN_WORD) {
        size_t rows = sizeof performance_rows / sizeof *performance_rows;
        uint32_t numbers[3];
        size_t row = 0;

        if (ptx_accept_word(parser, ".pragma")) {
            if (!ptx_skip_statement(parser)) {
                return false;
            }
            continue;
        }
        while (row < rows && !ptx_at_word(parser, performance_rows[row].word)) {
            row++;
        }
        if (row == rows) {
            return ptx_fail_expected(parser, "the body of the function");
        }
        ptx_next(parser);
        if (!parse_numbers(parser, numbers)) {
            return false;
        }
        if (performance_rows[row].keep == KEEP_MAX_THREADS) {
            memcpy(function->max_threads, numbers, sizeof numbers);
        } else if (performance_rows[row].keep == KEEP_REQUIRED_THREADS) {
            memcpy(function->required_threads, numbers, sizeof numbers);
        } else if (performance_rows[row].keep == KEEP_MIN_BLOCKS) {
            function->min_blocks = numbers[0];
        } else if (performance_rows[row].keep == KEEP_MAX_REGISTERS) {
            function->max_registers = numbers[0];
        }
    }
    return true;
}

static bool same_parameters(const struct ptx_parameter *a, size_t a_count,
                            const struct ptx_parameter *b, size_t b_count)
{
    for (size_t i = 0; i < a_count && i < b_count; i++) {
        if (a[i].bytes != b[i].bytes || a[i].offset != b[i].offset) {
            return false;
        }
    }
    return a_count == b_count;
}

/* The index of a function: the one of its first declaration, or a new one. */
static bool find_or_add(struct ptx_parser *parser, const struct ptx_token *name,
                        const struct ptx_function *head, size_t *out_index)
{
    const struct ptx_name *old = ptx_names_find(&parser->names, name->start, name->length);

    if (old != NULL && old->kind == PTX_NAME_FUNCTION) {
        const struct ptx_function *first = &parser->functions[old->index];
        if (first->is_entry != head->is_entry ||
            !same_parameters(first->parameters, first->parameter_count, head->parameters,
                             head->parameter_count) ||
            !same_parameters(first->returns, first->return_count, head->returns,
                             head->return_count)) {
            return ptx_fail_at(parser, ERROR_SYNTAX, name->line,
                               "expected \"%.200s\" as it was declared before, got other "
                               "parameters",
                               first->name);
        }
        *out_index = old->index;
        return true;
    }
    *out_index = parser->function_count;
    if (!ptx_declare(parser, name, PTX_NAME_FUNCTION, parser->function_count)) {
        return false;
    }
    arena_grow(parser->scratch, &parser->functions, &parser->function_capacity,
               parser->function_count + 1, sizeof *parser->functions);
    parser->functions[parser->function_count] = *head;
    parser->functions[parser->function_count++].is_declaration = true;
    return true;
}

static bool parse_head(struct ptx_parser *parser, struct ptx_function *head, size_t *out_index)
{
    struct ptx_token name;
    uint64_t ignored;

    while (ptx_accept_word(parser, ".noreturn")) {
    }
    if (ptx_at_sign(parser, '(') && !head->is_entry) {
        ptx_next(parser);
        if (!ptx_parse_parameters(parser, &head->returns, &head->return_count, &ignored)) {
            return false;
        }
    }
    if (head->return_count > 1) {
        return ptx_fail(parser, ERROR_UNSUPPORTED, "expected at most 1 return value, got %zu",
                        head->return_count);
    }
    if (!ptx_expect_name(parser, &name)) {
        return false;
    }
    if (ptx_accept_sign(parser, '(') &&
        !ptx_parse_parameters(parser, &head->parameters, &head->parameter_count,
                              &head->parameter_bytes)) {
        return false;
    }
    head->name = arena_strndup(parser->arena, name.start, name.length);
    return parse_performance(parser, head) && find_or_add(parser, &name, head, out_index);
}

/* Declares parameters in the scope of the body; "_" stands for one without a name. */
static bool declare_parameters(struct ptx_parser *parser, const struct ptx_parameter *parameters,
                               size_t count, enum ptx_name_kind kind)
{
    for (size_t i = 0; i < count; i++) {
        struct ptx_token name = {.kind = PTX_TOKEN_WORD,
                                 .start = parameters[i].name,
                                 .length = strlen(parameters[i].name),
                                 .line = parser->lexer.token.line};

        if (strcmp(parameters[i].name, "_") != 0 && !ptx_declare(parser, &name, kind, i)) {
            return false;
        }
    }
    return true;
}

static void *keep(struct ptx_parser *parser, const void *items, size_t count, size_t item_bytes)
{
    void *copy = arena_array(parser->arena, count, item_bytes);

    if (count > 0) {
        memcpy(copy, items, count * item_bytes);
    }
    return copy;
}

/* Makes the last instruction one that ends the function, for labels and text that run past it. */
static void add_end(struct ptx_parser *parser, bool is_entry)
{
    struct ptx_body *body = &parser->body;
    size_t count = body->instruction_count;

    if (count > 0 && !body->needs_end) {
        const struct ptx_instruction *last = &body->instructions[count - 1];
        bool ends = last->opcode == PTX_OP_RET || last->opcode == PTX_OP_EXIT ||
                    last->opcode == PTX_OP_TRAP;
        if (ends && last->guard < 0) {
            return;
        }
    }
    arena_grow(parser->scratch, &body->instructions, &body->instruction_capacity, count + 1,
               sizeof *body->instructions);
    body->instructions[body->instruction_count++] =
        (struct ptx_instruction){.opcode = is_entry ? PTX_OP_EXIT : PTX_OP_RET,
                                 .guard = -1,
                                 .vector = 1,
                                 .location = parser->location,
                                 .text_line = parser->lexer.token.line};
}

static void finish_body(struct ptx_parser *parser, struct ptx_function *function)
{
    struct ptx_body *body = &parser->body;

    add_end(parser, function->is_entry);
    function->is_declaration = false;
    function->registers =
        keep(parser, body->registers, body->register_count, sizeof *body->registers);
    function->register_count = body->register_count;
    function->variables =
        keep(parser, body->variables, body->variable_count, sizeof *body->variables);
    function->variable_count = body->variable_count;
    function->instructions =
        keep(parser, body->instructions, body->instruction_count, sizeof *body->instructions);
    function->instruction_count = body->instruction_count;
    function->elements = keep(parser, body->elements, body->element_count, sizeof *body->elements);
    function->element_count = body->element_count;
    function->location = body->first_location;
    parser->instruction_total += body->instruction_count;
}

static void empty_body(struct ptx_body *body)
{
    body->register_count = 0;
    body->variable_count = 0;
    body->instruction_count = 0;
    body->element_count = 0;
    body->range_count = 0;
    body->table_count = 0;
    body->use_count = 0;
    body->first_location = 0;
    body->needs_end = false;
}

bool ptx_parse_function(struct ptx_parser *parser, bool is_entry)
{
    struct ptx_function head = {.is_entry = is_entry};
    struct ptx_body *body = &parser->body;
    size_t index = 0;

    if (!parse_head(parser, &head, &index)) {
        return false;
    }
    if (ptx_accept_sign(parser, ';')) {
        return true;
    }
    if (!parser->functions[index].is_declaration) {
        return ptx_fail(parser, ERROR_SYNTAX, "expected one body of \"%.200s\", got two",
                        head.name);
    }
    empty_body(body);
    body->parameters = head.parameters;
    body->parameter_count = head.parameter_count;
    body->returns = head.returns;
    body->return_count = head.return_count;
    parser->location = 0;
    body->scope_height = parser->names.count;
    if (!declare_parameters(parser, head.returns, head.return_count, PTX_NAME_RETURN) ||
        !declare_parameters(parser, head.parameters, head.parameter_count, PTX_NAME_PARAMETER)) {
        return false;
    }
    size_t height = body->scope_height;
    if (!ptx_parse_body(parser)) {
        return false;
    }
    ptx_names_drop(&parser->names, height);
    body->scope_height = 0;
    finish_body(parser, &head);
    parser->functions[index] = head;
    return true;
}
