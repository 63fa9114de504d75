/* ptx_initial.c: initial values of variables.
 *
 *   initial  = value | "{" [ initial { "," initial } ] "}"
 *   value    = sum | float | [ mask ] address
 *   address  = name [ + sum ] | "generic" "(" name ")" [ + sum ]
 *   mask     = "0xFF00" "(" address ")"          one byte of an address
 *
 * Braces may be flat, or nested as the dimensions are: then each inner list starts where its row
 * starts and leaves the rest of the row zero. The bytes grow with the text, not with the size that
 * is declared, until the end is reached.
 */
#include "ptx/ptx_parser.h"

#include <string.h>

struct initial {
    uint8_t *bytes; /* [used] */
    size_t capacity;
    uint64_t used;
    uint64_t position;                       /* of the next value */
    uint64_t limit;                          /* bytes of the variable; UINT64_MAX if unsized */
    uint64_t stride[PTX_DIMENSIONS_MAX + 2]; /* [k]: bytes of one element of a list at depth k */
    size_t element_bytes;
    struct ptx_relocation *relocations;
    size_t relocation_count, relocation_capacity;
};

/* Makes room for `bytes` at the position. */
static bool reserve(struct ptx_parser *parser, struct initial *initial, size_t bytes)
{
    uint64_t end = initial->position + bytes;

    if (end > initial->limit) {
        return ptx_fail(parser, ERROR_SYNTAX, "expected at most %llu bytes of initial values",
                        (unsigned long long)initial->limit);
    }
    if (end > PTX_INITIAL_BYTES_MAX - parser->initial_total) {
        return ptx_fail(parser, ERROR_LIMIT, "expected at most %d bytes of initial values",
                        PTX_INITIAL_BYTES_MAX);
    }
    arena_grow(parser->scratch, &initial->bytes, &initial->capacity, end, 1);
    initial->used = end > initial->used ? end : initial->used;
    return true;
}

static bool put(struct ptx_parser *parser, struct initial *initial, uint64_t bits)
{
    if (!reserve(parser, initial, initial->element_bytes)) {
        return false;
    }
    for (size_t i = 0; i < initial->element_bytes; i++) {
        initial->bytes[initial->position + i] = i < 8 ? (uint8_t)(bits >> (8 * i)) : 0;
    }
    initial->position += initial->element_bytes;
    return true;
}

/* name [ + sum ] or generic(name) [ + sum ]; `mask` selects one byte, 0 is the whole address. */
static bool parse_address(struct ptx_parser *parser, struct initial *initial, uint64_t mask)
{
    struct ptx_relocation relocation = {.offset = initial->position, .bytes = 8};
    struct ptx_token name;

    if (ptx_accept_word(parser, "generic")) {
        relocation.is_generic = true;
        if (!ptx_expect_sign(parser, '(') || !ptx_expect_name(parser, &name) ||
            !ptx_expect_sign(parser, ')')) {
            return false;
        }
    } else if (!ptx_expect_name(parser, &name)) {
        return false;
    }
    if ((ptx_at_sign(parser, '+') || ptx_at_sign(parser, '-')) &&
        !ptx_expect_sum(parser, &relocation.addend)) {
        return false;
    }
    if (mask != 0) {
        relocation.shift = (uint8_t)__builtin_ctzll(mask);
        if (mask >> relocation.shift != 0xFF || relocation.shift % 8 != 0) {
            return ptx_fail(parser, ERROR_SYNTAX, "expected a mask of one byte, got 0x%llX",
                            (unsigned long long)mask);
        }
    }
    relocation.bytes = mask != 0 ? 1 : (uint8_t)initial->element_bytes;
    if (initial->element_bytes > 8 || (mask == 0 && initial->element_bytes < 4)) {
        return ptx_fail(parser, ERROR_SYNTAX,
                        "expected an address in 4 or 8 bytes, got a type of %zu",
                        initial->element_bytes);
    }
    relocation.symbol = arena_strndup(parser->arena, name.start, name.length);
    arena_grow(parser->arena, &initial->relocations, &initial->relocation_capacity,
               initial->relocation_count + 1, sizeof *initial->relocations);
    initial->relocations[initial->relocation_count++] = relocation;
    return put(parser, initial, 0);
}

/* An integer behind its sign, perhaps the first of a sum, perhaps the mask of an address. */
static bool parse_integer(struct ptx_parser *parser, struct initial *initial, bool is_negative)
{
    uint64_t value = parser->lexer.token.bits;
    int64_t rest = 0;

    ptx_next(parser);
    if (!is_negative && value != 0 && ptx_accept_sign(parser, '(')) {
        return parse_address(parser, initial, value) && ptx_expect_sign(parser, ')');
    }
    if ((ptx_at_sign(parser, '+') || ptx_at_sign(parser, '-')) && !ptx_expect_sum(parser, &rest)) {
        return false;
    }
    return put(parser, initial, (is_negative ? 0 - value : value) + (uint64_t)rest);
}

