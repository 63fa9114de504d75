/* Tests of printf in kernels: each conversion must come out as the C library writes it, which is
 * where CUDA has its text formatted. */
#include "device/emulated/exec/print_format.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Device memory of a test: the format at 1000, strings at 2000, arguments at 4096. */
enum { FORMAT_AT = 1000, STRING_AT = 2000, ARGUMENTS_AT = 4096, MEMORY_BYTES = 8192 };

struct memory {
    uint8_t bytes[MEMORY_BYTES];
    size_t end; /* of the arguments */
};

static bool read_memory(void *context, uint64_t address, size_t bytes, void *out)
{
    const struct memory *memory = context;
    if (address < FORMAT_AT || address + bytes > MEMORY_BYTES) {
        return false;
    }
    memcpy(out, memory->bytes + address, bytes);
    return true;
}

static void add_argument(struct memory *memory, const void *value, size_t bytes)
{
    memory->end = (memory->end + bytes - 1) / bytes * bytes;
    memcpy(memory->bytes + memory->end, value, bytes);
    memory->end += bytes;
}

static void start(struct memory *memory, const char *format)
{
    memset(memory, 0, sizeof *memory);
    memory->end = ARGUMENTS_AT;
    snprintf((char *)memory->bytes + FORMAT_AT, STRING_AT - FORMAT_AT, "%s", format);
}

static int print_limited(struct memory *memory, size_t limit, struct text *out)
{
    const struct print_call call = {
        .format = FORMAT_AT,
        .arguments = ARGUMENTS_AT,
        .limit = limit,
        .context = memory,
        .read = read_memory,
    };
    text_init(out);
    return print_format(&call, out);
}

static void expect_text(struct memory *memory, const char *expected, int result)
{
    struct text out;
    assert_int_equal(print_limited(memory, 1 << 20, &out), result);
    assert_string_equal(out.bytes, expected);
    text_release(&out);
}

/* Every set of flags with some widths and precisions. */
static const char *const fields[] = {"",   "1",   "7",    "12",   ".0",   ".1",
                                     ".5", "9.3", "20.0", "15.6", "3.12", "."};
enum { FLAG_SETS = 32, FIELDS = sizeof fields / sizeof fields[0] };

static void spell(char *out, size_t size, unsigned flags, const char *field, const char *tail)
{
    char chosen[6] = "";
    size_t count = 0;
    for (unsigned i = 0; i < 5; i++) {
        if ((flags >> i & 1) != 0) {
            chosen[count++] = "-+ #0"[i];
        }
    }
    snprintf(out, size, "<%%%s%s%s>", chosen, field, tail);
}

static void test_integers_are_those_of_the_library(void **state)
{
    (void)state;
    static const char *const tails[] = {"d", "i", "u", "x", "X", "o", "hd", "hhu", "hhd", "hx"};
    static const int values[] = {0, 1, -1, 42, -12345, 2147483647, -2147483647 - 1, 40000, 200};
    for (unsigned flags = 0; flags < FLAG_SETS; flags++) {
        for (size_t f = 0; f < FIELDS; f++) {
            for (size_t t = 0; t < sizeof tails / sizeof tails[0]; t++) {
                for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
                    char format[64];
                    char expected[128];
                    struct memory memory;
                    spell(format, sizeof format, flags, fields[f], tails[t]);
                    snprintf(expected, sizeof expected, format, values[v]);
                    start(&memory, format);
                    add_argument(&memory, &values[v], 4);
                    expect_text(&memory, expected, 1);
                }
            }
        }
    }
}

static void test_wide_integers(void **state)
{
    (void)state;
    static const char *const tails[] = {"ld", "lld", "lu", "llx", "zu", "jd", "tX", "llo"};
    static const long long values[] = {0, -1, 1234567890123456789, -42, -9223372036854775807 - 1};
    for (unsigned flags = 0; flags < FLAG_SETS; flags++) {
        for (size_t f = 0; f < FIELDS; f++) {
            for (size_t t = 0; t < sizeof tails / sizeof tails[0]; t++) {
                char format[64];
                char expected[128];
                struct memory memory;
                long long value = values[(flags + f + t) % 5];
                spell(format, sizeof format, flags, fields[f], tails[t]);
                snprintf(expected, sizeof expected, format, value);
                start(&memory, format);
                add_argument(&memory, &value, 8);
                expect_text(&memory, expected, 1);
            }
        }
    }
}

static void test_floats(void **state)
{
    (void)state;
    static const char *const tails[] = {"f", "F", "e", "E", "g", "G", "a", "A"};
    const double values[] = {0.0, -0.0,     1.0,       -2.5,     3.14159265358979, 1e-7, 1e22,
                             0.5, 123456.5, -INFINITY, INFINITY, 1e-310,           NAN,  1e300};
    for (unsigned flags = 0; flags < FLAG_SETS; flags++) {
        for (size_t f = 0; f < FIELDS; f++) {
            for (size_t t = 0; t < sizeof tails / sizeof tails[0]; t++) {
                for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
                    char format[64];
                    char expected[512];
                    struct memory memory;
                    double value = values[v];
                    spell(format, sizeof format, flags, fields[f], tails[t]);
                    snprintf(expected, sizeof expected, format, value);
                    start(&memory, format);
                    add_argument(&memory, &value, 8);
                    expect_text(&memory, expected, 1);
                }
            }
        }
    }
}

