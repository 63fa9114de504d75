/* element.c: see element.h. */
#include "model/element.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const struct element_facts *element_facts(enum element_type type)
{
    static const struct element_facts facts[] = {
#define ELEMENT(name, word, c_name, bytes, digits, least_exponent, lowest, highest)                \
    {word, c_name, bytes, digits, least_exponent, lowest, highest},
#include "model/element.def"
#undef ELEMENT
    };

    assert((unsigned)type < ELEMENT_TYPE_COUNT);
    return &facts[type];
}

size_t element_bytes(enum element_type type)
{
    return element_facts(type)->bytes;
}

double element_ulp(enum element_type type, double value)
{
    const struct element_facts *facts = element_facts(type);
    int exponent = 0;

    if (facts->digits == 0) {
        return 0.0;
    }
    frexp(value, &exponent);
    exponent = value == 0 ? facts->least_exponent : exponent - facts->digits;
    return ldexp(1.0, exponent > facts->least_exponent ? exponent : facts->least_exponent);
}

double element_roundoff(enum element_type type)
{
    const int digits = element_facts(type)->digits;
    return ldexp(1.0, digits > 0 ? -digits : -24);
}

static double rounded_float(enum element_type type, double value)
{
    if (type == ELEMENT_F64 || !isfinite(value)) {
        return value;
    }
    if (type == ELEMENT_F32) {
        return (double)(float)value;
    }
    double ulp = element_ulp(type, value);
    double rounded = rint(value / ulp) * ulp;
    return fabs(rounded) > element_facts(type)->highest ? copysign(INFINITY, value) : rounded;
}

double element_any_rounded(enum element_type type, double value)
{
    const struct element_facts *facts = element_facts(type);

    if (facts->digits > 0) {
        return rounded_float(type, value);
    }
    if (!(fabs(value) <= 0x1p53) || element_is_wide(type)) {
        return value;
    }
    uint64_t bits = (uint64_t)(int64_t)value << (64 - 8 * facts->bytes);
    return facts->lowest < 0 ? (double)((int64_t)bits >> (64 - 8 * facts->bytes))
                             : (double)(bits >> (64 - 8 * facts->bytes));
}

static double float_from_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double half_from_bits(uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    const double fraction = bits & 0x3ff;

    if (exponent == 31) {
        return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    }
    return sign * (exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25));
}

/* Of a value that a half holds. */
static uint16_t half_to_bits(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double magnitude = fabs(value);
    int exponent = 0;

    if (isnan(value)) {
        return 0x7fff;
    }
    if (isinf(value)) {
        return sign | 0x7c00;
    }
    if (magnitude < 0x1p-14) {
        return (uint16_t)(sign | (uint16_t)(magnitude * 0x1p24));
    }
    double fraction = frexp(magnitude, &exponent); /* in [0.5, 1) */
    return (uint16_t)(sign | (exponent + 14) << 10 | ((int)(fraction * 0x1p11) & 0x3ff));
}

double element_any_value(enum element_type type, const void *values, size_t index)
{
    switch (type) {
    case ELEMENT_F32:
        return (double)((const float *)values)[index];
    case ELEMENT_F64:
        return ((const double *)values)[index];
    case ELEMENT_F16:
        return half_from_bits(((const uint16_t *)values)[index]);
    case ELEMENT_BF16:
        return float_from_bits((uint32_t)((const uint16_t *)values)[index] << 16);
    case ELEMENT_U64:
        return (double)((const uint64_t *)values)[index];
    default:
        return (double)element_integer(type, values, index);
    }
}

int64_t element_integer(enum element_type type, const void *values, size_t index)
{
    switch (type) {
    case ELEMENT_I8:
        return ((const int8_t *)values)[index];
    case ELEMENT_U8:
        return ((const uint8_t *)values)[index];
    case ELEMENT_I16:
        return ((const int16_t *)values)[index];
    case ELEMENT_U16:
        return ((const uint16_t *)values)[index];
    case ELEMENT_I32:
        return ((const int32_t *)values)[index];
    case ELEMENT_U32:
        return ((const uint32_t *)values)[index];
    case ELEMENT_I64:
    case ELEMENT_U64:
        return ((const int64_t *)values)[index];
    default: {
        double value = element_value(type, values, index);
        return fabs(value) < 0x1p63 ? (int64_t)value : INT64_MIN;
    }
    }
}

/* The bits of a value that the type holds, in the lowest bytes. */
static uint64_t bits_of(enum element_type type, double value)
{
    uint64_t bits = 0;

    switch (type) {
    case ELEMENT_F32:
    case ELEMENT_BF16: {
        float single = (float)value;
        uint32_t word;
        memcpy(&word, &single, sizeof word);
        return type == ELEMENT_BF16 ? word >> 16 : word;
    }
    case ELEMENT_F64:
        memcpy(&bits, &value, sizeof bits);
        return bits;
    case ELEMENT_F16:
        return half_to_bits(value);
    case ELEMENT_U64:
        return value >= 0x1p64 ? UINT64_MAX
               : value < 0     ? (uint64_t)(int64_t)value
                               : (uint64_t)value;
    default:
        return (uint64_t)(isnan(value)      ? 0
                          : value >= 0x1p63 ? INT64_MAX
                          : value < -0x1p63 ? INT64_MIN
                                            : (int64_t)value);
    }
}

void element_any_store(enum element_type type, void *values, size_t index, double value)
{
    const size_t bytes = element_bytes(type);
    const uint64_t bits = bits_of(type, element_rounded(type, value));

    memcpy((char *)values + index * bytes, &bits, bytes); /* little-endian, as the devices are */
}
