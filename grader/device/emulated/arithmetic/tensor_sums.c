/* tensor_sums.c: see tensor_sums.h. */
#include "device/emulated/arithmetic/tensor_sums.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SUM_MAX = 16 }; /* products in one sum */

/* An element: significand times 2^(exponent - fraction bits), or something else. */
struct number {
    int32_t significand; /* with its sign */
    int32_t exponent;
    bool is_nan, is_infinite; /* infinite: the significand has its sign */
};

static struct tensor_format format_of(enum ptx_type type)
{
    switch (type) {
    case PTX_F16:
        return (struct tensor_format){5, 10, 0};
    case PTX_BF16:
        return (struct tensor_format){8, 7, 0};
    case PTX_TF32:
        return (struct tensor_format){8, 10, 13};
    default:
        return (struct tensor_format){8, 23, 0};
    }
}

static struct number number_of(uint64_t bits, struct tensor_format format)
{
    bits >>= format.dropped_bits;
    int top = (1 << format.exponent_bits) - 1;
    int32_t fraction = (int32_t)(bits & ((UINT64_C(1) << format.fraction_bits) - 1));
    int field = (int)(bits >> format.fraction_bits) & top;
    bool is_negative = (bits >> (format.fraction_bits + format.exponent_bits) & 1) != 0;
    struct number number = {
        .significand = field == 0 ? fraction : fraction | INT32_C(1) << format.fraction_bits,
        .exponent = (field == 0 ? 1 : field) - top / 2,
        .is_nan = field == top && fraction != 0,
        .is_infinite = field == top && fraction == 0,
    };
    number.exponent = number.significand == 0 ? TENSOR_NO_EXPONENT : number.exponent;
    number.significand = is_negative ? -number.significand : number.significand;
    return number;
}

/* (magnitude 2^(exponent)) in a format, rounded to nearest or toward zero. */
static uint64_t round_to(bool is_negative, uint64_t magnitude, int exponent,
                         struct tensor_format format, bool to_nearest)
{
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    const int least = 1 - bias - format.fraction_bits;
    const uint64_t sign = (uint64_t)is_negative << (format.exponent_bits + format.fraction_bits);
    const uint64_t infinity = ((UINT64_C(1) << format.exponent_bits) - 1) << format.fraction_bits;
    if (magnitude == 0) {
        return 0;
    }
    int unit = 63 - __builtin_clzll(magnitude) + exponent - format.fraction_bits;
    unit = unit < least ? least : unit;
    uint64_t whole = magnitude;
    if (exponent >= unit) {
        whole <<= exponent - unit;
    } else if (unit - exponent > 63) {
        whole = 0;
    } else {
        const int shift = unit - exponent;
        const uint64_t rest = magnitude & ((UINT64_C(1) << shift) - 1);
        const uint64_t half = UINT64_C(1) << (shift - 1);
        whole = magnitude >> shift;
        whole += to_nearest && (rest > half || (rest == half && (whole & 1) != 0));
    }
    /* without the leading bit the field of the exponent is one more */
    uint64_t bits = ((uint64_t)(unit - least) << format.fraction_bits) + whole;
    return bits == 0 ? 0 : sign | (bits >= infinity ? infinity : bits);
}

/* A sum of which some part is infinite or no number. */
static uint64_t special_sum(const struct number *a, const struct number *b, unsigned count,
                            struct number c, struct tensor_format format)
{
    const uint64_t infinity = ((UINT64_C(1) << format.exponent_bits) - 1) << format.fraction_bits;
    const uint64_t sign = UINT64_C(1) << (format.exponent_bits + format.fraction_bits);
    bool is_nan = c.is_nan;
    bool is_plus = c.is_infinite && c.significand > 0;
    bool is_minus = c.is_infinite && c.significand < 0;
    for (unsigned i = 0; i < count; i++) {
        bool is_infinite = a[i].is_infinite || b[i].is_infinite;
        bool is_zero = a[i].significand == 0 || b[i].significand == 0;
        bool is_negative = (a[i].significand < 0) != (b[i].significand < 0);
        is_nan = is_nan || a[i].is_nan || b[i].is_nan || (is_infinite && is_zero);
        is_plus = is_plus || (is_infinite && !is_negative);
        is_minus = is_minus || (is_infinite && is_negative);
    }
    if (is_nan || (is_plus && is_minus)) {
        return sign - 1; /* all bits but the sign */
    }
    return is_minus ? sign | infinity : infinity;
}

/* A term, cut off where the sum is. */
static int64_t aligned(int64_t significand, int bits, int exponent, int largest)
{
    int shift = largest - exponent;
    uint64_t magnitude = (uint64_t)(significand < 0 ? -significand : significand);
    assert(bits <= TENSOR_KEPT_BITS && shift >= 0);
    magnitude = shift > 63 ? 0 : (magnitude << (TENSOR_KEPT_BITS - bits)) >> shift;
    return significand < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
}

/* Formats of a and b, of c and of d. */
struct formats {
    struct tensor_format factors, before, after;
};

