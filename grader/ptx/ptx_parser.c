/* ptx_parser.c: what all files of the parser do: fail, take tokens, declare names; see
 * ptx_parser.h. */
#include "ptx/ptx_parser.h"

#include <stdarg.h>
#include <stdio.h>

static bool fail(struct ptx_parser *parser, enum error error, uint32_t line, const char *format,
                 va_list arguments) __attribute__((format(printf, 4, 0)));

static bool fail(struct ptx_parser *parser, enum error error, uint32_t line, const char *format,
                 va_list arguments)
{
    char message[512];

    if (parser->error != ERROR_NONE) {
        return false;
    }
    parser->error = error;
    vsnprintf(message, sizeof message, format, arguments);
    diagnostic_set_at(parser->diagnostic, BLAME_STUDENT, "ptx", (int)line, 0, "%s", message);
    return false;
}

bool ptx_fail(struct ptx_parser *parser, enum error error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fail(parser, error, parser->lexer.token.line, format, arguments);
    va_end(arguments);
    return false;
}

bool ptx_fail_at(struct ptx_parser *parser, enum error error, uint32_t line, const char *format,
                 ...)
{
    va_list arguments;

    va_start(arguments, format);
    fail(parser, error, line, format, arguments);
    va_end(arguments);
    return false;
}

bool ptx_fail_expected(struct ptx_parser *parser, const char *expected)
{
    const struct ptx_token *token = &parser->lexer.token;

    if (token->kind == PTX_TOKEN_BAD) {
        return ptx_fail(parser, ERROR_SYNTAX, "%s", parser->lexer.complaint);
    }
    if (token->kind == PTX_TOKEN_END) {
        return ptx_fail(parser, ERROR_SYNTAX, "expected %s, got the end of the text", expected);
    }
    int length = token->length < 60 ? (int)token->length : 60;
    return ptx_fail(parser, ERROR_SYNTAX, "expected %s, got \"%.*s\"", expected, length,
                    token->start);
}

void ptx_next(struct ptx_parser *parser)
{
    ptx_lexer_next(&parser->lexer);
}

bool ptx_at_sign(const struct ptx_parser *parser, char sign)
{
    return ptx_token_is_sign(&parser->lexer.token, sign);
}

bool ptx_at_word(const struct ptx_parser *parser, const char *word)
{
    return ptx_token_is_word(&parser->lexer.token, word);
}

bool ptx_accept_sign(struct ptx_parser *parser, char sign)
{
    if (!ptx_at_sign(parser, sign)) {
        return false;
    }
    ptx_next(parser);
    return true;
}

bool ptx_accept_word(struct ptx_parser *parser, const char *word)
{
    if (!ptx_at_word(parser, word)) {
        return false;
    }
    ptx_next(parser);
    return true;
}

bool ptx_expect_sign(struct ptx_parser *parser, char sign)
{
    char expected[4] = {'"', sign, '"', '\0'};

    return ptx_accept_sign(parser, sign) || ptx_fail_expected(parser, expected);
}

bool ptx_expect_name(struct ptx_parser *parser, struct ptx_token *out_name)
{
    const struct ptx_token *token = &parser->lexer.token;

    if (token->kind != PTX_TOKEN_WORD || token->start[0] == '.') {
        return ptx_fail_expected(parser, "a name");
    }
    *out_name = *token;
    ptx_next(parser);
    return true;
}

bool ptx_expect_integer(struct ptx_parser *parser, uint64_t maximum, uint64_t *out_value)
{
    const struct ptx_token *token = &parser->lexer.token;

    if (token->kind != PTX_TOKEN_INTEGER) {
        return ptx_fail_expected(parser, "a number");
    }
    if (token->bits > maximum) {
        return ptx_fail(parser, ERROR_LIMIT, "expected at most %llu, got %llu",
                        (unsigned long long)maximum, (unsigned long long)token->bits);
    }
    *out_value = token->bits;
    ptx_next(parser);
    return true;
}

bool ptx_expect_sum(struct ptx_parser *parser, int64_t *out_value)
{
    uint64_t sum = 0;

    do {
        bool is_negative = false;
        uint64_t value = 0;

        while (ptx_at_sign(parser, '+') || ptx_at_sign(parser, '-')) {
            is_negative ^= ptx_at_sign(parser, '-');
            ptx_next(parser);
        }
        if (!ptx_expect_integer(parser, UINT64_MAX, &value)) {
            return false;
        }
        sum = is_negative ? sum - value : sum + value;
    } while (ptx_at_sign(parser, '+') || ptx_at_sign(parser, '-'));
    *out_value = (int64_t)sum;
    return true;
}

bool ptx_skip_statement(struct ptx_parser *parser)
{
    while (!ptx_at_sign(parser, ';')) {
        if (parser->lexer.token.kind == PTX_TOKEN_END ||
            parser->lexer.token.kind == PTX_TOKEN_BAD) {
            return ptx_fail_expected(parser, "\";\"");
        }
        ptx_next(parser);
    }
    ptx_next(parser);
    return true;
}

bool ptx_declare(struct ptx_parser *parser, const struct ptx_token *name, enum ptx_name_kind kind,
                 size_t index)
{
    const struct ptx_name *old = ptx_names_find(&parser->names, name->start, name->length);

    if (old != NULL && (size_t)(old - parser->names.stack) >= parser->body.scope_height) {
        int length = name->length < 200 ? (int)name->length : 200;
        return ptx_fail_at(parser, ERROR_SYNTAX, name->line,
                           "expected a new name, got \"%.*s\", which is already declared", length,
                           name->start);
    }
    ptx_names_add(&parser->names, name->start, name->length, kind, index);
    return true;
}

size_t ptx_add_elements(struct ptx_parser *parser, const struct ptx_operand *elements, size_t count)
{
    struct ptx_body *body = &parser->body;
    size_t first = body->element_count;

    arena_grow(parser->scratch, &body->elements, &body->element_capacity, first + count,
               sizeof *body->elements);
    for (size_t i = 0; i < count; i++) {
        body->elements[body->element_count++] = elements[i];
    }
    return first;
}
