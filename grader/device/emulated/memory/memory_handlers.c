/* memory_handlers.c: loads and stores of all lanes at once.
 *
 * In loops, the lanes of a warp keep their distances from each other: what was worked out about a
 * set of distances (span, alignment, shape) is kept in struct access_pattern and used again when
 * the distances are the same, which one comparison of vectors tells. Then the whole access is
 * checked by its lowest and its highest address. Where it does not fit, access_resolve() looks at
 * each lane.
 *
 * Where branches depend on data, other lanes are active each time, at the same distances. So of
 * shared memory, the lanes of a pattern are gathered from several accesses, and each is checked as
 * if all of them were active.
 */
#include "device/emulated/exec/unwritten.h"
#include "device/emulated/memory/access_check.h"
#include "device/emulated/memory/access_counts.h"
#include "device/emulated/memory/async_copies.h"
#include "device/emulated/memory/followed_tiles.h"
#include "device/emulated/memory/pattern_learn.h"
#include "device/emulated/memory/pattern_watch.h"
#include "device/emulated/race/race_watch.h"
#include "device/emulated/variant.h"

#include <string.h>

/* True if [low, low + span) lies in the block of the last hit, or in another one that is found. */
static inline bool in_block(struct access_pattern *pattern, const struct warp *warp, uint64_t low,
                            uint64_t span)
{
    if (low >= pattern->block_start && low < pattern->block_end &&
        span <= pattern->block_end - low) {
        return true;
    }
    struct window_block *block = window_find(warp->block->launch->memory, low);
    if (block == NULL || block->is_heap || span > block->end - low) {
        return false;
    }
    pattern->block = block;
    pattern->block_start = block->start;
    pattern->block_end = block->end;
    return true;
}

/* True if [low, low + span) lies in the part of shared memory where the op has to stay. */
static inline bool is_in_range(const struct warp *warp, const struct op *op, uint64_t low,
                               uint64_t span)
{
    const struct shared_range *range = &warp->worker->ranges[op->range];
    uint64_t inside = low - range->start;
    return inside < range->bytes && span <= range->bytes - inside;
}

/* An access to shared memory that is valid as a whole; what is implied has been logged. */
static inline __attribute__((always_inline)) void
watch_shared(struct access_pattern *pattern, struct warp *warp, const struct op *op, uint32_t first)
{
    if (warp->worker->is_watched) {
        if (!op->is_implied) {
            race_log_pattern(warp, op, pattern, first);
        }
        count_pattern(warp, op, pattern, first, NULL);
    }
}

/* Asks the processor for what the next access reads if it is as far from this one as this one is
 * from the last one: of the same warp in a loop, or of the warp before it. Only time depends on
 * whether there is such an access, or memory at that place. */
static inline void prefetch_next(struct access_pattern *pattern, const struct warp *warp,
                                 uint64_t first)
{
    const uint64_t next = first + (first - pattern->last_first);
    pattern->last_first = first;
    if (next - pattern->block_start < pattern->block_end - pattern->block_start) {
        const uint8_t *host = window_host(warp->block->launch->memory, next);
        for (unsigned k = 0; k < LANES / 8; k++) {
            __builtin_prefetch(host + pattern->group[k]);
        }
    }
}