static bool parse_number(struct ptx_parser *parser, struct initial *initial, enum ptx_type type)
{
    struct ptx_raw_operand raw = {0};
    uint64_t bits;

    while (ptx_at_sign(parser, '-') || ptx_at_sign(parser, '+')) {
        raw.is_negative ^= ptx_at_sign(parser, '-');
        ptx_next(parser);
    }
    raw.literal_kind = parser->lexer.token.kind;
    raw.literal_bits = parser->lexer.token.bits;
    if (raw.literal_kind == PTX_TOKEN_INTEGER) {
        return parse_integer(parser, initial, raw.is_negative);
    }
    if (raw.literal_kind != PTX_TOKEN_FLOAT32 && raw.literal_kind != PTX_TOKEN_FLOAT64) {
        return ptx_fail_expected(parser, "an initial value");
    }
    if (!ptx_convert_literal(&raw, type, &bits)) {
        return ptx_fail(parser, ERROR_SYNTAX, "expected a value of type %s, got another one",
                        ptx_type_name(type));
    }
    ptx_next(parser);
    return put(parser, initial, bits);
}

static bool parse_value(struct ptx_parser *parser, struct initial *initial, enum ptx_type type)
{
    if (parser->lexer.token.kind == PTX_TOKEN_WORD) {
        return parse_address(parser, initial, 0);
    }
    return parse_number(parser, initial, type);
}

/* Values in braces, however nested: `start[k]` is where the list at depth k began. */
static bool parse_lists(struct ptx_parser *parser, struct initial *initial,
                        const struct ptx_declaration *declaration)
{
    size_t depth_limit = declaration->dimension_count + (declaration->vector > 1);
    uint64_t start[PTX_DIMENSIONS_MAX + 2];
    size_t depth = 0;

    do {
        if (ptx_accept_sign(parser, '{')) {
            if (depth >= depth_limit) {
                return ptx_fail(parser, ERROR_SYNTAX, "expected at most %zu nested braces",
                                depth_limit);
            }
            start[depth++] = initial->position;
            if (!ptx_at_sign(parser, '}')) {
                continue;
            }
        } else if (depth == 0 || !parse_value(parser, initial, declaration->type)) {
            return ptx_fail_expected(parser, "\"{\"");
        }
        while (depth > 0 && ptx_accept_sign(parser, '}')) {
            depth--;
            if (depth > 0) {
                uint64_t end = start[depth] + initial->stride[depth];
                if (initial->position > end || end > initial->limit ||
                    end > PTX_INITIAL_BYTES_MAX) {
                    return ptx_fail(parser, ERROR_SYNTAX,
                                    "expected as many values as the dimensions allow, "
                                    "got more");
                }
                initial->position = end;
            }
        }
        if (depth > 0 && !ptx_expect_sign(parser, ',')) {
            return false;
        }
    } while (depth > 0);
    return true;
}

bool ptx_parse_initial(struct ptx_parser *parser, const struct ptx_declaration *declaration,
                       struct ptx_variable *variable)
{
    struct initial initial = {.element_bytes = ptx_type_bytes(declaration->type)};
    uint64_t stride = initial.element_bytes * declaration->vector;

    initial.limit = declaration->is_unsized ? UINT64_MAX : variable->bytes;
    initial.stride[declaration->dimension_count] = stride;
    for (size_t i = declaration->dimension_count; i-- > 1;) {
        stride *= declaration->dimensions[i]; /* at most the variable's bytes, or 0 */
        initial.stride[i] = stride;
    }
    bool good = ptx_at_sign(parser, '{') ? parse_lists(parser, &initial, declaration)
                                         : parse_value(parser, &initial, declaration->type);
    if (!good) {
        return false;
    }
    if (declaration->is_unsized) {
        uint64_t used = initial.position > initial.used ? initial.position : initial.used;
        variable->bytes = stride == 0 ? 0 : (used + stride - 1) / stride * stride;
    }
    if (variable->bytes > PTX_INITIAL_BYTES_MAX - parser->initial_total) {
        return ptx_fail(parser, ERROR_LIMIT, "expected at most %d bytes of initial values",
                        PTX_INITIAL_BYTES_MAX);
    }
    parser->initial_total += variable->bytes;
    uint8_t *bytes = arena_alloc(parser->arena, variable->bytes);
    if (initial.used > 0) {
        memcpy(bytes, initial.bytes, initial.used);
    }
    variable->initial = bytes;
    variable->relocations = initial.relocations;
    variable->relocation_count = initial.relocation_count;
    return true;
}

/* Every symbol of an initial value is a variable or a function of the module. */
bool ptx_check_relocations(struct ptx_parser *parser)
{
    for (size_t i = 0; i < parser->variable_count; i++) {
        const struct ptx_variable *variable = &parser->variables[i];

        for (size_t k = 0; k < variable->relocation_count; k++) {
            const char *symbol = variable->relocations[k].symbol;
            const struct ptx_name *name = ptx_names_find(&parser->names, symbol, strlen(symbol));
            if (name == NULL) {
                return ptx_fail(parser, ERROR_SYNTAX,
                                "expected the initial value of \"%.200s\" to use declared "
                                "names, got \"%.200s\"",
                                variable->name, symbol);
            }
            /* the parser owns what the variable shows as constant */
            struct ptx_relocation *relocation =
                (struct ptx_relocation *)(uintptr_t)&variable->relocations[k];
            relocation->is_function = name->kind == PTX_NAME_FUNCTION;
            relocation->index = name->index;
        }
    }
    return true;
}
