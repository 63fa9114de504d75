/* vector_handlers.c: arithmetic, comparisons, predicates and selection in all lanes at once.
 *
 * Arithmetic has two loops: one over all lanes, in chains, where every live lane is active, and one
 * that keeps the old value in the others. Both become vector instructions.
 */
#include "device/emulated/arithmetic/approximate.h"
#include "device/emulated/arithmetic/bit_values.h"
#include "device/emulated/arithmetic/half_values.h"
#include "device/emulated/arithmetic/lane_values.h"
#include "device/emulated/variant.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* How a type lies in a slot (SLOT), is read from it (READ) and stored to it (STORE). */
#define SLOT_u16 u32
#define SLOT_s16 u32
#define SLOT_u32 u32
#define SLOT_s32 s32
#define SLOT_u64 u64
#define SLOT_s64 s64
#define SLOT_f32 f32
#define SLOT_f64 f64
#define SLOT_none u32
#define READ_u16(v) ((u16)(v))
#define READ_s16(v) ((s16)(v))
#define READ_u32(v) (v)
#define READ_s32(v) (v)
#define READ_u64(v) (v)
#define READ_s64(v) (v)
#define READ_f32(v) (v)
#define READ_f64(v) (v)
#define READ_none(v) 0
#define STORE_u16(v) ((u32)(u16)(v))
#define STORE_s16(v) ((u32)(u16)(v))
#define STORE_u32(v) ((u32)(v))
#define STORE_s32(v) ((s32)(v))
#define STORE_u64(v) ((u64)(v))
#define STORE_s64(v) ((s64)(v))
#define STORE_f32(v) (v)
#define STORE_f64(v) (v)

static const u32 lane_bit[LANES] __attribute__((aligned(64))) = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* The sign bit of a part if a type of the op is signed. */
#define SIGN(field, bit) (op->field == PTX_S32 ? UINT32_C(bit) : 0)

static inline void *slot_at(const struct warp *warp, uint32_t offset)
{
    return __builtin_assume_aligned(warp->file + offset, 64);
}

#define VECTOR_OPERANDS(D, A, B, C)                                                                \
    SLOT_##D *d = slot_at(warp, op->slot[0]);                                                      \
    const SLOT_##A *a = slot_at(warp, op->slot[1]);                                                \
    const SLOT_##B *b = slot_at(warp, op->slot[2]);                                                \
    const SLOT_##C *c = slot_at(warp, op->slot[3]);                                                \
    const u32 *fourth = slot_at(warp, op->slot[4]);                                                \
    (void)b, (void)c, (void)fourth;

#define VECTOR_VALUES(A, B, C)                                                                     \
    const A x = READ_##A(a[i]);                                                                    \
    const B y = READ_##B(b[i]);                                                                    \
    const C z = READ_##C(c[i]);                                                                    \
    (void)y, (void)z;

#define VECTOR_OP(name, opcode, types, key, D, A, B, C, expression)                                \
    static const struct op *chain_##name(struct warp *warp, const struct op *op)                   \
    {                                                                                              \
        VECTOR_OPERANDS(D, A, B, C)                                                                \
        EACH_LANE                                                                                  \
        {                                                                                          \
            VECTOR_VALUES(A, B, C)                                                                 \
            d[i] = STORE_##D(expression);                                                          \
        }                                                                                          \
        return chain_after(warp, op);                                                              \
    }                                                                                              \
                                                                                                   \
    static void run_##name(struct warp *warp, const struct op *op, uint32_t mask)                  \
    {                                                                                              \
        VECTOR_OPERANDS(D, A, B, C)                                                                \
        EACH_LANE                                                                                  \
        {                                                                                          \
            VECTOR_VALUES(A, B, C)                                                                 \
            const SLOT_##D result = STORE_##D(expression);                                         \
            d[i] = (mask & lane_bit[i]) != 0 ? result : d[i];                                      \
        }                                                                                          \
    }
typedef u32 none;
#include "device/emulated/arithmetic/vector_ops.def"
#undef VECTOR_OP

/* Gathers the signs of 32 words, each 0 or -1, into a mask. */
static inline u32 mask_of_flags(const s32 *flags)
{
    u32 mask = 0;
#if defined(__AVX2__)
    for (unsigned i = 0; i < LANES; i += 8) {
        __m256 word = _mm256_load_ps((const float *)(flags + i));
        mask |= (u32)_mm256_movemask_ps(word) << i;
    }
#elif defined(__SSE2__)
    for (unsigned i = 0; i < LANES; i += 4) {
        __m128 word = _mm_load_ps((const float *)(flags + i));
        mask |= (u32)_mm_movemask_ps(word) << i;
    }
#else
    for (unsigned i = 0; i < LANES; i++) {
        mask |= (u32)flags[i] & lane_bit[i];
    }
#endif
    return mask;
}

