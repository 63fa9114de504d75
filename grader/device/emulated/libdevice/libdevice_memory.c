/* libdevice_memory.c: see libdevice_memory.h. */
#include "device/emulated/libdevice/libdevice_memory.h"

#include "device/emulated/memory/access_check.h"

#include <math.h>

enum { PAYLOAD_TEXT_MAX = 4096 };

static void store(const struct libdevice_lane *at, u64 address, const void *value, size_t bytes)
{
    uint8_t *to = access_resolve_lane(at->warp, at->op, at->lane, address, (uint32_t)bytes,
                                      FINDING_RECORD_WRITE);
    if (to != NULL) {
        memcpy(to, value, bytes);
    }
}

/* Reads a value of at most 8 bytes; *out stays as it is if there is none. */
static bool load(const struct libdevice_lane *at, u64 address, size_t bytes, void *out)
{
    const uint8_t *from = access_resolve_lane(at->warp, at->op, at->lane, address, (uint32_t)bytes,
                                              FINDING_RECORD_READ);
    if (from != NULL) {
        memcpy(out, from, bytes);
    }
    return from != NULL;
}

static void store_f32(const struct libdevice_lane *at, u64 address, f32 x)
{
    const f32 value = canonical_f32(x);
    store(at, address, &value, sizeof value);
}

static void store_f64(const struct libdevice_lane *at, u64 address, f64 x)
{
    const f64 value = canonical_f64(x);
    store(at, address, &value, sizeof value);
}

void store_both_f32(const struct libdevice_lane *at, u64 first_address, f32 first,
                    u64 second_address, f32 second)
{
    store_f32(at, first_address, first);
    store_f32(at, second_address, second);
}

void store_both_f64(const struct libdevice_lane *at, u64 first_address, f64 first,
                    u64 second_address, f64 second)
{
    store_f64(at, first_address, first);
    store_f64(at, second_address, second);
}

f64 split_exponent(const struct libdevice_lane *at, f64 x, u64 address)
{
    int exponent = 0;
    const f64 fraction = frexp(x, &exponent);
    const s32 stored = isfinite(x) ? exponent : 0;
    store(at, address, &stored, sizeof stored);
    return fraction;
}

f32 split_whole_f32(const struct libdevice_lane *at, f32 x, u64 address)
{
    f32 whole;
    const f32 rest = modff(x, &whole);
    store_f32(at, address, whole);
    return rest;
}

f64 split_whole_f64(const struct libdevice_lane *at, f64 x, u64 address)
{
    f64 whole;
    const f64 rest = modf(x, &whole);
    store_f64(at, address, whole);
    return rest;
}

f64 divide_whole(const struct libdevice_lane *at, f64 x, f64 y, u64 address)
{
    int quotient = 0;
    const f64 rest = remquo(x, y, &quotient);
    const s32 low = (quotient < 0 ? -quotient : quotient) & 7;
    const s32 stored = rest != rest ? 0 : quotient < 0 ? -low : low;
    store(at, address, &stored, sizeof stored);
    return rest;
}

long double length_at(const struct libdevice_lane *at, s32 count, u64 address, size_t bytes)
{
    long double sum = 0;
    bool is_infinite = false;
    for (s32 i = 0; i == 0 || i < count; i++) {
        f32 narrow = 0;
        f64 wide = 0;
        void *to = bytes == sizeof narrow ? (void *)&narrow : (void *)&wide;
        if (!load(at, address + (u64)i * bytes, bytes, to)) {
            break;
        }
        const long double x = bytes == sizeof narrow ? (f64)narrow : wide;
        is_infinite = is_infinite || isinf(x);
        sum += x * x;
        at->warp->block->work++;
    }
    return is_infinite ? INFINITY : sqrtl(sum);
}

/* The value of a digit in a base; the base itself if it is none. */
static u64 digit_of(char c, u64 base)
{
    u64 digit = base;
    if (c >= '0' && c <= '9') {
        digit = (u64)(c - '0');
    } else if (c >= 'a' && c <= 'f') {
        digit = (u64)(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
        digit = (u64)(c - 'A') + 10;
    }
    return digit < base ? digit : base;
}

u64 nan_payload(const struct libdevice_lane *at, u64 address)
{
    u64 base = 10;
    u64 payload = 0;
    bool is_too_large = false;
    for (unsigned i = 0; address != 0 && i < PAYLOAD_TEXT_MAX; i++) {
        char c = '\0';
        load(at, address + i, 1, &c);
        if (c == '\0') {
            return is_too_large ? UINT64_MAX : payload;
        }
        if (i == 0 && c == '0') {
            base = 8;
            continue;
        }
        if (i == 1 && base == 8 && (c == 'x' || c == 'X')) {
            base = 16;
            continue;
        }
        const u64 digit = digit_of(c, base);
        if (digit == base) {
            return 0;
        }
        is_too_large = is_too_large || payload > (UINT64_MAX - digit) / base;
        payload = payload * base + digit;
    }
    return 0;
}