/* locate() for all spaces but shared: `first` is the address of the first active lane. */
static uint8_t *locate_elsewhere(struct access_pattern *pattern, struct warp *warp,
                                 const struct op *op, uint64_t first, bool writes)
{
    uint64_t low = first + (uint64_t)pattern->lowest;
    uint64_t span = pattern->span + (uint32_t)op->bytes * op->count;
    if (op->space == PTX_SPACE_GENERIC && low - SHARED_WINDOW < SPACE_WINDOW_BYTES) {
        if (!is_in_range(warp, op, low - SHARED_WINDOW, span) &&
            !(op->is_followed &&
              followed_tiles_hold(warp, op, pattern->mask, low - SHARED_WINDOW, span))) {
            return NULL;
        }
        first -= SHARED_WINDOW;
        watch_shared(pattern, warp, op, (uint32_t)first);
        return warp->block->shared + first;
    }
    bool is_window = op->space == PTX_SPACE_GLOBAL || op->space == PTX_SPACE_CONST ||
                     op->space == PTX_SPACE_GENERIC;
    if (!is_window || !in_block(pattern, warp, low, span) ||
        (pattern->block->is_constant ? writes : op->space == PTX_SPACE_CONST)) {
        return NULL;
    }
    if (__builtin_expect(pattern->block->written != NULL, 0) &&
        !look_written(pattern, low, span, writes)) {
        return NULL;
    }
    if (warp->block->launch->global_races != NULL && global_races_ask(warp, pattern, low, span)) {
        return NULL; /* each lane is looked at */
    }
    if (warp->worker->touches != NULL) {
        if (writes || !touch_is_read_only(warp->worker->touches, pattern->block, low, span)) {
            touch_pattern(pattern, warp, op, low, span, writes);
        }
    } else if (warp->block->launch->watch != NULL) {
        watch_access(pattern, warp, op, writes);
    }
    if (writes && pattern->block->saved != NULL) {
        before_write(pattern, warp, op, low, span);
    }
    if (warp->worker->is_watched) {
        count_pattern(warp, op, pattern, first, pattern->block);
    }
    if (!writes) {
        prefetch_next(pattern, warp, first);
    }
    return window_host(warp->block->launch->memory, first);
}

/* The host address of the access of the pattern's first lane if the access of all lanes is valid at
 * once, else NULL; then pattern->delta leads to the other lanes. */
static inline __attribute__((always_inline)) uint8_t *locate(struct warp *warp, const struct op *op,
                                                             uint32_t mask, bool writes)
{
    struct access_pattern *pattern = &warp->worker->patterns[op->pattern];
    bool is_known = mask == pattern->mask ? op->same_address || pattern_holds(pattern, warp, op)
                                          : pattern_holds_part(pattern, warp, op, mask);
    pattern->holds_bundle = false;
    if (__builtin_expect(!is_known, 0) && !pattern_learn(pattern, warp, op, mask)) {
        return NULL;
    }
    if (mask != pattern->active) {
        pattern->active = mask;
        pattern->shape = mask == pattern->mask ? pattern->whole_shape : SHAPE_GENERAL;
    }
    uint64_t first = pattern_first(pattern, warp, op);
    uint32_t bytes = (uint32_t)op->bytes * op->count;
    if ((((uint32_t)first | pattern->delta_bits) & (bytes - 1)) != 0) {
        pattern_narrow(pattern, mask);
        return NULL;
    }
    if (op->space != PTX_SPACE_SHARED) {
        return locate_elsewhere(pattern, warp, op, first, writes);
    }
    uint64_t low = first + (uint64_t)pattern->lowest;
    uint64_t span = pattern->span + bytes;
    if (op->leads_bundle) {
        pattern->bundle_first = (uint32_t)first - (uint32_t)op->offset;
        pattern->holds_bundle = is_in_range(warp, op, low - op->bundle_before,
                                            span + op->bundle_before + op->bundle_after);
    }
    if (!pattern->holds_bundle && !is_in_range(warp, op, low, span) &&
        !(op->is_followed && followed_tiles_hold(warp, op, mask, low, span))) {
        pattern_narrow(pattern, mask);
        return NULL;
    }
    watch_shared(pattern, warp, op, (uint32_t)first);
    return warp->block->shared + first;
}

/* The same for a load that has been checked with the first one of its bundle. */
static inline const uint8_t *locate_in_bundle(const struct warp *warp, const struct op *op)
{
    const struct access_pattern *pattern = &warp->worker->patterns[op->pattern];
    return op->is_implied && pattern->holds_bundle
               ? warp->block->shared + (pattern->bundle_first + (uint32_t)op->offset)
               : NULL;
}

/* Bits of an element, extended as its type says. */
static inline uint64_t read_element(const uint8_t *from, const struct op *op)
{
    uint64_t value = 0;
    switch (op->bytes) {
    case 1:
        value = *from;
        return op->type == PTX_S8 ? (uint64_t)(int64_t)(int8_t)value : value;
    case 2:
        memcpy(&value, from, 2);
        return op->type == PTX_S16 ? (uint64_t)(int64_t)(int16_t)value : value;
    case 4:
        memcpy(&value, from, 4);
        return op->type == PTX_S32 ? (uint64_t)(int64_t)(int32_t)value : value;
    default:
        memcpy(&value, from, 8);
        return value;
    }
}