/* c plus the products of `count` numbers. */
static uint64_t float_sum(const struct number *a, const struct number *b, unsigned count,
                          uint64_t c_bits, const struct formats *formats)
{
    const struct number c = number_of(c_bits, formats->before);
    bool is_special = c.is_nan || c.is_infinite;
    int32_t products[SUM_MAX];
    int32_t exponents[SUM_MAX];
    int32_t largest = c.exponent;
    for (unsigned i = 0; i < count; i++) {
        products[i] = a[i].significand * b[i].significand;
        exponents[i] = a[i].exponent + b[i].exponent;
        largest = exponents[i] > largest ? exponents[i] : largest;
        is_special =
            is_special || a[i].is_nan || a[i].is_infinite || b[i].is_nan || b[i].is_infinite;
    }
    if (is_special) {
        return special_sum(a, b, count, c, formats->after);
    }
    int64_t total = aligned(c.significand, formats->before.fraction_bits, c.exponent, largest);
    for (unsigned i = 0; i < count; i++) {
        total += aligned(products[i], 2 * formats->factors.fraction_bits, exponents[i], largest);
    }
    return round_to(total < 0, (uint64_t)(total < 0 ? -total : total), largest - TENSOR_KEPT_BITS,
                    formats->after, formats->after.fraction_bits == 10);
}

static void float_sums(const struct tensor_product *product, const uint64_t *a, const uint64_t *b,
                       const uint64_t *c, uint64_t *d)
{
    const struct ptx_matrix *matrix = &product->matrix;
    const struct formats formats = {format_of(matrix->a), format_of(matrix->c),
                                    format_of(matrix->d)};
    const unsigned k = matrix->k;
    struct number left[TENSOR_ELEMENTS_MAX] = {{0}};
    struct number right[TENSOR_ELEMENTS_MAX] = {{0}};
    for (unsigned i = 0; i < (unsigned)matrix->m * k; i++) {
        left[i] = number_of(a[i], formats.factors);
    }
    for (unsigned i = 0; i < (unsigned)matrix->n * k; i++) {
        right[i] = number_of(b[i], formats.factors);
    }
    for (unsigned row = 0; row < matrix->m; row++) {
        for (unsigned column = 0; column < matrix->n; column++) {
            uint64_t sum = c[row * matrix->n + column];
            for (unsigned at = 0; at < k; at += product->sum_length) {
                sum = float_sum(&left[row * k + at], &right[column * k + at], product->sum_length,
                                sum, &formats);
            }
            d[row * matrix->n + column] = sum;
        }
    }
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* a b + c; what is no number stays so: of several c comes first, then b. */
static uint64_t double_sum(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t quiet = UINT64_C(1) << 51;
    const uint64_t parts[3] = {c, b, a};
    double sum = fma(double_of(a), double_of(b), double_of(c));
    uint64_t bits;
    for (unsigned i = 0; i < 3; i++) {
        if (isnan(double_of(parts[i]))) {
            return parts[i] | quiet;
        }
    }
    memcpy(&bits, &sum, sizeof bits);
    return isnan(sum) ? UINT64_C(0xfff8000000000000) : bits;
}

static void double_sums(const struct ptx_matrix *matrix, const uint64_t *a, const uint64_t *b,
                        const uint64_t *c, uint64_t *d)
{
    for (unsigned i = 0; i < (unsigned)matrix->m * matrix->n; i++) {
        const uint64_t *row = a + i / matrix->n * matrix->k;
        const uint64_t *column = b + i % matrix->n * matrix->k;
        d[i] = c[i];
        for (unsigned at = 0; at < matrix->k; at++) {
            d[i] = double_sum(row[at], column[at], d[i]);
        }
    }
}

/* An integer of so many bits, as its type says. */
static int64_t integer_of(uint64_t bits, const struct ptx_fragment *fragment)
{
    const int64_t above = INT64_C(1) << fragment->bits;
    bool is_negative = ptx_type_is_signed(fragment->type) && (bits >> (fragment->bits - 1)) != 0;
    return is_negative ? (int64_t)bits - above : (int64_t)bits;
}

static void integer_sums(const struct tensor_product *product, const uint64_t *a, const uint64_t *b,
                         const uint64_t *c, uint64_t *d)
{
    const struct ptx_matrix *matrix = &product->matrix;
    for (unsigned i = 0; i < (unsigned)matrix->m * matrix->n; i++) {
        const uint64_t *row = a + i / matrix->n * matrix->k;
        const uint64_t *column = b + i % matrix->n * matrix->k;
        int64_t sum = integer_of(c[i], &product->fragments[3]);
        for (unsigned at = 0; at < matrix->k; at++) {
            sum += integer_of(row[at], &product->fragments[1]) *
                   integer_of(column[at], &product->fragments[2]);
        }
        if (product->saturates) {
            sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        }
        d[i] = (uint32_t)sum;
    }
}

void tensor_sums(const struct warp_variant *variant, const struct tensor_product *product,
                 const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d)
{
    const struct ptx_matrix *matrix = &product->matrix;
    const struct tensor_format factors = format_of(matrix->a);
    switch (product->matrix.d) {
    case PTX_F64:
        double_sums(&product->matrix, a, b, c, d);
        return;
    case PTX_S32:
        integer_sums(product, a, b, c, d);
        return;
    case PTX_F32:
        if (matrix->c == PTX_F32 && variant->tensor_rows(product, &factors, a, b, c, d)) {
            return;
        }
        float_sums(product, a, b, c, d);
        return;
    default:
        float_sums(product, a, b, c, d);
        return;
    }
}
