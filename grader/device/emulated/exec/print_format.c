/* print_format.c: see print_format.h. */
#include "device/emulated/exec/print_format.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SPELLING_MAX = 64 };

/* One conversion as written, and what it says. */
struct conversion_text {
    char spelling[SPELLING_MAX]; /* from % on */
    size_t length;
    char flags[8];
    int width, precision; /* precision -1: none */
    unsigned stars;       /* bit 0: the width is an argument, bit 1: the precision */
    bool is_wide;         /* 8 bytes: l, ll, z, j, t */
    unsigned halves;      /* how many h */
    char type;
};

struct printer {
    const struct print_call *call;
    struct text *out;
    uint64_t next_format;
    uint64_t next_argument;
    unsigned arguments;
    bool has_failed; /* memory could not be read */
};

static char read_char(struct printer *printer, uint64_t address)
{
    char c = '\0';
    if (!printer->has_failed && !printer->call->read(printer->call->context, address, 1, &c)) {
        printer->has_failed = true;
    }
    return printer->has_failed ? '\0' : c;
}

/* The next argument, of 4 or 8 bytes. */
static uint64_t read_argument(struct printer *printer, size_t bytes)
{
    uint64_t address = (printer->next_argument + bytes - 1) / bytes * bytes;
    uint64_t value = 0;
    if (!printer->has_failed &&
        !printer->call->read(printer->call->context, address, bytes, &value)) {
        printer->has_failed = true;
    }
    printer->next_argument = address + bytes;
    printer->arguments++;
    return value;
}

static bool is_full(const struct printer *printer, size_t start)
{
    return printer->out->length - start >= printer->call->limit;
}

/* Takes the next character of the format into the spelling; false if that has become too long. */
static bool take(struct printer *printer, struct conversion_text *conversion)
{
    if (conversion->length == SPELLING_MAX) {
        return false;
    }
    conversion->spelling[conversion->length++] = read_char(printer, printer->next_format++);
    return true;
}

static char peek(struct printer *printer)
{
    return read_char(printer, printer->next_format);
}

/* Digits or a star. */
static bool read_number(struct printer *printer, struct conversion_text *conversion, unsigned star,
                        int *out_number)
{
    int number = 0;
    if (peek(printer) == '*') {
        conversion->stars |= star;
        return take(printer, conversion);
    }
    for (char c = peek(printer); c >= '0' && c <= '9'; c = peek(printer)) {
        number = number > PRINT_FIELD_MAX ? number : number * 10 + (c - '0');
        if (!take(printer, conversion)) {
            return false;
        }
    }
    *out_number = number;
    return true;
}

static bool read_size(struct printer *printer, struct conversion_text *conversion)
{
    for (char c = peek(printer); c != '\0' && strchr("hlzjt", c) != NULL; c = peek(printer)) {
        conversion->halves += c == 'h';
        conversion->is_wide = conversion->is_wide || c != 'h';
        if (!take(printer, conversion)) {
            return false;
        }
    }
    return true;
}

/* Reads a conversion behind its %; false if it is none. */
static bool read_conversion(struct printer *printer, struct conversion_text *conversion)
{
    size_t flag_count = 0;
    *conversion = (struct conversion_text){.spelling = "%", .length = 1, .precision = -1};
    for (char c = peek(printer); c != '\0' && strchr("# 0+-", c) != NULL; c = peek(printer)) {
        if (strchr(conversion->flags, c) == NULL) {
            conversion->flags[flag_count++] = c;
        }
        if (!take(printer, conversion)) {
            return false;
        }
    }
    if (!read_number(printer, conversion, 1, &conversion->width)) {
        return false;
    }
    if (peek(printer) == '.') {
        conversion->precision = 0;
        if (!take(printer, conversion) ||
            !read_number(printer, conversion, 2, &conversion->precision)) {
            return false;
        }
    }
    char type = read_size(printer, conversion) ? peek(printer) : '\0';
    if (type == '\0' || strchr("%cdiouxXpeEfFgGaAs", type) == NULL ||
        conversion->width > PRINT_FIELD_MAX || conversion->precision > PRINT_FIELD_MAX) {
        return false;
    }
    conversion->type = type;
    return take(printer, conversion);
}

static unsigned arguments_of(const struct conversion_text *conversion)
{
    return (conversion->stars & 1) + (conversion->stars >> 1) + (conversion->type != '%');
}

/* Width and precision that are arguments, as in C: a negative width means the flag -, a negative
 * precision none. False if they are too wide. */
