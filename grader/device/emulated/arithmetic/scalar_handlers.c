/* scalar_handlers.c: instructions that run lane by lane: scalar_ops.def, conversions, others. */
#include "device/emulated/arithmetic/conversion.h"
#include "device/emulated/arithmetic/scalar_math.h"
#include "device/emulated/exec/atomics.h"
#include "device/emulated/exec/mbarriers.h"
#include "device/emulated/exec/paths.h"
#include "device/emulated/exec/tensor_cores.h"
#include "device/emulated/machine.h"
#include "device/emulated/memory/async_copies.h"
#include "device/emulated/memory/texture_units.h"
#include "device/emulated/race/race_watch.h"
#include "device/emulated/race/thread_order.h"

/* How a type lies in a slot (SLOT) and is stored to it (STORE); see vector_handlers.c. */
#define SLOT_u16 u32
#define SLOT_s16 u32
#define SLOT_u32 u32
#define SLOT_s32 s32
#define SLOT_u64 u64
#define SLOT_s64 s64
#define SLOT_f32 f32
#define SLOT_f64 f64
#define SLOT_none u32
#define STORE_u16(v) ((u32)(u16)(v))
#define STORE_s16(v) ((u32)(u16)(v))
#define STORE_u32(v) ((u32)(v))
#define STORE_s32(v) ((s32)(v))
#define STORE_u64(v) ((u64)(v))
#define STORE_s64(v) ((s64)(v))
#define STORE_f32(v) (v)
#define STORE_f64(v) (v)
typedef u32 none;

#define SCALAR_OP(name, opcode, types, key, D, A, B, C, expression)                                \
    static void run_##name(struct warp *warp, const struct op *op, uint32_t mask)                  \
    {                                                                                              \
        SLOT_##D *d = (SLOT_##D *)(void *)(warp->file + op->slot[0]);                              \
        const SLOT_##A *a = (const SLOT_##A *)(const void *)(warp->file + op->slot[1]);            \
        const SLOT_##B *b = (const SLOT_##B *)(const void *)(warp->file + op->slot[2]);            \
        const SLOT_##C *c = (const SLOT_##C *)(const void *)(warp->file + op->slot[3]);            \
        for (uint32_t left = mask; left != 0; left &= left - 1) {                                  \
            unsigned i = (unsigned)__builtin_ctz(left);                                            \
            const A x = (A)a[i];                                                                   \
            const B y = (B)b[i];                                                                   \
            const C z = (C)c[i];                                                                   \
            (void)y, (void)z;                                                                      \
            d[i] = STORE_##D(expression);                                                          \
        }                                                                                          \
    }
#include "device/emulated/arithmetic/scalar_ops.def"
#undef SCALAR_OP

static uint64_t get_wide(const struct warp *warp, uint32_t slot, bool is_wide, unsigned lane)
{
    const uint8_t *at = warp->file + slot;
    return is_wide ? ((const uint64_t *)(const void *)at)[lane]
                   : ((const uint32_t *)(const void *)at)[lane];
}

static void put_wide(struct warp *warp, uint32_t slot, unsigned slot_bytes, unsigned lane,
                     uint64_t value)
{
    uint8_t *at = warp->file + slot;
    if (slot_bytes == 8) {
        ((uint64_t *)(void *)at)[lane] = value;
    } else {
        ((uint32_t *)(void *)at)[lane] = (uint32_t)(slot_bytes == 2 ? value & 0xffff : value);
    }
}

/* cvt: op->bytes is the width of the source's slot. */
static void run_CONVERT(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct conversion conversion = {
        .to = op->type,
        .from = op->source_type,
        .rounding = op->kind,
        .saturates = op->saturate,
        .flushes = (op->count & CONVERT_FLUSHES) != 0,
        .clamps = (op->count & CONVERT_CLAMPS) != 0,
        .is_finite = (op->count & CONVERT_IS_FINITE) != 0,
        .packs = (op->count & CONVERT_PACKS) != 0,
    };
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t value = get_wide(warp, op->slot[1], op->bytes == 8, lane);
        put_wide(warp, op->slot[0], op->slot_bytes, lane, convert_bits(&conversion, value));
    }
}

/* add.cc and its relatives: the carry of each lane is a bit of the predicate in SLOT_CARRY. */
static void run_CARRY(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint32_t *carries = (uint32_t *)(void *)(warp->file + op->slot[SLOT_CARRY]);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t bit = UINT32_C(1) << lane;
        uint32_t carry =
            (op->count & CARRY_TAKEN) != 0 ? *carries >> lane & 1 : op->kind == CARRY_SUB;
        uint64_t sources[3];
        for (unsigned i = 0; i < 3; i++) {
            sources[i] = get_wide(warp, op->slot[i + 1], op->bytes == 8, lane);
        }
        uint64_t sum = carry_compute(op->kind, op->type, sources, &carry);
        put_wide(warp, op->slot[0], op->bytes, lane, sum);
        if ((op->count & CARRY_GIVEN) != 0) {
            *carries = carry != 0 ? *carries | bit : *carries & ~bit;
        }
    }
}