/* Puts bits into a lane of a slot; a 16-bit register keeps its upper half zero. */
static inline void put_lane(struct warp *warp, const struct op *op, unsigned element, unsigned lane,
                            uint64_t value)
{
    uint8_t *slot = warp->file + op->slot[element];
    if (op->slot_bytes == 8) {
        ((uint64_t *)(void *)slot)[lane] = value;
    } else {
        uint32_t keep = op->slot_bytes == 2 ? 0xffff : UINT32_MAX;
        ((uint32_t *)(void *)slot)[lane] = (uint32_t)value & keep;
    }
}

static inline uint64_t get_lane(const struct warp *warp, const struct op *op, unsigned element,
                                unsigned lane)
{
    const uint8_t *slot = warp->file + op->slot[element];
    return op->slot_bytes == 8 ? ((const uint64_t *)(const void *)slot)[lane]
                               : ((const uint32_t *)(const void *)slot)[lane];
}

/* True if what is loaded may never have been written, or be on its way. */
static inline bool may_be_unwritten(const struct warp *warp, const struct op *op)
{
    bool is_shared = op->space == PTX_SPACE_SHARED;
    bool has_copies = warp->block->copies != NULL;
    return warp->worker->is_watched &&
           ((is_shared && op->bytes >= 4) ||
            (has_copies && (is_shared || op->space == PTX_SPACE_GENERIC)));
}

/* Tells who follows values that lanes of `mask` have got poison from shared memory, if so, and who
 * knows of copies under way. Poison of less than 32 bits is not known as such. */
static __attribute__((noinline)) void find_unwritten(struct warp *warp, const struct op *op,
                                                     uint32_t mask,
                                                     const uint8_t *const where[LANES])
{
    uint32_t lanes = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned k = 0; k < op->count; k++) {
            uint64_t value = get_lane(warp, op, k, lane);
            bool is_poison = (uint32_t)value == (uint32_t)POISON_WORD ||
                             (op->slot_bytes == 8 && value >> 32 == (uint32_t)POISON_WORD);
            lanes |= is_poison || op->bytes < 4 ? UINT32_C(1) << lane : 0;
        }
    }
    if (lanes != 0 && warp->block->copies != NULL) {
        copies_check_read(warp, op, lanes, where);
    }
    if (lanes != 0 && op->space == PTX_SPACE_SHARED && op->bytes >= 4) {
        unwritten_loaded(warp, op, lanes);
    }
}

/* The same after a load of one pattern. */
static __attribute__((noinline)) void find_unwritten_at(struct warp *warp, const struct op *op,
                                                        uint32_t mask, const uint8_t *host,
                                                        const int32_t delta[LANES])
{
    const uint8_t *where[LANES];
    for (unsigned lane = 0; lane < LANES; lane++) {
        where[lane] = (mask >> lane & 1) != 0 ? host + delta[lane] : NULL;
    }
    find_unwritten(warp, op, mask, where);
}

/* Loads lane by lane, whatever the width; invalid lanes get poison. */
static void load_each(struct warp *warp, const struct op *op, uint32_t mask)
{
    static const uint64_t poison[2] = {POISON_WORD, POISON_WORD};
    uint8_t *where[LANES];
    access_resolve(warp, op, mask, FINDING_RECORD_READ, where);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned k = 0; k < op->count; k++) {
            const uint8_t *from =
                where[lane] == NULL ? (const uint8_t *)poison : where[lane] + (size_t)k * op->bytes;
            put_lane(warp, op, k, lane, read_element(from, op));
        }
    }
    if (may_be_unwritten(warp, op)) {
        find_unwritten(warp, op, mask, (const uint8_t *const *)where);
    }
}

static void store_each(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint8_t *where[LANES];
    access_resolve(warp, op, mask, FINDING_RECORD_WRITE, where);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (where[lane] == NULL) {
            continue;
        }
        for (unsigned k = 0; k < op->count; k++) {
            uint64_t value = get_lane(warp, op, k, lane);
            memcpy(where[lane] + (size_t)k * op->bytes, &value, op->bytes);
        }
    }
}

