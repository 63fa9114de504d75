/* ptx_parse.c: a module; see ptx_parser.h.
 *
 *   module     = { directive }
 *   directive  = ".version" 9.0 | ".target" sm_75 {"," word} | ".address_size" 64
 *              | ".file" ... | ".loc" ... | ".section" word block | ".pragma" string ";"
 *              | ".alias" name "," name ";" | { linkage } ( variable | function )
 *   linkage    = ".extern" | ".visible" | ".weak" | ".common"
 */
#include "ptx/ptx_parser.h"

#include <string.h>

/* ".version 9.0" is the word and a decimal number, whose digits are read again from the text. */
static bool parse_version(struct ptx_parser *parser)
{
    const struct ptx_token *token = &parser->lexer.token;
    uint32_t numbers[2] = {0, 0};
    size_t part = 0;

    if (token->kind != PTX_TOKEN_FLOAT64 || token->length > 9) {
        return ptx_fail_expected(parser, "a version such as 9.0");
    }
    for (size_t i = 0; i < token->length; i++) {
        char c = token->start[i];

        if (c == '.') {
            part = 1;
        } else if (c >= '0' && c <= '9') {
            numbers[part] = numbers[part] * 10 + (uint32_t)(c - '0');
        } else {
            return ptx_fail_expected(parser, "a version such as 9.0");
        }
    }
    parser->module.version_major = numbers[0];
    parser->module.version_minor = numbers[1];
    ptx_next(parser);
    return true;
}

/* ".target sm_75, debug": the number of the first word that starts with "sm_". */
static bool parse_target(struct ptx_parser *parser)
{
    do {
        struct ptx_token name = {0};
        uint32_t number = 0;

        if (!ptx_expect_name(parser, &name)) {
            return false;
        }
        if (name.length < 4 || memcmp(name.start, "sm_", 3) != 0 || parser->module.target != 0) {
            continue;
        }
        for (size_t i = 3; i < name.length && i < 9; i++) {
            if (name.start[i] < '0' || name.start[i] > '9') {
                break;
            }
            number = number * 10 + (uint32_t)(name.start[i] - '0');
        }
        parser->module.target = number;
    } while (ptx_accept_sign(parser, ','));
    return true;
}

static bool parse_address_size(struct ptx_parser *parser)
{
    uint64_t bits = 0;

    if (!ptx_expect_integer(parser, 64, &bits)) {
        return false;
    }
    if (bits != 64) {
        return ptx_fail(parser, ERROR_UNSUPPORTED, "expected 64-bit addresses, got %d bits",
                        (int)bits);
    }
    return true;
}

/* ".section .debug_str { ... }": debugging data that nothing here needs. */
static bool skip_section(struct ptx_parser *parser)
{
    size_t depth = 0;

    while (!ptx_at_sign(parser, '{')) {
        if (parser->lexer.token.kind != PTX_TOKEN_WORD) {
            return ptx_fail_expected(parser, "\"{\"");
        }
        ptx_next(parser);
    }
    do {
        if (parser->lexer.token.kind == PTX_TOKEN_END ||
            parser->lexer.token.kind == PTX_TOKEN_BAD) {
            return ptx_fail_expected(parser, "\"}\"");
        }
        depth += ptx_at_sign(parser, '{');
        depth -= ptx_at_sign(parser, '}');
        ptx_next(parser);
    } while (depth > 0);
    return true;
}

/* ".alias f, g;": from here on, f is g. */
static bool parse_alias(struct ptx_parser *parser)
{
    struct ptx_token alias = {0};
    struct ptx_token target = {0};

    if (!ptx_expect_name(parser, &alias) || !ptx_expect_sign(parser, ',') ||
        !ptx_expect_name(parser, &target)) {
        return false;
    }
    const struct ptx_name *name = ptx_names_find(&parser->names, target.start, target.length);
    if (name == NULL || name->kind != PTX_NAME_FUNCTION) {
        return ptx_fail_at(parser, ERROR_SYNTAX, target.line,
                           "expected the name of a function after .alias");
    }
    ptx_names_add(&parser->names, alias.start, alias.length, PTX_NAME_FUNCTION, name->index);
    return ptx_expect_sign(parser, ';');
}

