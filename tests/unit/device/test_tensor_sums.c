/* test_tensor_sums.c: the fast sums of each kind of processor are the plain ones, bit for bit. */
#include "device/emulated/arithmetic/tensor_sums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROUNDS = 400 };

struct shape {
    const char *name;
    enum ptx_type type;
    unsigned m, n, k, sum_length;
};

static const struct shape shapes[] = {
    {"f16 16x16x16", PTX_F16, 16, 16, 16, 16}, {"f16 32x8x16", PTX_F16, 32, 8, 16, 16},
    {"f16 8x32x16", PTX_F16, 8, 32, 16, 16},   {"f16 16x8x8", PTX_F16, 16, 8, 8, 8},
    {"bf16 16x8x16", PTX_BF16, 16, 8, 16, 16}, {"bf16 16x16x16", PTX_BF16, 16, 16, 16, 16},
    {"tf32 16x16x8", PTX_TF32, 16, 16, 8, 4},  {"tf32 16x8x4", PTX_TF32, 16, 8, 4, 4},
};

/* What the numbers of a round are like. */
enum kind { ANY, NEAR_ONE, SMALL, LARGE, WITH_ZEROS, KINDS };

static bool never(const struct tensor_product *product, const struct tensor_format *format,
                  const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d)
{
    (void)product, (void)format, (void)a, (void)b, (void)c, (void)d;
    return false;
}

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Bits of a number: a sign, `exponent_bits` and `fraction_bits` in a word of `bits`. */
static uint64_t number(uint64_t *state, enum kind kind, int exponent_bits, int bits)
{
    const uint64_t random = random_next(state);
    const int fraction_bits = bits - 1 - exponent_bits;
    const uint64_t fraction = random & ((UINT64_C(1) << fraction_bits) - 1);
    const uint64_t sign = random >> 63 << (bits - 1);
    const uint64_t top = (UINT64_C(1) << exponent_bits) - 1;
    const uint64_t draw = random >> 40;
    uint64_t field = 0;

    switch (kind) {
    case ANY:
        field = draw % top; /* finite */
        break;
    case NEAR_ONE:
        field = top / 2 + draw % 5 - 2;
        break;
    case SMALL:
        field = draw % 4;
        break;
    case LARGE:
        field = top - 1 - draw % 3;
        break;
    default:
        return draw % 2 == 0 ? sign : sign | (top / 2) << fraction_bits | fraction;
    }
    return sign | field << fraction_bits | fraction;
}

static void fill(uint64_t *out, size_t count, uint64_t *state, enum kind kind, enum ptx_type type)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = type == PTX_F16    ? number(state, kind, 5, 16)
                 : type == PTX_BF16 ? number(state, kind, 8, 16)
                                    : number(state, kind, 8, 32);
    }
}

static struct tensor_product product_of(const struct shape *shape)
{
    struct tensor_product product = {.sum_length = shape->sum_length};

    product.matrix.m = (uint8_t)shape->m;
    product.matrix.n = (uint8_t)shape->n;
    product.matrix.k = (uint8_t)shape->k;
    product.matrix.a = product.matrix.b = shape->type;
    product.matrix.c = product.matrix.d = PTX_F32;
    return product;
}

static void compare(const struct warp_variant *variant, const struct shape *shape, uint64_t seed)
{
    const struct warp_variant plain = {.tensor_rows = never};
    const struct tensor_product product = product_of(shape);
    static uint64_t a[TENSOR_ELEMENTS_MAX], b[TENSOR_ELEMENTS_MAX], c[TENSOR_ELEMENTS_MAX];
    static uint64_t fast[TENSOR_ELEMENTS_MAX], slow[TENSOR_ELEMENTS_MAX];
    uint64_t state = seed;

    for (unsigned round = 0; round < ROUNDS; round++) {
        const enum kind factors = random_next(&state) % KINDS;
        const enum kind sums = random_next(&state) % KINDS;
        fill(a, shape->m * shape->k, &state, factors, shape->type);
        fill(b, shape->n * shape->k, &state, factors, shape->type);
        fill(c, shape->m * shape->n, &state, sums, PTX_F32);
        tensor_sums(variant, &product, a, b, c, fast);
        tensor_sums(&plain, &product, a, b, c, slow);
        for (unsigned i = 0; i < shape->m * shape->n; i++) {
            if (fast[i] != slow[i]) {
                fail_msg("%s, %s, round %u, element %u: %08llx, not %08llx", variant->name,
                         shape->name, round, i, (unsigned long long)fast[i],
                         (unsigned long long)slow[i]);
            }
        }
    }
}

static void fast_sums_are_plain_ones(void **state)
{
    const struct warp_variant *variants;
    const size_t count = warp_variants(&variants);

    (void)state;
    for (size_t v = 0; v < count; v++) {
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            compare(&variants[v], &shapes[i], 7 * i + 1);
        }
    }
}

/* Only sums that begin in f32 are fast. */
static void halves_are_added_to_as_well(void **state)
{
    const struct warp_variant *variants;
    const size_t count = warp_variants(&variants);
    struct tensor_product product = product_of(&shapes[0]);
    static uint64_t a[TENSOR_ELEMENTS_MAX], b[TENSOR_ELEMENTS_MAX], c[TENSOR_ELEMENTS_MAX];
    static uint64_t d[TENSOR_ELEMENTS_MAX];

    (void)state;
    product.matrix.c = PTX_F16;
    c[3] = 0x3e00; /* 1.5 */
    for (size_t v = 0; v < count; v++) {
        tensor_sums(&variants[v], &product, a, b, c, d);
        assert_int_equal(d[3], 0x3fc00000);
        assert_int_equal(d[4], 0);
    }
}

/* What is infinite, or no number, is left to the plain sums, wherever it is. */
static void other_numbers_are_not_fast(void **state)
{
    static const uint64_t specials[] = {0x7c00, 0xfc00, 0x7e01};
    static uint64_t a[TENSOR_ELEMENTS_MAX], b[TENSOR_ELEMENTS_MAX], c[TENSOR_ELEMENTS_MAX];
    static uint64_t d[TENSOR_ELEMENTS_MAX];
    const struct tensor_format half = {5, 10, 0};
    const struct tensor_product product = product_of(&shapes[0]);
    const struct warp_variant *variants;
    const size_t count = warp_variants(&variants);

    (void)state;
    for (size_t v = 0; v < count; v++) {
        assert_true(variants[v].tensor_rows(&product, &half, a, b, c, d));
        for (size_t i = 0; i < 3; i++) {
            a[255] = specials[i];
            assert_false(variants[v].tensor_rows(&product, &half, a, b, c, d));
            a[255] = 0;
            b[17] = specials[i];
            assert_false(variants[v].tensor_rows(&product, &half, a, b, c, d));
            b[17] = 0;
        }
        c[200] = 0x7f800000;
        assert_false(variants[v].tensor_rows(&product, &half, a, b, c, d));
        c[200] = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_sums_are_plain_ones),
        cmocka_unit_test(halves_are_added_to_as_well),
        cmocka_unit_test(other_numbers_are_not_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
