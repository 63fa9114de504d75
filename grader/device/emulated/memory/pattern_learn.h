/* pattern_learn.h: the distances between the lanes of an access, learnt and known again.
 *
 * A pattern of shared memory may hold lanes that are not active: those that were so in other
 * accesses, in which the lanes of both had the same distances. Patterns that others have taken the
 * place of are kept for a while: in a loop whose distances change, its rounds have the same ones
 * again in the next block.
 *
 * Functions are static: memory_handlers.c is compiled once for each kind of processor (variant.h).
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_PATTERN_LEARN_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_PATTERN_LEARN_H

#include "device/emulated/memory/access_check.h"
#include "device/emulated/variant.h"

#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* As access_pattern.narrow: after an access that did not fit, and after more misses in a row than
 * those of a loop with several patterns. */
enum { NARROW_TURNS = 63, MISSES_FREE = 2 * PAST_PATTERNS, MISSES_MOST = UINT8_MAX };

/* True if the lanes of the pattern have the distances that it holds. */
static inline bool pattern_holds_wide(const struct access_pattern *pattern, const uint64_t *address,
                                      uint64_t first)
{
    uint64_t differs = 0;
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t delta = address[i] - first;
        differs |=
            (delta ^ (uint64_t)(int64_t)pattern->delta[i]) & (uint64_t)(int64_t)pattern->lanes[i];
    }
    return differs == 0;
}

static inline bool pattern_holds_narrow(const struct access_pattern *pattern,
                                        const uint32_t *address, uint32_t first)
{
#if defined(__AVX2__)
    __m256i base = _mm256_set1_epi32((int)first);
    __m256i differs = _mm256_setzero_si256();
    for (unsigned i = 0; i < LANES; i += 8) {
        __m256i lanes = _mm256_load_si256((const __m256i *)(const void *)(pattern->lanes + i));
        __m256i known = _mm256_load_si256((const __m256i *)(const void *)(pattern->delta + i));
        __m256i delta =
            _mm256_sub_epi32(_mm256_load_si256((const __m256i *)(const void *)(address + i)), base);
        differs = _mm256_or_si256(differs, _mm256_and_si256(_mm256_xor_si256(delta, known), lanes));
    }
    return _mm256_testz_si256(differs, differs) != 0;
#else
    uint32_t differs = 0;
    for (unsigned i = 0; i < LANES; i++) {
        differs |=
            ((address[i] - first) ^ (uint32_t)pattern->delta[i]) & (uint32_t)pattern->lanes[i];
    }
    return differs == 0;
#endif
}

static inline bool pattern_holds(const struct access_pattern *pattern, const struct warp *warp,
                                 const struct op *op)
{
    const void *slot = __builtin_assume_aligned(warp->file + op->slot[SLOT_ADDRESS], 64);
    if (op->address_is_wide) {
        const uint64_t *address = slot;
        return pattern_holds_wide(pattern, address, address[pattern->first_lane]);
    }
    const uint32_t *address = slot;
    return pattern_holds_narrow(pattern, address, address[pattern->first_lane]);
}

/* True if an access may be made by some of the lanes of a pattern. */
static inline bool may_be_partial(const struct op *op)
{
    return op->space == PTX_SPACE_SHARED && !op->is_followed;
}

/* True if the lanes of `mask`, not 0, have the distances `delta`. */
static inline bool lanes_hold(const int32_t delta[LANES], const struct warp *warp,
                              const struct op *op, uint32_t mask)
{
    const unsigned lane = (unsigned)__builtin_ctz(mask);
    const uint64_t base = access_address(warp, op, lane) - (uint64_t)(int64_t)delta[lane];
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (access_address(warp, op, i) - base != (uint64_t)(int64_t)delta[i]) {
            return false;
        }
    }
    return true;
}

/* True if the lanes of `mask`, some of those of the pattern, have its distances. */
static inline bool pattern_holds_part(const struct access_pattern *pattern, const struct warp *warp,
                                      const struct op *op, uint32_t mask)
{
    return (mask & ~pattern->mask) == 0 && may_be_partial(op) &&
           (op->same_address || lanes_hold(pattern->delta, warp, op, mask));
}

/* The address of the first lane of a pattern, or where it would be if it were active. */
static inline uint64_t pattern_first(const struct access_pattern *pattern, const struct warp *warp,
                                     const struct op *op)
{
    const unsigned lane = (unsigned)__builtin_ctz(pattern->active);
    return access_address(warp, op, lane) - (uint64_t)(int64_t)pattern->delta[lane];
}

/* Contiguous or uniform within each group of 8 lanes, for elements of `bytes`. */
static uint8_t shape_of(const struct access_pattern *pattern, int32_t bytes)
{
    if (pattern->mask != ALL_LANES) {
        return SHAPE_GENERAL;
    }
    bool is_contiguous = pattern->delta[1] - pattern->delta[0] == bytes;
    bool is_uniform = pattern->delta[1] == pattern->delta[0];
    if (!is_contiguous && !is_uniform) {
        return SHAPE_GENERAL;
    }
    for (unsigned i = 0; i < LANES; i++) {
        int64_t step = (int64_t)pattern->delta[i] - pattern->delta[i & ~7u];
        is_contiguous = is_contiguous && step == (int64_t)(i & 7u) * bytes;
        is_uniform = is_uniform && step == 0;
    }
    return is_uniform ? SHAPE_UNIFORM : is_contiguous ? SHAPE_CONTIGUOUS : SHAPE_GENERAL;
}

/* Makes a pattern of lanes at these distances from the first one; false if they are farther apart
 * than 2 GiB. */