static bool read_stars(struct printer *printer, struct conversion_text *conversion)
{
    if ((conversion->stars & 1) != 0) {
        int64_t width = (int32_t)read_argument(printer, 4);
        if (width < 0 && strchr(conversion->flags, '-') == NULL) {
            conversion->flags[strlen(conversion->flags)] = '-';
        }
        width = width < 0 ? -width : width;
        conversion->width = width > PRINT_FIELD_MAX ? PRINT_FIELD_MAX + 1 : (int)width;
    }
    if ((conversion->stars & 2) != 0) {
        int32_t precision = (int32_t)read_argument(printer, 4);
        conversion->precision = precision < 0                 ? -1
                                : precision > PRINT_FIELD_MAX ? PRINT_FIELD_MAX + 1
                                                              : precision;
    }
    return conversion->width <= PRINT_FIELD_MAX && conversion->precision <= PRINT_FIELD_MAX;
}

/* The bits of an integer, extended to 64 as its size and its type say. */
static uint64_t read_integer(struct printer *printer, const struct conversion_text *conversion)
{
    bool is_signed = conversion->type == 'd' || conversion->type == 'i';
    if (conversion->is_wide) {
        return read_argument(printer, 8);
    }
    uint32_t value = (uint32_t)read_argument(printer, 4);
    if (conversion->halves == 1) {
        return is_signed ? (uint64_t)(int64_t)(int16_t)value : (uint16_t)value;
    }
    if (conversion->halves > 1) {
        return is_signed ? (uint64_t)(int64_t)(int8_t)value : (uint8_t)value;
    }
    return is_signed ? (uint64_t)(int64_t)(int32_t)value : value;
}

/* The characters of a string argument, at most as many as the precision and the limit say. */
static void read_string(struct printer *printer, const struct conversion_text *conversion,
                        struct text *out)
{
    uint64_t address = read_argument(printer, 8);
    size_t most = conversion->precision < 0 ? printer->call->limit : (size_t)conversion->precision;
    if (address == 0) {
        text_append(out, "(null)");
        return;
    }
    while (out->length < most) {
        char c = read_char(printer, address++);
        if (c == '\0') {
            return;
        }
        text_append_char(out, c);
    }
}

static bool has_flag(const struct conversion_text *conversion, char flag)
{
    return strchr(conversion->flags, flag) != NULL;
}

/* Appends what is to be seen in a field: blanks or zeros, prefix (sign, 0x), the rest. */
static void print_field(struct printer *printer, const struct conversion_text *conversion,
                        const char *prefix, const struct text *value, bool fills_zeros)
{
    size_t length = strlen(prefix) + value->length;
    size_t width = (size_t)conversion->width;
    size_t missing = width > length ? width - length : 0;
    bool is_left = has_flag(conversion, '-');
    bool with_zeros = fills_zeros && !is_left && has_flag(conversion, '0');
    text_append_repeated(printer->out, ' ', is_left || with_zeros ? 0 : missing);
    text_append(printer->out, prefix);
    text_append_repeated(printer->out, '0', with_zeros ? missing : 0);
    text_append_bytes(printer->out, value->bytes, value->length);
    text_append_repeated(printer->out, ' ', is_left ? missing : 0);
}

/* The sign of a number, or what a flag puts in its place. */
static char sign_of(const struct conversion_text *conversion, bool is_negative)
{
    return is_negative                 ? '-'
           : has_flag(conversion, '+') ? '+'
           : has_flag(conversion, ' ') ? ' '
                                       : '\0';
}

static void print_integer(struct printer *printer, const struct conversion_text *conversion,
                          uint64_t bits, struct text *value)
{
    bool is_signed = conversion->type == 'd' || conversion->type == 'i';
    bool is_negative = is_signed && (int64_t)bits < 0;
    uint64_t size = is_negative ? 0 - bits : bits;
    char prefix[4] = {is_signed ? sign_of(conversion, is_negative) : '\0'};
    char digits[32];
    int count = conversion->type == 'o'   ? snprintf(digits, sizeof digits, "%" PRIo64, size)
                : conversion->type == 'x' ? snprintf(digits, sizeof digits, "%" PRIx64, size)
                : conversion->type == 'X' ? snprintf(digits, sizeof digits, "%" PRIX64, size)
                                          : snprintf(digits, sizeof digits, "%" PRIu64, size);
    count = size == 0 && conversion->precision == 0 ? 0 : count;
    int wanted = conversion->precision > count ? conversion->precision : count;
    if (has_flag(conversion, '#') && conversion->type == 'o' && wanted == count &&
        (size != 0 || count == 0)) {
        wanted++;
    }
    if (has_flag(conversion, '#') && (conversion->type | 32) == 'x' && size != 0) {
        prefix[0] = '0';
        prefix[1] = conversion->type;
    }
    text_append_repeated(value, '0', (size_t)(wanted - count));
    text_append_bytes(value, digits, (size_t)count);
    print_field(printer, conversion, prefix, value, conversion->precision < 0);
}