static void run_EXTREME(struct warp *warp, const struct op *op, uint32_t mask)
{
    const uint32_t *a = (const uint32_t *)(const void *)(warp->file + op->slot[1]);
    const uint32_t *b = (const uint32_t *)(const void *)(warp->file + op->slot[2]);
    uint32_t *d = (uint32_t *)(void *)(warp->file + op->slot[0]);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        d[lane] = extreme_bits(op->type, op->kind, a[lane], b[lane]);
    }
}

/* A clock that is the same in every run: instructions that the warps of this block executed, and
 * the time that has passed while all only waited (waiting.h). */
static void run_CLOCK(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint64_t now =
        warp->block->skipped_time + warp->block->warp_instructions + (op->ordinal - warp->segment);
    bool is_upper = op->kind == PTX_SPECIAL_CLOCK_HI || op->kind == PTX_SPECIAL_GLOBALTIMER_HI;
    uint64_t value = is_upper ? now >> 32 : now;
    warp->has_polled = true;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        put_wide(warp, op->slot[0], op->slot_bytes, (unsigned)__builtin_ctz(left), value);
    }
}

static void run_NOTHING(struct warp *warp, const struct op *op, uint32_t mask)
{
    (void)warp, (void)op, (void)mask;
}

static void run_FENCE(struct warp *warp, const struct op *op, uint32_t mask)
{
    race_fence(warp, mask);
    thread_order_fence(warp->block->launch->thread_order, warp, mask,
                       (op->order & ORDER_DEVICE) != 0);
}

static void run_ORDER(struct warp *warp, const struct op *op, uint32_t mask)
{
    bool is_load = (op->order & (ORDER_LOADS | ORDER_ACQUIRES)) != 0;
    warp->has_polled = warp->has_polled || is_load;
    warp->has_acted = warp->has_acted || !is_load;
    if ((op->order & ORDER_LOADS) != 0) {
        warp->ticks = warp->ticks > POLL_OPS ? warp->ticks - POLL_OPS : 1;
    }
    race_order_access(warp, op->order, mask);
    thread_order_access(warp->block->launch->thread_order, warp, op->order, mask);
}

static bool is_in_space(uint8_t space, uint64_t address)
{
    switch (space) {
    case PTX_SPACE_SHARED:
        return address - SHARED_WINDOW < SPACE_WINDOW_BYTES;
    case PTX_SPACE_LOCAL:
        return address - LOCAL_WINDOW < SPACE_WINDOW_BYTES;
    case PTX_SPACE_PARAM:
        return address - PARAM_WINDOW < SPACE_WINDOW_BYTES;
    default:
        return address - SHARED_WINDOW >= PARAM_WINDOW + SPACE_WINDOW_BYTES - SHARED_WINDOW;
    }
}

static void run_IS_SPACE(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint32_t *p = (uint32_t *)(void *)(warp->file + op->slot[0]);
    uint32_t result = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        bool holds = is_in_space(op->space, get_wide(warp, op->slot[1], op->bytes == 8, lane));
        if (op->space == PTX_SPACE_CONST && holds) {
            uint64_t address = get_wide(warp, op->slot[1], op->bytes == 8, lane);
            const struct window_block *block = window_find(warp->block->launch->memory, address);
            holds = block != NULL && block->is_constant;
        }
        result |= holds ? UINT32_C(1) << lane : 0;
    }
    *p = (*p & ~mask) | result;
}

op_handler *const scalar_handlers[OP_CODE_COUNT] = {
#define SCALAR_OP(name, ...) [OP_##name] = run_##name,
#include "device/emulated/arithmetic/scalar_ops.def"
#undef SCALAR_OP
    [OP_CONVERT] = run_CONVERT,
    [OP_CLOCK] = run_CLOCK,
    [OP_NOTHING] = run_NOTHING,
    [OP_FENCE] = run_FENCE,
    [OP_CARRY] = run_CARRY,
    [OP_IS_SPACE] = run_IS_SPACE,
    [OP_TEXTURE] = texture_run,
    [OP_SURFACE_LOAD] = surface_load_run,
    [OP_SURFACE_STORE] = surface_store_run,
    [OP_SURFACE_REDUCE] = surface_reduce_run,
    [OP_TEXTURE_QUERY] = texture_query_run,
    [OP_COPY_READ] = copy_read_run,
    [OP_COPY_WRITE] = copy_write_run,
    [OP_COPY_COMMIT] = copy_commit_run,
    [OP_COPY_WAIT] = copy_wait_run,
    [OP_MBARRIER] = mbarrier_run,
    [OP_ATOMIC] = atomic_run,
    [OP_EXTREME] = run_EXTREME,
    [OP_ORDER] = run_ORDER,
    [OP_ELEMENT_ADDRESS] = element_address_run,
    [OP_MATRIX_LANES] = matrix_lanes_run,
    [OP_TENSOR_PRODUCT] = tensor_product_run,
};