static inline __attribute__((always_inline)) bool pattern_set(struct access_pattern *pattern,
                                                              const struct op *op, uint32_t mask,
                                                              const int64_t deltas[LANES])
{
    uint32_t delta_bits = 0;
    int64_t lowest = 0;
    int64_t highest = 0;
    pattern->mask = 0;
    EACH_LANE
    {
        const bool has_lane = (mask & UINT32_C(1) << i) != 0;
        const int64_t delta = has_lane ? deltas[i] : 0;
        pattern->lanes[i] = has_lane ? -1 : 0;
        pattern->delta[i] = (int32_t)delta;
        delta_bits |= (uint32_t)delta;
        lowest = delta < lowest ? delta : lowest;
        highest = delta > highest ? delta : highest;
    }
    if (lowest < INT32_MIN || highest > INT32_MAX) {
        return false;
    }
    pattern->delta_bits = delta_bits;
    for (unsigned i = 0; i < LANES; i += 8) {
        pattern->group[i / 8] = pattern->delta[i];
    }
    pattern->first_lane = (uint32_t)__builtin_ctz(mask);
    pattern->lowest = lowest;
    pattern->span = (uint64_t)(highest - lowest);
    pattern->mask = mask;
    pattern->active = mask;
    pattern->epoch++;
    pattern->whole_shape = shape_of(pattern, op->bytes * op->count);
    pattern->shape = pattern->whole_shape;
    return true;
}

/* Fills in how far each lane is from a place. */
static inline __attribute__((always_inline)) void
find_deltas(const struct warp *warp, const struct op *op, uint64_t base, int64_t out_deltas[LANES])
{
    /* the same loop for both widths, so that it is made of vectors */
    if (op->address_is_wide) {
        EACH_LANE
        {
            out_deltas[i] = (int64_t)(access_address(warp, op, i) - base);
        }
    } else {
        EACH_LANE
        {
            out_deltas[i] = (int64_t)(access_address(warp, op, i) - base);
        }
    }
}

static bool pattern_learn_lanes(struct access_pattern *pattern, const struct warp *warp,
                                const struct op *op, uint32_t mask)
{
    int64_t deltas[LANES];
    find_deltas(warp, op, access_address(warp, op, (unsigned)__builtin_ctz(mask)), deltas);
    return pattern_set(pattern, op, mask, deltas);
}

/* Makes a pattern of the lanes of `mask` where they are, and of others at their distances from
 * these. */
static bool pattern_gather(struct access_pattern *pattern, const struct warp *warp,
                           const struct op *op, uint32_t mask, const struct past_lanes *others)
{
    int64_t deltas[LANES];
    const unsigned common = (unsigned)__builtin_ctz(mask & others->mask);
    const unsigned first = (unsigned)__builtin_ctz(mask | others->mask);
    uint64_t origin = access_address(warp, op, common) - (uint64_t)(int64_t)others->delta[common];
    uint64_t base = (others->mask >> first & 1) != 0 ? origin : access_address(warp, op, first);
    find_deltas(warp, op, base, deltas);
    for (uint32_t left = others->mask & ~mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        deltas[lane] = (int64_t)(origin - base) + others->delta[lane];
    }
    return pattern_set(pattern, op, mask | others->mask, deltas);
}

/* True if enough lanes of `mask` are among those, at their distances. */
static bool is_like(const struct past_lanes *lanes, const struct warp *warp, const struct op *op,
                    uint32_t mask)
{
    const uint32_t common = lanes->mask & mask;
    const bool is_enough = common != 0 && (common == mask || (common & (common - 1)) != 0);
    return is_enough && lanes_hold(lanes->delta, warp, op, common);
}

/* Looks among the last lanes, and those before, for some at the distances of those of `mask`. */
static bool pattern_find(struct access_pattern *pattern, const struct warp *warp,
                         const struct op *op, uint32_t mask, struct past_lanes *out_found)
{
    struct past_lanes last = {.mask = pattern->mask};
    memcpy(last.delta, pattern->delta, sizeof last.delta);
    if (is_like(&last, warp, op, mask)) {
        *out_found = last;
        return true;
    }
    for (unsigned k = 0; k < PAST_PATTERNS; k++) {
        if (is_like(&pattern->past[k], warp, op, mask)) {
            *out_found = pattern->past[k];
            pattern->past[k] = last;
            return true;
        }
    }
    pattern->past[pattern->next_past++ % PAST_PATTERNS] = last;
    return false;
}

/* Works out a pattern for the lanes of `mask`, and perhaps of others; false if lanes are farther
 * apart than 2 GiB. */
static __attribute__((noinline)) bool pattern_learn(struct access_pattern *pattern,
                                                    const struct warp *warp, const struct op *op,
                                                    uint32_t mask)
{
    struct past_lanes found;
    if (!may_be_partial(op)) {
        return pattern_learn_lanes(pattern, warp, op, mask);
    }
    if (pattern->narrow > 0) {
        pattern->narrow--;
    } else if (pattern_find(pattern, warp, op, mask, &found)) {
        pattern->misses = 0;
        return pattern_gather(pattern, warp, op, mask, &found);
    } else {
        pattern->misses =
            (uint8_t)(pattern->misses < MISSES_MOST ? pattern->misses + 1 : MISSES_MOST);
        pattern->narrow = pattern->misses > MISSES_FREE ? NARROW_TURNS : 0;
    }
    return pattern_learn_lanes(pattern, warp, op, mask);
}

/* An access by some of the lanes of a pattern does not fit as a whole: the next time the pattern is
 * to have no others. */
static __attribute__((noinline)) void pattern_narrow(struct access_pattern *pattern, uint32_t mask)
{
    if (pattern->mask != mask) {
        pattern->mask = 0;
        pattern->narrow = NARROW_TURNS;
    }
}

#endif