/* Digits of a number without a sign, as the C library writes them; a precision below 0 means none.
 */
static int spell_float(const struct conversion_text *conversion, double number, char *out,
                       size_t size)
{
    bool alternative = has_flag(conversion, '#');
    int precision = conversion->precision;
    switch (conversion->type) {
    case 'e':
    case 'E':
        return alternative ? snprintf(out, size, "%#.*e", precision, number)
                           : snprintf(out, size, "%.*e", precision, number);
    case 'f':
    case 'F':
        return alternative ? snprintf(out, size, "%#.*f", precision, number)
                           : snprintf(out, size, "%.*f", precision, number);
    case 'g':
    case 'G':
        return alternative ? snprintf(out, size, "%#.*g", precision, number)
                           : snprintf(out, size, "%.*g", precision, number);
    default:
        return alternative ? snprintf(out, size, "%#.*a", precision, number)
                           : snprintf(out, size, "%.*a", precision, number);
    }
}

static void print_float(struct printer *printer, const struct conversion_text *conversion,
                        uint64_t bits, struct text *value)
{
    enum { BEFORE_POINT = 512 }; /* the longest double has 309 digits there */
    char digits[PRINT_FIELD_MAX + BEFORE_POINT];
    bool is_upper = conversion->type < 'a';
    bool is_negative = bits >> 63 != 0;
    bool is_hex = (conversion->type | 32) == 'a';
    bool is_finite = (bits >> 52 & 0x7ff) != 0x7ff;
    double number;
    bits &= UINT64_MAX >> 1;
    memcpy(&number, &bits, sizeof number);
    int length = spell_float(conversion, number, digits, sizeof digits);
    if (length < 0 || (size_t)length >= sizeof digits) {
        return;
    }
    for (int i = 0; i < length && is_upper; i++) {
        digits[i] = (char)toupper((unsigned char)digits[i]);
    }
    char prefix[4] = {sign_of(conversion, is_negative)};
    size_t skipped = is_hex && is_finite ? 2 : 0;
    if (skipped != 0) {
        memcpy(prefix + strlen(prefix), digits, skipped);
    }
    text_append_bytes(value, digits + skipped, (size_t)length - skipped);
    print_field(printer, conversion, prefix, value, is_finite);
}

/* %p, as the C library of Linux writes pointers. */
static void print_pointer(struct printer *printer, const struct conversion_text *conversion,
                          uint64_t bits, struct text *value)
{
    if (bits == 0) {
        text_append(value, "(nil)");
    } else {
        text_printf(value, "%" PRIx64, bits);
    }
    print_field(printer, conversion, bits == 0 ? "" : "0x", value, false);
}

/* Appends one conversion that has an argument. */
static void print_argument(struct printer *printer, const struct conversion_text *conversion)
{
    struct text value;
    text_init(&value);
    switch (conversion->type) {
    case 's':
        read_string(printer, conversion, &value);
        print_field(printer, conversion, "", &value, false);
        break;
    case 'c':
        text_append_char(&value, (char)read_argument(printer, 4));
        print_field(printer, conversion, "", &value, false);
        break;
    case 'p':
        print_pointer(printer, conversion, read_argument(printer, 8), &value);
        break;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        print_integer(printer, conversion, read_integer(printer, conversion), &value);
        break;
    default:
        print_float(printer, conversion, read_argument(printer, 8), &value);
        break;
    }
    text_release(&value);
}

static void print_conversion(struct printer *printer)
{
    struct conversion_text conversion;
    bool is_good = read_conversion(printer, &conversion) &&
                   printer->arguments + arguments_of(&conversion) <= PRINT_ARGUMENTS_MAX &&
                   read_stars(printer, &conversion);
    if (!is_good) {
        text_append_bytes(printer->out, conversion.spelling, conversion.length);
        return;
    }
    if (conversion.type == '%') {
        text_append_char(printer->out, '%');
    } else {
        print_argument(printer, &conversion);
    }
}

int print_format(const struct print_call *call, struct text *out)
{
    size_t start = out->length;
    struct printer printer = {
        .call = call,
        .out = out,
        .next_format = call->format,
        .next_argument = call->arguments,
    };
    if (call->format == 0) {
        return PRINT_NULL_FORMAT;
    }
    for (;;) {
        char c = read_char(&printer, printer.next_format++);
        if (c == '\0' || is_full(&printer, start)) {
            break;
        }
        if (c == '%') {
            print_conversion(&printer);
        } else {
            text_append_char(out, c);
        }
    }
    if (printer.has_failed) {
        out->length = start;
        out->bytes[start] = '\0';
        return PRINT_BAD_MEMORY;
    }
    return (int)printer.arguments;
}
