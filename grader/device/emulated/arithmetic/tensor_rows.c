/* tensor_rows.c: sums of tensor_sums.h, of many columns at once.
 *
 * Most products are of finite numbers, and are added up in f32. Then 32 bits hold each term: a
 * product has at most 22 bits, and is cut off at 25 bits after the point of the largest one. 8 of
 * them, and c, fit into 31 bits, and the sum of two such halves into a double.
 *
 * This file is compiled once for each kind of processor (variant.h).
 */
#include "device/emulated/arithmetic/tensor_sums.h"
#include "device/emulated/variant.h"

#include <string.h>

/* Columns that are added up at once, as many as a register holds; n is a multiple. */
#ifdef __AVX2__
#define COLUMNS 8
#else
#define COLUMNS 4
#endif

enum {
    HALF = 8,    /* terms in one half of a sum */
    C_BITS = 23, /* of the fraction of f32 */
    C_BIAS = 127,
};

#define EACH_COLUMN for (unsigned j = 0; j < COLUMNS; j++)

/* Elements [lines][length] as numbers, whose distances are given. False if some are infinite, or no
 * numbers. */
static bool decode(const uint64_t *bits, unsigned lines, unsigned length, unsigned line_step,
                   unsigned step, const struct tensor_format *format,
                   struct tensor_numbers *out_numbers)
{
    const uint32_t top = (UINT32_C(1) << format->exponent_bits) - 1;
    const uint32_t one = UINT32_C(1) << format->fraction_bits;
    uint32_t specials = 0;
    for (unsigned line = 0; line < lines; line++) {
        for (unsigned i = 0; i < length; i++) {
            const uint32_t own = (uint32_t)bits[line * length + i] >> format->dropped_bits;
            const uint32_t fraction = own & (one - 1);
            const uint32_t field = own >> format->fraction_bits & top;
            const bool is_negative = own >> (format->fraction_bits + format->exponent_bits) & 1;
            const int32_t significand = (int32_t)(field == 0 ? fraction : fraction | one);
            const int32_t exponent = (int32_t)(field == 0 ? 1 : field) - (int32_t)(top / 2);
            const unsigned at = line * line_step + i * step;
            specials |= field == top;
            out_numbers->exponents[at] = significand == 0 ? TENSOR_NO_EXPONENT : exponent;
            out_numbers->significands[at] = is_negative ? -significand : significand;
        }
    }
    return specials == 0;
}

/* What is added up at once: `length` terms of a row of a and of COLUMNS columns of b. */
struct terms {
    const int32_t *a_significands, *a_exponents; /* [length] */
    const int32_t *b_significands, *b_exponents; /* [length][pitch] */
    unsigned length, pitch;
    int left; /* bits by which products are shifted before they are cut off */
};

/* One number for each column. */
typedef int32_t int_row __attribute__((vector_size(4 * COLUMNS)));
typedef uint32_t bit_row __attribute__((vector_size(4 * COLUMNS)));

static inline int_row row_at(const int32_t *numbers)
{
    int_row value;
    memcpy(&value, numbers, sizeof value);
    return value;
}

static inline int_row larger(int_row a, int_row b)
{
    const int_row is_first = a > b; /* all bits, or none */
    return (a & is_first) | (b & ~is_first);
}

/* Significands with their signs, cut off where the sums are. */
static inline int_row cut(int_row significands, int left, int_row shifts)
{
    const int_row are_negative = significands < 0;
    const bit_row most = (bit_row){0} + 31;
    const int_row is_far = shifts > 31;
    const bit_row by = ((bit_row)shifts & ~(bit_row)is_far) | (most & (bit_row)is_far);
    const int_row kept =
        (int_row)(((bit_row)((significands ^ are_negative) - are_negative) << left) >> by);
    return (kept ^ are_negative) - are_negative;
}

/* A sum as an f32, toward zero; what is too large is infinite. */
static inline uint32_t float_of(double sum)
{
    const double magnitude = sum < 0 ? -sum : sum;
    const uint32_t sign = sum < 0 ? UINT32_C(1) << 31 : 0;
    uint64_t bits;
    double cut_off;
    float value;
    uint32_t normal;
    memcpy(&bits, &magnitude, sizeof bits);
    bits &= ~((UINT64_C(1) << (52 - C_BITS)) - 1);
    memcpy(&cut_off, &bits, sizeof cut_off);
    value = (float)cut_off;
    memcpy(&normal, &value, sizeof normal);
    const uint32_t small = (uint32_t)(int32_t)(magnitude < 0x1p-126 ? magnitude * 0x1p149 : 0);
    const uint32_t own = magnitude < 0x1p-126 ? small : normal;
    return own == 0 ? 0 : sign | own;
}

