/* ptx_body.c: the statements of a function.
 *
 *   body       = "{" { statement } "}"
 *   statement  = body | label ":" [ table | prototype ] | ".reg" type registers ";"
 *              | ".shared" ... | ".local" ... | ".param" ... | ".loc" ... | ".pragma" string ";"
 *              | [ "@" [ "!" ] predicate ] instruction ";"
 *   table      = ".branchtargets" label { "," label } ";"
 *   prototype  = ( ".callprototype" | ".calltargets" ) ... ";"
 *
 * Blocks nest without recursion: a stack holds where each one began. Labels belong to their block;
 * a use waits until its block ends, then takes the label that is visible there, or waits for the
 * end of the block around it.
 */
#include "ptx/ptx_parser.h"

#include <string.h>

struct scope {
    size_t height;       /* of the names, at its start */
    size_t outer_height; /* the same of the scope around it */
    size_t uses;         /* of labels */
};

struct scopes {
    struct scope items[PTX_NESTING_MAX];
    size_t depth;
};

void ptx_use_label(struct ptx_parser *parser, const struct ptx_token *name, bool is_element,
                   size_t index)
{
    struct ptx_body *body = &parser->body;

    arena_grow(parser->scratch, &body->uses, &body->use_capacity, body->use_count + 1,
               sizeof *body->uses);
    body->uses[body->use_count++] = (struct ptx_label_use){.name = name->start,
                                                           .length = name->length,
                                                           .line = name->line,
                                                           .is_element = is_element,
                                                           .index = (uint32_t)index};
}

/* Gives the labels of the block that ends to the uses that can see them. */
static void resolve_labels(struct ptx_parser *parser, size_t first_use)
{
    struct ptx_body *body = &parser->body;
    size_t waiting = first_use;

    for (size_t i = first_use; i < body->use_count; i++) {
        const struct ptx_label_use *use = &body->uses[i];
        const struct ptx_name *name = ptx_names_find(&parser->names, use->name, use->length);

        if (name == NULL || name->kind != PTX_NAME_LABEL) {
            body->uses[waiting++] = *use;
            continue;
        }
        struct ptx_operand *operand = use->is_element ? &body->elements[use->index]
                                                      : &body->instructions[use->index].operands[0];
        operand->target = name->index;
        body->needs_end |= name->index == body->instruction_count;
    }
    body->use_count = waiting;
}

static bool open_scope(struct ptx_parser *parser, struct scopes *scopes)
{
    if (scopes->depth == PTX_NESTING_MAX) {
        return ptx_fail(parser, ERROR_LIMIT, "expected at most %d nested blocks, got more",
                        PTX_NESTING_MAX);
    }
    scopes->items[scopes->depth++] = (struct scope){.height = parser->names.count,
                                                    .outer_height = parser->body.scope_height,
                                                    .uses = parser->body.use_count};
    if (scopes->depth > 1) { /* the outermost block shares the scope of the parameters */
        parser->body.scope_height = parser->names.count;
    }
    ptx_next(parser);
    return true;
}

static bool close_scope(struct ptx_parser *parser, struct scopes *scopes)
{
    struct scope *scope = &scopes->items[--scopes->depth];
    struct ptx_body *body = &parser->body;

    resolve_labels(parser, scope->uses);
    ptx_names_drop(&parser->names, scope->height);
    body->scope_height = scope->outer_height;
    if (scopes->depth == 0 && body->use_count > 0) {
        const struct ptx_label_use *use = &body->uses[0];
        int length = use->length < 200 ? (int)use->length : 200;
        return ptx_fail_at(parser, ERROR_SYNTAX, use->line,
                           "expected a label of this function, got \"%.*s\"", length, use->name);
    }
    ptx_next(parser);
    return true;
}

/* Labels behind ".branchtargets", as elements. */
static bool parse_table(struct ptx_parser *parser, const struct ptx_token *name)
{
    struct ptx_body *body = &parser->body;
    struct ptx_table table = {.first = (uint32_t)body->element_count};

    if (!ptx_declare(parser, name, PTX_NAME_TABLE, body->table_count)) {
        return false;
    }
    do {
        struct ptx_operand element = {.kind = PTX_OPERAND_LABEL, .reg = -1, .symbol = -1};
        struct ptx_token label;

        if (!ptx_expect_name(parser, &label)) {
            return false;
        }
        ptx_use_label(parser, &label, true, ptx_add_elements(parser, &element, 1));
        table.count++;
    } while (ptx_accept_sign(parser, ','));
    arena_grow(parser->scratch, &body->tables, &body->table_capacity, body->table_count + 1,
               sizeof *body->tables);
    body->tables[body->table_count++] = table;
    return ptx_expect_sign(parser, ';');
}

