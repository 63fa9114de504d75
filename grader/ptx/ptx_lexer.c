/* ptx_lexer.c: the tokeniser; see ptx_lexer.h.
 *
 * Numbers: decimal, 0x hexadecimal, 0 octal, 0b binary, each perhaps with U; 0f and 0d with the
 * digits of the bits; decimal floating point, which PTX reads in double precision.
 */
#include "ptx/ptx_lexer.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool starts_word(char c)
{
    return is_letter(c) || c == '$' || c == '%' || c == '.';
}

static bool continues_word(char c)
{
    return is_letter(c) || is_digit(c) || c == '$' || c == '.';
}

static char peek(const struct ptx_lexer *lexer, size_t offset)
{
    return (size_t)(lexer->end - lexer->next) > offset ? lexer->next[offset] : '\0';
}

static void set_bad(struct ptx_lexer *lexer, const char *complaint)
{
    lexer->token.kind = PTX_TOKEN_BAD;
    lexer->complaint = complaint;
}

/* Skips a block comment; false if it does not end. */
static bool skip_block(struct ptx_lexer *lexer)
{
    lexer->token.line = lexer->line; /* where an endless comment is reported */
    lexer->next += 2;
    while (lexer->next < lexer->end) {
        if (peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
            lexer->next += 2;
            return true;
        }
        lexer->line += *lexer->next == '\n';
        lexer->next++;
    }
    return false;
}

/* Skips white space and comments; false if a comment does not end. */
static bool skip_blank(struct ptx_lexer *lexer)
{
    while (lexer->next < lexer->end) {
        char c = *lexer->next;

        if (c == '\n') {
            lexer->line++;
            lexer->next++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lexer->next++;
        } else if (c == '/' && peek(lexer, 1) == '/') {
            const char *newline = memchr(lexer->next, '\n', (size_t)(lexer->end - lexer->next));
            lexer->next = newline != NULL ? newline : lexer->end;
        } else if (c == '/' && peek(lexer, 1) == '*') {
            if (!skip_block(lexer)) {
                return false;
            }
        } else {
            return true;
        }
    }
    return true;
}

static void read_word(struct ptx_lexer *lexer)
{
    bool is_directive = *lexer->next == '.';

    lexer->token.kind = PTX_TOKEN_WORD;
    lexer->next++;
    while (lexer->next < lexer->end) {
        if (is_directive && *lexer->next == '.') {
            return;
        }
        if (continues_word(*lexer->next)) {
            lexer->next++;
        } else if (*lexer->next == ':' && peek(lexer, 1) == ':' && continues_word(peek(lexer, 2))) {
            lexer->next += 2;
        } else {
            return;
        }
    }
}

static int digit_value(char c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return 99;
}

/* Reads digits of a base; *out_count is their number. False if the value needs over 64 bits. */
static bool read_digits(struct ptx_lexer *lexer, unsigned base, uint64_t *out_value,
                        size_t *out_count)
{
    uint64_t value = 0;
    size_t count = 0;

    while ((unsigned)digit_value(peek(lexer, 0)) < base) {
        if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit_value(*lexer->next), &value)) {
            return false;
        }
        lexer->next++;
        count++;
    }
    *out_value = value;
    *out_count = count;
    return true;
}

/* The bits of a floating-point number: exactly `digits` hexadecimal digits after two characters. */
static void read_float_bits(struct ptx_lexer *lexer, size_t digits, enum ptx_token_kind kind)
{
    size_t count;

    lexer->next += 2;
    if (!read_digits(lexer, 16, &lexer->token.bits, &count) || count != digits) {
        set_bad(lexer, "a floating-point number needs 8 digits after 0f and 16 after 0d");
        return;
    }
    lexer->token.kind = kind;
}

/* Whether the digits that come are those of a decimal floating-point number. */
static bool is_decimal_float(const struct ptx_lexer *lexer)
{
    size_t i = 0;

    while (is_digit(peek(lexer, i))) {
        i++;
    }
    char c = peek(lexer, i);
    return c == '.' || c == 'e' || c == 'E';
}