/* The sums of terms from `start` up to `end`. */
static inline int_row add_up(const struct terms *terms, unsigned start, unsigned end,
                             int_row largest)
{
    int_row sums = {0};
    for (unsigned i = start; i < end; i++) {
        const int_row exponents = row_at(terms->b_exponents + i * terms->pitch);
        sums += cut(row_at(terms->b_significands + i * terms->pitch) * terms->a_significands[i],
                    terms->left, largest - (exponents + terms->a_exponents[i]));
    }
    return sums;
}

/* c [COLUMNS] becomes its sums with the terms; false if an element of c is infinite, or no number.
 */
static bool add_terms(const struct terms *terms, uint32_t *c)
{
    bit_row bits;
    memcpy(&bits, c, sizeof bits);
    const bit_row fields = bits >> C_BITS & 255;
    const bit_row fractions = bits & ((UINT32_C(1) << C_BITS) - 1);
    const int_row is_small = fields == 0, is_special = fields == 255;
    const int_row magnitudes = (int_row)(fractions | (~(bit_row)is_small & UINT32_C(1) << C_BITS));
    const int_row are_negative = (int_row)bits < 0, is_zero = magnitudes == 0;
    const int_row own = (int_row)fields - is_small - C_BIAS; /* true is -1 */
    const int_row exponents = (own & ~is_zero) | (is_zero & TENSOR_NO_EXPONENT);
    const unsigned middle = terms->length < HALF ? terms->length : HALF;
    int_row largest = exponents;
    int32_t first[COLUMNS], second[COLUMNS], units[COLUMNS];
    for (unsigned j = 0; j < COLUMNS; j++) {
        if (is_special[j] != 0) {
            return false;
        }
    }
    for (unsigned i = 0; i < terms->length; i++) {
        largest =
            larger(row_at(terms->b_exponents + i * terms->pitch) + terms->a_exponents[i], largest);
    }
    const int_row of_c = cut((magnitudes ^ are_negative) - are_negative, TENSOR_KEPT_BITS - C_BITS,
                             largest - exponents);
    const int_row half = of_c + add_up(terms, 0, middle, largest);
    const int_row other = add_up(terms, middle, terms->length, largest);
    memcpy(first, &half, sizeof first);
    memcpy(second, &other, sizeof second);
    memcpy(units, &largest, sizeof units);
    EACH_COLUMN
    {
        const int32_t unit = units[j] < -900 ? -900 : units[j]; /* the sum is 0 there */
        const uint64_t scale_bits = (uint64_t)(unit - TENSOR_KEPT_BITS + 1023) << 52;
        double scale;
        memcpy(&scale, &scale_bits, sizeof scale);
        c[j] = float_of(((double)first[j] + (double)second[j]) * scale);
    }
    return true;
}

bool VARIANT(tensor_rows)(const struct tensor_product *product, const struct tensor_format *format,
                          const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d)
{
    const unsigned m = product->matrix.m, n = product->matrix.n, k = product->matrix.k;
    struct tensor_numbers left, right;
    if (n % COLUMNS != 0 || product->sum_length > 2 * HALF ||
        !decode(a, m, k, k, 1, format, &left) || !decode(b, n, k, 1, n, format, &right)) {
        return false;
    }
    struct terms terms = {.length = product->sum_length,
                          .pitch = n,
                          .left = TENSOR_KEPT_BITS - 2 * format->fraction_bits};
    for (unsigned at = 0; at < m * n; at += COLUMNS) {
        const unsigned row = at / n, column = at % n;
        uint32_t sums[COLUMNS];
        EACH_COLUMN
        {
            sums[j] = (uint32_t)c[at + j];
        }
        for (unsigned step = 0; step < k; step += terms.length) {
            terms.a_significands = left.significands + row * k + step;
            terms.a_exponents = left.exponents + row * k + step;
            terms.b_significands = right.significands + step * n + column;
            terms.b_exponents = right.exponents + step * n + column;
            if (!add_terms(&terms, sums)) {
                return false;
            }
        }
        EACH_COLUMN
        {
            d[at + j] = sums[j];
        }
    }
    return true;
}