static bool parse_label(struct ptx_parser *parser, const struct ptx_token *name)
{
    if (ptx_accept_word(parser, ".branchtargets")) {
        return parse_table(parser, name);
    }
    if (ptx_at_word(parser, ".callprototype") || ptx_at_word(parser, ".calltargets")) {
        return ptx_declare(parser, name, PTX_NAME_PROTOTYPE, 0) && ptx_skip_statement(parser);
    }
    return ptx_declare(parser, name, PTX_NAME_LABEL, parser->body.instruction_count);
}

static bool parse_guard(struct ptx_parser *parser, int32_t *out_guard, bool *out_is_negated)
{
    struct ptx_token name;
    enum ptx_type type;

    *out_guard = -1;
    *out_is_negated = false;
    if (!ptx_accept_sign(parser, '@')) {
        return true;
    }
    *out_is_negated = ptx_accept_sign(parser, '!');
    if (!ptx_expect_name(parser, &name)) {
        return false;
    }
    *out_guard = ptx_find_register(parser, &name, &type);
    if (*out_guard < 0 || type != PTX_PRED) {
        int length = name.length < 200 ? (int)name.length : 200;
        return ptx_fail_at(parser, ERROR_SYNTAX, name.line,
                           "expected a predicate register as guard, got \"%.*s\"", length,
                           name.start);
    }
    return true;
}

static bool parse_branch(struct ptx_parser *parser, struct ptx_instruction *instruction)
{
    struct ptx_token label;

    if (!ptx_expect_name(parser, &label)) {
        return false;
    }
    instruction->operands[0].kind = PTX_OPERAND_LABEL;
    instruction->operand_count = 1;
    ptx_use_label(parser, &label, false, parser->body.instruction_count);
    return true;
}

/* "brx.idx %r1, table": the index, then the labels of the table. */
static bool parse_indexed_branch(struct ptx_parser *parser, struct ptx_instruction *instruction)
{
    struct ptx_raw_operands operands = {0};
    struct ptx_token name;
    enum ptx_type type = PTX_TYPE_NONE;

    if (!ptx_parse_operand(parser, &operands, &operands.items[0]) ||
        !ptx_expect_sign(parser, ',') || !ptx_expect_name(parser, &name)) {
        return false;
    }
    const struct ptx_name *found = ptx_names_find(&parser->names, name.start, name.length);
    if (operands.items[0].operand.kind == PTX_OPERAND_REGISTER) {
        type = operands.items[0].register_type;
    }
    if (found == NULL || found->kind != PTX_NAME_TABLE || ptx_type_bytes(type) != 4) {
        return ptx_fail_at(parser, ERROR_SYNTAX, name.line,
                           "expected a 32-bit register and a name of .branchtargets");
    }
    instruction->operands[0] = operands.items[0].operand;
    instruction->operands[1].kind = PTX_OPERAND_VECTOR;
    instruction->operands[1].element_first = parser->body.tables[found->index].first;
    instruction->operands[1].element_count = parser->body.tables[found->index].count;
    instruction->operand_count = 2;
    return true;
}

/* Operands up to the ';'. An instruction that is not known keeps its text. */
static bool parse_instruction_operands(struct ptx_parser *parser,
                                       struct ptx_instruction *instruction)
{
    struct ptx_raw_operands operands; /* 5 KiB, so not cleared for each instruction */

    switch (instruction->opcode) {
    case PTX_OP_UNKNOWN:
        return true;
    case PTX_OP_BRA:
        return parse_branch(parser, instruction);
    case PTX_OP_BRX_IDX:
        return parse_indexed_branch(parser, instruction);
    case PTX_OP_CALL:
        return ptx_parse_call(parser, instruction);
    default:
        break;
    }
    if (!ptx_parse_operands(parser, &operands)) {
        return false;
    }
    if (operands.is_unknown || !ptx_match_operands(parser, &operands, instruction)) {
        instruction->opcode = PTX_OP_UNKNOWN;
    }
    return parser->error == ERROR_NONE;
}

