/* test_element.c: what the bytes of each type mean. */
#include "model/element.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    enum element_type type;
    double value;    /* that is stored */
    uint64_t bits;   /* that it becomes */
    double expected; /* that is read */
} rows[] = {
    {ELEMENT_F16, 1.0, 0x3c00, 1.0},
    {ELEMENT_F16, -2.0, 0xc000, -2.0},
    {ELEMENT_F16, 65504.0, 0x7bff, 65504.0},
    {ELEMENT_F16, 65519.0, 0x7bff, 65504.0},
    {ELEMENT_F16, 65520.0, 0x7c00, INFINITY},
    {ELEMENT_F16, -INFINITY, 0xfc00, -INFINITY},
    {ELEMENT_F16, 0x1p-14, 0x0400, 0x1p-14},
    {ELEMENT_F16, 0x1p-24, 0x0001, 0x1p-24},
    {ELEMENT_F16, 0x1.8p-24, 0x0002, 0x1p-23}, /* to even */
    {ELEMENT_F16, 0x1p-25, 0x0000, 0.0},
    {ELEMENT_F16, -0.0, 0x8000, -0.0},
    {ELEMENT_F16, 0x1.ffap-15, 0x03ff, 0x1.ff8p-15},
    {ELEMENT_F16, 0x1.ffcp-15, 0x0400, 0x1p-14}, /* to even */
    {ELEMENT_F16, 1.0 / 3.0, 0x3555, 0x1.554p-2},
    {ELEMENT_BF16, 1.0, 0x3f80, 1.0},
    {ELEMENT_BF16, 257.0, 0x4380, 256.0}, /* to even */
    {ELEMENT_BF16, 259.0, 0x4382, 260.0},
    {ELEMENT_BF16, 3.4e38, 0x7f80, INFINITY},
    {ELEMENT_BF16, 0x1p-133, 0x0001, 0x1p-133},
    {ELEMENT_F32, 1.0 / 3.0, 0x3eaaaaab, (double)(float)(1.0 / 3.0)},
    {ELEMENT_F64, 0.1, 0x3fb999999999999a, 0.1},
    {ELEMENT_I8, -1.0, 0xff, -1.0},
    {ELEMENT_I8, 128.0, 0x80, -128.0},
    {ELEMENT_U8, 256.0, 0x00, 0.0},
    {ELEMENT_U8, 255.0, 0xff, 255.0},
    {ELEMENT_I16, 40000.0, 0x9c40, -25536.0},
    {ELEMENT_U16, -1.0, 0xffff, 65535.0},
    {ELEMENT_I32, 2147483648.0, 0x80000000, -2147483648.0},
    {ELEMENT_U32, -1.0, 0xffffffff, 4294967295.0},
    {ELEMENT_I64, -1.0, UINT64_MAX, -1.0},
    {ELEMENT_U64, 0x1p63, UINT64_C(1) << 63, 0x1p63},
};

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t bits[2] = {0, 0};
        char *second = (char *)bits + element_bytes(rows[i].type);
        uint64_t stored = 0;
        element_store(rows[i].type, bits, 1, rows[i].value);
        memcpy(&stored, second, element_bytes(rows[i].type));
        assert_int_equal(stored, rows[i].bits);
        double read = element_value(rows[i].type, bits, 1);
        if (!(read == rows[i].expected) || signbit(read) != signbit(rows[i].expected)) {
            fail_msg("%s: %g becomes %g", element_facts(rows[i].type)->word, rows[i].value, read);
        }
    }
}

static void test_nan(void **state)
{
    static const enum element_type types[] = {ELEMENT_F16, ELEMENT_BF16, ELEMENT_F32, ELEMENT_F64};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        uint64_t bits = 0;
        element_store(types[i], &bits, 0, NAN);
        assert_true(isnan(element_value(types[i], &bits, 0)));
    }
}

/* Every half but NaN is what it was after it has been a double. */
static void test_all_halves(void **state)
{
    static const enum element_type types[] = {ELEMENT_F16, ELEMENT_BF16};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t bits = 0; bits < 65536; bits++) {
            uint16_t half = (uint16_t)bits, again = 0;
            double value = element_value(types[i], &half, 0);
            element_store(types[i], &again, 0, value);
            assert_true(isnan(value) || again == half);
        }
    }
}

static void test_integers_beyond_doubles(void **state)
{
    const int64_t odd = (INT64_C(1) << 53) + 1;
    const uint64_t large = UINT64_MAX;
    (void)state;
    assert_int_equal(element_integer(ELEMENT_I64, &odd, 0), odd);
    assert_true((uint64_t)element_integer(ELEMENT_U64, &large, 0) == large);
    assert_true(element_value(ELEMENT_U64, &large, 0) == 0x1p64);
}

static void test_units(void **state)
{
    (void)state;
    assert_true(element_ulp(ELEMENT_F32, 1.0) == 0x1p-23);
    assert_true(element_ulp(ELEMENT_F16, 1.0) == 0x1p-10);
    assert_true(element_ulp(ELEMENT_F16, 0.0) == 0x1p-24);
    assert_true(element_ulp(ELEMENT_BF16, 256.0) == 2.0);
    assert_true(element_ulp(ELEMENT_U8, 5.0) == 0.0);
    assert_true(element_roundoff(ELEMENT_F64) == 0x1p-53);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),     cmocka_unit_test(test_nan),
        cmocka_unit_test(test_all_halves), cmocka_unit_test(test_integers_beyond_doubles),
        cmocka_unit_test(test_units),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