static void test_strings_characters_and_pointers(void **state)
{
    (void)state;
    struct memory memory;
    uint64_t string = STRING_AT;
    uint64_t pointer = 0x100000000200;
    uint64_t null = 0;
    uint32_t letter = 'x';
    start(&memory, "[%s|%8s|%-8s|%.3s|%c|%-4c|%4c|%p|%p|%20p|%s]");
    memcpy(memory.bytes + STRING_AT, "hello", 6);
    for (unsigned i = 0; i < 4; i++) {
        add_argument(&memory, &string, 8);
    }
    for (unsigned i = 0; i < 3; i++) {
        add_argument(&memory, &letter, 4);
    }
    add_argument(&memory, &pointer, 8);
    add_argument(&memory, &null, 8);
    add_argument(&memory, &pointer, 8);
    add_argument(&memory, &null, 8);
    expect_text(&memory,
                "[hello|   hello|hello   |hel|x|x   |   x|0x100000000200|(nil)|"
                "      0x100000000200|(null)]",
                11);
}

static void test_stars_take_arguments(void **state)
{
    (void)state;
    struct memory memory;
    int32_t width = 8;
    int32_t left = -8;
    int32_t precision = 2;
    int32_t none = -1;
    double value = 3.14159;
    start(&memory, "<%*.*f><%*f><%.*f>");
    add_argument(&memory, &width, 4);
    add_argument(&memory, &precision, 4);
    add_argument(&memory, &value, 8);
    add_argument(&memory, &left, 4);
    add_argument(&memory, &value, 8);
    add_argument(&memory, &none, 4);
    add_argument(&memory, &value, 8);
    expect_text(&memory, "<    3.14><3.141590><3.141590>", 7);
}

/* ints are packed without gaps, doubles and pointers at multiples of 8 */
static void test_arguments_are_aligned(void **state)
{
    (void)state;
    struct memory memory;
    int32_t one = 1;
    int32_t two = 2;
    double half = 0.5;
    start(&memory, "%d %f %d %d %f");
    add_argument(&memory, &one, 4);
    add_argument(&memory, &half, 8);
    add_argument(&memory, &one, 4);
    add_argument(&memory, &two, 4);
    add_argument(&memory, &half, 8);
    assert_int_equal(memory.end, ARGUMENTS_AT + 32);
    expect_text(&memory, "1 0.500000 1 2 0.500000", 5);
}

static void test_what_is_no_conversion_stays(void **state)
{
    (void)state;
    struct memory memory;
    start(&memory, "100%% %y %n %5k %");
    expect_text(&memory, "100% %y %n %5k %", 0);
    start(&memory, "%99999999d %.99999f");
    expect_text(&memory, "%99999999d %.99999f", 0);
    start(&memory, "%##########################################################################d");
    struct text out;
    assert_int_equal(print_limited(&memory, 1000, &out), 0);
    text_release(&out);
}

static void test_at_most_32_arguments(void **state)
{
    (void)state;
    struct memory memory;
    char format[128] = "";
    char expected[128] = "";
    for (int32_t i = 0; i < 34; i++) {
        memcpy(format + 2 * i, "%d", 3);
        size_t length = strlen(expected);
        if (i < 32) {
            snprintf(expected + length, sizeof expected - length, "%d", i % 10);
        } else {
            snprintf(expected + length, sizeof expected - length, "%%d");
        }
    }
    start(&memory, format);
    for (int32_t i = 0; i < 34; i++) {
        int32_t digit = i % 10;
        add_argument(&memory, &digit, 4);
    }
    expect_text(&memory, expected, 32);
}

static void test_bad_memory(void **state)
{
    (void)state;
    struct memory memory;
    struct text out;
    uint64_t nowhere = 5;
    start(&memory, "before %s");
    add_argument(&memory, &nowhere, 8);
    expect_text(&memory, "", PRINT_BAD_MEMORY);
    const struct print_call null_format = {.limit = 10, .context = &memory, .read = read_memory};
    text_init(&out);
    assert_int_equal(print_format(&null_format, &out), PRINT_NULL_FORMAT);
    assert_int_equal(out.length, 0);
    text_release(&out);
}

static void test_the_limit_ends_a_text(void **state)
{
    (void)state;
    struct memory memory;
    struct text out;
    uint64_t string = STRING_AT;
    start(&memory, "abcdefgh");
    print_limited(&memory, 4, &out);
    assert_string_equal(out.bytes, "abcd");
    text_release(&out);
    start(&memory, "%s%s");
    memcpy(memory.bytes + STRING_AT, "0123456789", 11);
    add_argument(&memory, &string, 8);
    add_argument(&memory, &string, 8);
    print_limited(&memory, 4, &out);
    assert_string_equal(out.bytes, "0123");
    text_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_are_those_of_the_library),
        cmocka_unit_test(test_wide_integers),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_strings_characters_and_pointers),
        cmocka_unit_test(test_stars_take_arguments),
        cmocka_unit_test(test_arguments_are_aligned),
        cmocka_unit_test(test_what_is_no_conversion_stays),
        cmocka_unit_test(test_at_most_32_arguments),
        cmocka_unit_test(test_bad_memory),
        cmocka_unit_test(test_the_limit_ends_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