static void read_decimal_float(struct ptx_lexer *lexer)
{
    char digits[64];
    size_t length = 0;
    char *end;

    for (;;) {
        char c = peek(lexer, length);
        bool is_exponent_sign = (c == '-' || c == '+') && length > 0 &&
                                (lexer->next[length - 1] == 'e' || lexer->next[length - 1] == 'E');
        if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && !is_exponent_sign) {
            break;
        }
        if (length == sizeof digits - 1) {
            set_bad(lexer, "a decimal number has at most 63 characters");
            return;
        }
        digits[length++] = c;
    }
    digits[length] = '\0';
    double value = strtod(digits, &end);
    if (*end != '\0') {
        set_bad(lexer, "not a decimal number");
        return;
    }
    memcpy(&lexer->token.bits, &value, sizeof value);
    lexer->token.kind = PTX_TOKEN_FLOAT64;
    lexer->next += length;
}

static void read_integer(struct ptx_lexer *lexer)
{
    unsigned base = 10;
    size_t count;

    if (peek(lexer, 0) == '0') {
        char c = peek(lexer, 1);
        bool is_hexadecimal = c == 'x' || c == 'X';
        bool is_binary = c == 'b' || c == 'B';

        base = is_hexadecimal ? 16 : is_binary ? 2 : 8;
        lexer->next += is_hexadecimal || is_binary ? 2 : 0;
    }
    if (!read_digits(lexer, base, &lexer->token.bits, &count)) {
        set_bad(lexer, "an integer has at most 64 bits");
        return;
    }
    if (peek(lexer, 0) == 'U' && count > 0) {
        lexer->next++;
    }
    if (count == 0 || continues_word(peek(lexer, 0))) {
        set_bad(lexer, "not a number");
        return;
    }
    lexer->token.kind = PTX_TOKEN_INTEGER;
}

static void read_number(struct ptx_lexer *lexer)
{
    char c = peek(lexer, 0) == '0' ? peek(lexer, 1) : '\0';

    if (c == 'f' || c == 'F') {
        read_float_bits(lexer, 8, PTX_TOKEN_FLOAT32);
    } else if (c == 'd' || c == 'D') {
        read_float_bits(lexer, 16, PTX_TOKEN_FLOAT64);
    } else if (is_decimal_float(lexer)) {
        read_decimal_float(lexer);
    } else {
        read_integer(lexer);
    }
}

static void read_string(struct ptx_lexer *lexer)
{
    const char *start = ++lexer->next;

    while (lexer->next < lexer->end && *lexer->next != '"' && *lexer->next != '\n') {
        lexer->next += *lexer->next == '\\' && peek(lexer, 1) == '"' ? 2 : 1;
    }
    if (peek(lexer, 0) != '"') {
        set_bad(lexer, "a string is not closed on its line");
        return;
    }
    lexer->token.kind = PTX_TOKEN_STRING;
    lexer->token.start = start;
    lexer->token.length = (size_t)(lexer->next - start);
    lexer->next++;
}

void ptx_lexer_next(struct ptx_lexer *lexer)
{
    if (lexer->token.kind == PTX_TOKEN_BAD) {
        return;
    }
    if (!skip_blank(lexer)) {
        set_bad(lexer, "a comment is not closed");
        return;
    }
    lexer->token =
        (struct ptx_token){.kind = PTX_TOKEN_END, .start = lexer->next, .line = lexer->line};
    if (lexer->next == lexer->end) {
        return;
    }
    char c = *lexer->next;
    if (c == '"') {
        read_string(lexer);
        return;
    }
    if (starts_word(c)) {
        read_word(lexer);
    } else if (is_digit(c)) {
        read_number(lexer);
    } else if (c > ' ' && c < 127) {
        lexer->token.kind = PTX_TOKEN_SIGN;
        lexer->next++;
    } else {
        set_bad(lexer, "a byte that is not allowed in PTX");
        return;
    }
    lexer->token.length = (size_t)(lexer->next - lexer->token.start);
}

void ptx_lexer_init(struct ptx_lexer *lexer, const char *text, size_t length)
{
    *lexer = (struct ptx_lexer){.next = text, .end = text + length, .line = 1};
    lexer->token.kind = PTX_TOKEN_SIGN;
    ptx_lexer_next(lexer);
}

bool ptx_token_is_word(const struct ptx_token *token, const char *word)
{
    return token->kind == PTX_TOKEN_WORD && strlen(word) == token->length &&
           memcmp(token->start, word, token->length) == 0;
}

bool ptx_token_is_sign(const struct ptx_token *token, char sign)
{
    return token->kind == PTX_TOKEN_SIGN && token->start[0] == sign;
}