/* Eight lanes of a slot, and eight elements anywhere in memory. */
typedef uint32_t lanes_32 __attribute__((vector_size(32), may_alias));
typedef uint32_t elements_32 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint64_t lanes_64 __attribute__((vector_size(64), may_alias));
typedef uint64_t elements_64 __attribute__((vector_size(64), aligned(1), may_alias));

#define NOT_INLINE __attribute__((noinline))

/* Runs for lanes 0, 8, 16 and 24, without a loop. */
#ifdef __clang__
#define EACH_EIGHT _Pragma("clang loop unroll(full)") for (unsigned k = 0; k < LANES / 8; k++)
#else
#define EACH_EIGHT _Pragma("GCC unroll 4") for (unsigned k = 0; k < LANES / 8; k++)
#endif

/* True if a lane holds poison, of those that are loaded or another one; half of it is enough. */
static inline bool any_poison_32(const lanes_32 lanes[LANES / 8])
{
    lanes_32 found = {0};
    EACH_EIGHT
    {
        found |= (lanes_32)(lanes[k] == (lanes_32){0} + (uint32_t)POISON_WORD);
    }
#if defined(__AVX2__)
    return _mm256_testz_si256((__m256i)found, (__m256i)found) == 0;
#else
    uint32_t any = 0;
    for (unsigned i = 0; i < 8; i++) {
        any |= found[i];
    }
    return any != 0;
#endif
}

static inline bool any_poison_64(const lanes_64 lanes[LANES / 8])
{
    const lanes_64 poison = (lanes_64){0} + (uint32_t)POISON_WORD;
    lanes_64 found = {0};
    EACH_EIGHT
    {
        found |=
            (lanes_64)((lanes[k] & UINT32_MAX) == poison) | (lanes_64)(lanes[k] >> 32 == poison);
    }
    uint64_t any = 0;
    for (unsigned i = 0; i < 8; i++) {
        any |= found[i];
    }
    return any != 0;
}

/* Puts lanes into a slot by stores as wide as the loads of arithmetic, which then get them without
 * waiting. */
static inline void put_lanes_32(uint32_t *d, const lanes_32 lanes[LANES / 8])
{
#if defined(__AVX512F__)
    for (unsigned k = 0; k < LANES / 8; k += 2) {
        __m512i first = _mm512_castsi256_si512((__m256i)lanes[k]);
        _mm512_store_si512(d + k * 8, _mm512_inserti64x4(first, (__m256i)lanes[k + 1], 1));
    }
#else
    EACH_EIGHT
    {
        *(lanes_32 *)(void *)(d + k * 8) = lanes[k];
    }
#endif
}

static inline void put_lanes_64(uint64_t *d, const lanes_64 lanes[LANES / 8])
{
    EACH_EIGHT
    {
        *(lanes_64 *)(void *)(d + k * 8) = lanes[k];
    }
}

/* LOAD_32 and LOAD_64, STORE_32 and STORE_64: one element as wide as its slot. load_32() and
 * load_64() load any element, for which the first lane reads at `host`; they return true if
 * something may have been unwritten, where the caller asks. */