/* Turns an instruction into one that only has its guard, its places and its text. */
static bool make_unknown(struct ptx_parser *parser, const char *start,
                         struct ptx_instruction *instruction)
{
    struct ptx_instruction unknown = {.opcode = PTX_OP_UNKNOWN,
                                      .vector = 1,
                                      .guard = instruction->guard,
                                      .guard_negated = instruction->guard_negated,
                                      .location = instruction->location,
                                      .text_line = instruction->text_line};

    while (!ptx_at_sign(parser, ';')) {
        if (parser->lexer.token.kind == PTX_TOKEN_END ||
            parser->lexer.token.kind == PTX_TOKEN_BAD) {
            return ptx_fail_expected(parser, "\";\"");
        }
        ptx_next(parser);
    }
    size_t length = (size_t)(parser->lexer.token.start - start);
    unknown.text = arena_strndup(parser->arena, start, length);
    *instruction = unknown;
    return true;
}

static bool parse_instruction(struct ptx_parser *parser, const struct ptx_token *word,
                              int32_t guard, bool guard_negated)
{
    struct ptx_body *body = &parser->body;
    struct ptx_instruction instruction = *ptx_find_mnemonic(parser, word);

    instruction.guard = guard;
    instruction.guard_negated = guard_negated;
    instruction.location = parser->location;
    instruction.text_line = word->line;
    if (body->instruction_count >= PTX_INSTRUCTIONS_MAX - parser->instruction_total) {
        return ptx_fail(parser, ERROR_LIMIT, "expected at most %d instructions, got more",
                        PTX_INSTRUCTIONS_MAX);
    }
    if (!parse_instruction_operands(parser, &instruction)) {
        return false;
    }
    if (instruction.opcode == PTX_OP_UNKNOWN && !make_unknown(parser, word->start, &instruction)) {
        return false;
    }
    arena_grow(parser->scratch, &body->instructions, &body->instruction_capacity,
               body->instruction_count + 1, sizeof *body->instructions);
    instruction.is_after_nounroll = body->has_nounroll;
    body->has_nounroll = false;
    body->instructions[body->instruction_count++] = instruction;
    return ptx_expect_sign(parser, ';');
}

static bool parse_directive(struct ptx_parser *parser)
{
    const struct ptx_token *token = &parser->lexer.token;
    enum ptx_space space;

    if (ptx_accept_word(parser, ".loc")) {
        return ptx_parse_loc(parser);
    }
    if (ptx_accept_word(parser, ".reg")) {
        return ptx_parse_registers(parser);
    }
    if (ptx_accept_word(parser, ".pragma")) {
        parser->body.has_nounroll |= token->kind == PTX_TOKEN_STRING &&
                                     token->length == strlen("nounroll") &&
                                     memcmp(token->start, "nounroll", token->length) == 0;
        return ptx_skip_statement(parser);
    }
    if (!ptx_space_find(token->start + 1, token->length - 1, &space)) {
        return ptx_fail_expected(parser, "a statement");
    }
    ptx_next(parser);
    return ptx_parse_variables(parser, space, false,
                               space == PTX_SPACE_GLOBAL || space == PTX_SPACE_CONST);
}

static bool parse_statement(struct ptx_parser *parser)
{
    const struct ptx_token *token = &parser->lexer.token;
    struct ptx_token word;
    int32_t guard;
    bool guard_negated;

    if (token->kind == PTX_TOKEN_WORD && token->start[0] == '.') {
        return parse_directive(parser);
    }
    if (!parse_guard(parser, &guard, &guard_negated) || !ptx_expect_name(parser, &word)) {
        return false;
    }
    if (guard < 0 && ptx_accept_sign(parser, ':')) {
        return parse_label(parser, &word);
    }
    return parse_instruction(parser, &word, guard, guard_negated);
}

bool ptx_parse_body(struct ptx_parser *parser)
{
    struct scopes scopes = {.depth = 0};

    if (!ptx_at_sign(parser, '{')) {
        return ptx_fail_expected(parser, "\"{\"");
    }
    do {
        bool good;

        if (ptx_at_sign(parser, '{')) {
            good = open_scope(parser, &scopes);
        } else if (ptx_at_sign(parser, '}')) {
            good = close_scope(parser, &scopes);
        } else if (ptx_at_sign(parser, ';')) {
            ptx_next(parser);
            good = true;
        } else {
            good = parse_statement(parser);
        }
        if (!good) {
            return false;
        }
    } while (scopes.depth > 0);
    return true;
}