static inline void store_predicate(struct warp *warp, uint32_t slot, uint32_t mask, u32 value)
{
    u32 *d = (u32 *)(void *)(warp->file + slot);
    *d = (*d & ~mask) | (value & mask);
}

static inline u32 load_predicate(const struct warp *warp, uint32_t slot)
{
    return *(const u32 *)(const void *)(warp->file + slot);
}

#define COMPARE_OP(name, types, compare, T, condition)                                             \
    static void run_##name(struct warp *warp, const struct op *op, uint32_t mask)                  \
    {                                                                                              \
        const SLOT_##T *a = slot_at(warp, op->slot[1]);                                            \
        const SLOT_##T *b = slot_at(warp, op->slot[2]);                                            \
        s32 flags[LANES] __attribute__((aligned(64)));                                             \
        EACH_LANE                                                                                  \
        {                                                                                          \
            const T x = READ_##T(a[i]);                                                            \
            const T y = READ_##T(b[i]);                                                            \
            flags[i] = (condition) ? -1 : 0;                                                       \
        }                                                                                          \
        store_predicate(warp, op->slot[0], mask, mask_of_flags(flags));                            \
    }
#include "device/emulated/arithmetic/compare_ops.def"
#undef COMPARE_OP

#define PREDICATE_OP(name, expression)                                                             \
    static void run_##name(struct warp *warp, const struct op *op, uint32_t mask)                  \
    {                                                                                              \
        const u32 x = load_predicate(warp, op->slot[1]);                                           \
        const u32 y = load_predicate(warp, op->slot[2]);                                           \
        (void)y;                                                                                   \
        store_predicate(warp, op->slot[0], mask, expression);                                      \
    }
PREDICATE_OP(PRED_MOV, x)
PREDICATE_OP(PRED_NOT, ~x)
PREDICATE_OP(PRED_AND, x &y)
PREDICATE_OP(PRED_OR, x | y)
PREDICATE_OP(PRED_XOR, x ^ y)

static void run_SELECT_32(struct warp *warp, const struct op *op, uint32_t mask)
{
    u32 *d = slot_at(warp, op->slot[0]);
    const u32 *a = slot_at(warp, op->slot[1]);
    const u32 *b = slot_at(warp, op->slot[2]);
    const u32 chosen = load_predicate(warp, op->slot[3]);
    if (mask == warp->live) {
        EACH_LANE
        {
            d[i] = (chosen & lane_bit[i]) != 0 ? a[i] : b[i];
        }
    } else {
        EACH_LANE
        {
            const u32 result = (chosen & lane_bit[i]) != 0 ? a[i] : b[i];
            d[i] = (mask & lane_bit[i]) != 0 ? result : d[i];
        }
    }
}

static void run_SELECT_64(struct warp *warp, const struct op *op, uint32_t mask)
{
    u64 *d = slot_at(warp, op->slot[0]);
    const u64 *a = slot_at(warp, op->slot[1]);
    const u64 *b = slot_at(warp, op->slot[2]);
    const u32 chosen = load_predicate(warp, op->slot[3]);
    EACH_LANE
    {
        const u64 result = (chosen & lane_bit[i]) != 0 ? a[i] : b[i];
        d[i] = (mask & lane_bit[i]) != 0 ? result : d[i];
    }
}

op_handler *const VARIANT(vector_handlers)[OP_CODE_COUNT] = {
#define VECTOR_OP(name, ...) [OP_##name] = run_##name,
#include "device/emulated/arithmetic/vector_ops.def"
#undef VECTOR_OP
#define COMPARE_OP(name, ...) [OP_##name] = run_##name,
#include "device/emulated/arithmetic/compare_ops.def"
#undef COMPARE_OP
    [OP_PRED_MOV] = run_PRED_MOV,   [OP_PRED_NOT] = run_PRED_NOT, [OP_PRED_AND] = run_PRED_AND,
    [OP_PRED_OR] = run_PRED_OR,     [OP_PRED_XOR] = run_PRED_XOR, [OP_SELECT_32] = run_SELECT_32,
    [OP_SELECT_64] = run_SELECT_64,
};

op_chain *const VARIANT(vector_chains)[OP_CODE_COUNT] = {
#define VECTOR_OP(name, ...) [OP_##name] = chain_##name,
#include "device/emulated/arithmetic/vector_ops.def"
#undef VECTOR_OP
};