#define WIDTH_HANDLERS(width)                                                                      \
    static NOT_INLINE bool load_lanes_##width(const struct access_pattern *pattern,                \
                                              const uint8_t *host, uint32_t mask,                  \
                                              uint##width##_t *d)                                  \
    {                                                                                              \
        if (mask == ALL_LANES) {                                                                   \
            for (unsigned i = 0; i < LANES; i++) {                                                 \
                memcpy(d + i, host + pattern->delta[i], sizeof *d);                                \
            }                                                                                      \
        } else {                                                                                   \
            for (uint32_t left = mask; left != 0; left &= left - 1) {                              \
                unsigned lane = (unsigned)__builtin_ctz(left);                                     \
                memcpy(d + lane, host + pattern->delta[lane], sizeof *d);                          \
            }                                                                                      \
        }                                                                                          \
        return any_poison_##width((const lanes_##width *)(const void *)d);                         \
    }                                                                                              \
                                                                                                   \
    static inline __attribute__((always_inline)) bool load_##width(                                \
        struct warp *warp, const struct op *op, uint32_t mask, const uint8_t *host, bool asks,     \
        unsigned element)                                                                          \
    {                                                                                              \
        const struct access_pattern *pattern = &warp->worker->patterns[op->pattern];               \
        uint##width##_t *d = __builtin_assume_aligned(warp->file + op->slot[element], 64);         \
        lanes_##width lanes[LANES / 8];                                                            \
        if (pattern->shape == SHAPE_UNIFORM) {                                                     \
            EACH_EIGHT                                                                             \
            {                                                                                      \
                uint##width##_t value;                                                             \
                memcpy(&value, host + pattern->group[k], sizeof value);                            \
                lanes[k] = (lanes_##width){0} + value;                                             \
            }                                                                                      \
        } else if (pattern->shape == SHAPE_CONTIGUOUS && op->count == 1) {                         \
            EACH_EIGHT                                                                             \
            {                                                                                      \
                const void *from = host + pattern->group[k];                                       \
                lanes[k] = *(const elements_##width *)from;                                        \
            }                                                                                      \
        } else {                                                                                   \
            return load_lanes_##width(pattern, host, mask, d) && asks;                             \
        }                                                                                          \
        put_lanes_##width(d, lanes);                                                               \
        return asks && any_poison_##width(lanes);                                                  \
    }                                                                                              \
                                                                                                   \
    static NOT_INLINE void load_alone_##width(struct warp *warp, const struct op *op,              \
                                              uint32_t mask)                                       \
    {                                                                                              \
        const uint8_t *host = locate(warp, op, mask, false);                                       \
        if (host == NULL) {                                                                        \
            load_each(warp, op, mask);                                                             \
        } else if (load_##width(warp, op, mask, host, may_be_unwritten(warp, op), 0)) {            \
            find_unwritten_at(warp, op, mask, host, warp->worker->patterns[op->pattern].delta);    \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void run_LOAD_##width(struct warp *warp, const struct op *op, uint32_t mask)            \
    {                                                                                              \
        const uint8_t *host = locate_in_bundle(warp, op);                                          \
        if (host == NULL) {                                                                        \
            load_alone_##width(warp, op, mask);                                                    \
        } else if (load_##width(warp, op, mask, host, warp->worker->is_watched, 0)) {              \
            find_unwritten_at(warp, op, mask, host, warp->worker->patterns[op->pattern].delta);    \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void run_STORE_##width(struct warp *warp, const struct op *op, uint32_t mask)           \
    {                                                                                              \
        uint8_t *host = locate(warp, op, mask, true);                                              \
        if (host == NULL) {                                                                        \
            store_each(warp, op, mask);                                                            \
            return;                                                                                \
        }                                                                                          \
        const struct access_pattern *pattern = &warp->worker->patterns[op->pattern];               \
        const uint##width##_t *s = __builtin_assume_aligned(warp->file + op->slot[0], 64);         \
        if (pattern->shape == SHAPE_CONTIGUOUS) {                                                  \
            EACH_EIGHT                                                                             \
            {                                                                                      \
                void *to = host + pattern->group[k];                                               \
                *(elements_##width *)to = *(const lanes_##width *)(const void *)(s + k * 8);       \
            }                                                                                      \
        } else {                                                                                   \
            for (uint32_t left = mask; left != 0; left &= left - 1) {                              \
                unsigned lane = (unsigned)__builtin_ctz(left);                                     \
                memcpy(host + pattern->delta[lane], s + lane, sizeof *s);                          \
            }                                                                                      \
        }                                                                                          \
    }

WIDTH_HANDLERS(32)
WIDTH_HANDLERS(64)

static NOT_INLINE const struct op *load_and_go_on(struct warp *warp, const struct op *op)
{
    run_LOAD_32(warp, op, warp->live);
    return warp->stop != NULL ? op + 1 : chain_after(warp, op);
}

/* A load that is checked with the first one of its bundle. */
static const struct op *chain_IMPLIED_32(struct warp *warp, const struct op *op)
{
    const struct access_pattern *pattern = &warp->worker->patterns[op->pattern];
    if (!pattern->holds_bundle || pattern->shape == SHAPE_GENERAL) {
        return load_and_go_on(warp, op);
    }
    const uint8_t *host = warp->block->shared + (pattern->bundle_first + (uint32_t)op->offset);
    lanes_32 lanes[LANES / 8];
    if (pattern->shape == SHAPE_UNIFORM) {
        EACH_EIGHT
        {
            uint32_t value;
            memcpy(&value, host + pattern->group[k], sizeof value);
            lanes[k] = (lanes_32){0} + value;
        }
    } else {
        EACH_EIGHT
        {
            lanes[k] = *(const elements_32 *)(const void *)(host + pattern->group[k]);
        }
    }
    if (any_poison_32(lanes)) {
        return load_and_go_on(warp, op);
    }
    put_lanes_32(__builtin_assume_aligned(warp->file + op->slot[0], 64), lanes);
    return chain_after(warp, op);
}

op_chain *VARIANT(memory_chain)(const struct op *op)
{
    return op->code == OP_LOAD_32 && op->is_implied ? chain_IMPLIED_32 : NULL;
}

/* One element that is extended, or narrower than its slot. */
static void load_element(struct warp *warp, const struct op *op, uint32_t mask, const uint8_t *host,
                         unsigned element)
{
    const struct access_pattern *pattern = &warp->worker->patterns[op->pattern];
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        put_lane(warp, op, element, lane, read_element(host + pattern->delta[lane], op));
    }
}

static void run_LOAD_ANY(struct warp *warp, const struct op *op, uint32_t mask)
{
    const uint8_t *host = locate_in_bundle(warp, op);
    const bool asks = may_be_unwritten(warp, op);
    bool finds = false;
    host = host != NULL ? host : locate(warp, op, mask, false);
    if (host == NULL) {
        load_each(warp, op, mask);
        return;
    }
    const uint8_t *first = host;
    for (unsigned k = 0; k < op->count; k++, host += op->bytes) {
        if (op->bytes == 4 && op->slot_bytes == 4) {
            finds = load_32(warp, op, mask, host, asks, k) || finds;
        } else if (op->bytes == 8 && op->slot_bytes == 8) {
            finds = load_64(warp, op, mask, host, asks, k) || finds;
        } else {
            load_element(warp, op, mask, host, k);
            finds = asks;
        }
    }
    if (finds) {
        find_unwritten_at(warp, op, mask, first, warp->worker->patterns[op->pattern].delta);
    }
}

static void run_STORE_ANY(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint8_t *host = locate(warp, op, mask, true);
    if (host == NULL) {
        store_each(warp, op, mask);
        return;
    }
    const struct access_pattern *pattern = &warp->worker->patterns[op->pattern];
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint8_t *to = host + pattern->delta[lane];
        for (unsigned k = 0; k < op->count; k++) {
            uint64_t value = get_lane(warp, op, k, lane);
            memcpy(to + (size_t)k * op->bytes, &value, op->bytes);
        }
    }
}

/* A parameter of the kernel: the same for all lanes; lowering has checked its place. */
static void run_LOAD_PARAM(struct warp *warp, const struct op *op, uint32_t mask)
{
    const uint8_t *from = warp->block->launch->parameters + op->offset;
    for (unsigned k = 0; k < op->count; k++) {
        uint64_t value = read_element(from + (size_t)k * op->bytes, op);
        if (mask == warp->live && op->slot_bytes == 8) {
            uint64_t *d = (uint64_t *)(void *)(warp->file + op->slot[k]);
            EACH_LANE
            {
                d[i] = value;
            }
            continue;
        }
        for (uint32_t left = mask; left != 0; left &= left - 1) {
            put_lane(warp, op, k, (unsigned)__builtin_ctz(left), value);
        }
    }
}

op_handler *const VARIANT(memory_handlers)[OP_CODE_COUNT] = {
    [OP_LOAD_32] = run_LOAD_32,       [OP_LOAD_64] = run_LOAD_64,   [OP_LOAD_ANY] = run_LOAD_ANY,
    [OP_LOAD_PARAM] = run_LOAD_PARAM, [OP_STORE_32] = run_STORE_32, [OP_STORE_64] = run_STORE_64,
    [OP_STORE_ANY] = run_STORE_ANY,
};