/* { linkage } ( variable | function ) */
static bool parse_definition(struct ptx_parser *parser)
{
    bool is_extern = false;

    for (;;) {
        if (ptx_accept_word(parser, ".extern")) {
            is_extern = true;
        } else if (!ptx_accept_word(parser, ".visible") && !ptx_accept_word(parser, ".weak") &&
                   !ptx_accept_word(parser, ".common")) {
            break;
        }
    }
    if (ptx_accept_word(parser, ".entry")) {
        return ptx_parse_function(parser, true);
    }
    if (ptx_accept_word(parser, ".func")) {
        return ptx_parse_function(parser, false);
    }
    const struct ptx_token *token = &parser->lexer.token;
    enum ptx_space space;
    if (token->kind != PTX_TOKEN_WORD ||
        !ptx_space_find(token->start + 1, token->length - 1, &space) || space == PTX_SPACE_PARAM ||
        space == PTX_SPACE_LOCAL) {
        return ptx_fail_expected(parser, "a variable or a function");
    }
    ptx_next(parser);
    return ptx_parse_variables(parser, space, is_extern, true);
}

static bool parse_directive(struct ptx_parser *parser)
{
    static const struct {
        const char *word;
        bool (*parse)(struct ptx_parser *parser);
    } directives[] = {
        {".version", parse_version},
        {".target", parse_target},
        {".address_size", parse_address_size},
        {".file", ptx_parse_file},
        {".loc", ptx_parse_loc},
        {".section", skip_section},
        {".pragma", ptx_skip_statement},
        {".alias", parse_alias},
    };

    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        if (ptx_accept_word(parser, directives[i].word)) {
            return directives[i].parse(parser);
        }
    }
    return parse_definition(parser);
}

/* Copies an array of the scratch arena to the caller's, in its final size. */
static const void *keep(struct ptx_parser *parser, const void *items, size_t count,
                        size_t item_bytes)
{
    void *copy = arena_array(parser->arena, count, item_bytes);

    if (count > 0) {
        memcpy(copy, items, count * item_bytes);
    }
    return copy;
}

static const struct ptx_module *finish_module(struct ptx_parser *parser)
{
    struct ptx_module *module = arena_alloc(parser->arena, sizeof *module);

    *module = parser->module;
    module->files = keep(parser, parser->files, parser->file_count, sizeof *parser->files);
    module->file_count = parser->file_count;
    module->locations =
        keep(parser, parser->locations, parser->location_count, sizeof *parser->locations);
    module->location_count = parser->location_count;
    module->variables =
        keep(parser, parser->variables, parser->variable_count, sizeof *parser->variables);
    module->variable_count = parser->variable_count;
    module->functions =
        keep(parser, parser->functions, parser->function_count, sizeof *parser->functions);
    module->function_count = parser->function_count;
    return module;
}

static bool parse_module(struct ptx_parser *parser)
{
    while (parser->lexer.token.kind != PTX_TOKEN_END) {
        if (!parse_directive(parser)) {
            return false;
        }
    }
    if (parser->module.version_major == 0) {
        return ptx_fail(parser, ERROR_SYNTAX, "expected a directive .version, got none");
    }
    ptx_finish_locations(parser);
    return ptx_check_relocations(parser);
}

enum error ptx_parse(struct arena *arena, const char *text, size_t length,
                     const struct ptx_module **out_module, struct diagnostic *diagnostic)
{
    struct ptx_parser parser = {.arena = arena, .diagnostic = diagnostic};

    if (length > PTX_TEXT_BYTES_MAX) {
        diagnostic_set_at(diagnostic, BLAME_STUDENT, "ptx", 0, 0,
                          "expected at most %d bytes of text, got %zu", PTX_TEXT_BYTES_MAX, length);
        return ERROR_LIMIT;
    }
    parser.scratch = arena_new();
    ptx_lexer_init(&parser.lexer, text, length);
    ptx_names_init(&parser.names, parser.scratch);
    ptx_names_init(&parser.mnemonics, parser.scratch);
    arena_grow(parser.scratch, &parser.files, &parser.file_capacity, 1, sizeof *parser.files);
    parser.files[parser.file_count++] = "";
    arena_grow(parser.scratch, &parser.locations, &parser.location_capacity, 1,
               sizeof *parser.locations);
    parser.locations[parser.location_count++] = (struct ptx_location){0};
    if (parse_module(&parser)) {
        *out_module = finish_module(&parser);
    }
    arena_free(parser.scratch);
    return parser.error;
}

const struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name)
{
    for (size_t i = 0; i < module->function_count; i++) {
        if (strcmp(module->functions[i].name, name) == 0) {
            return &module->functions[i];
        }
    }
    return NULL;
}

const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name)
{
    for (size_t i = 0; i < module->variable_count; i++) {
        if (strcmp(module->variables[i].name, name) == 0) {
            return &module->variables[i];
        }
    }
    return NULL;
}
