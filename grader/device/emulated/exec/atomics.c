/* atomics.c: see atomics.h. */
#include "device/emulated/exec/atomics.h"

#include "device/emulated/arithmetic/half_values.h"
#include "device/emulated/arithmetic/lane_values.h"
#include "device/emulated/exec/exchange.h"
#include "device/emulated/exec/paths.h"
#include "device/emulated/memory/access_check.h"
#include "device/emulated/race/race_watch.h"
#include "device/emulated/race/thread_order.h"

static bool is_integer(enum ptx_type type)
{
    return type == PTX_U32 || type == PTX_S32 || type == PTX_U64 || type == PTX_S64;
}

static bool is_bits(enum ptx_type type)
{
    return type == PTX_B32 || type == PTX_B64 || is_integer(type);
}

bool atomic_is_known(enum ptx_suboperation sub, enum ptx_type type)
{
    switch (sub) {
    case PTX_SUB_ADD:
        return is_integer(type) || ptx_type_is_float(type);
    case PTX_SUB_MIN:
    case PTX_SUB_MAX:
        return is_integer(type);
    case PTX_SUB_INC:
    case PTX_SUB_DEC:
        return type == PTX_U32;
    case PTX_SUB_AND:
    case PTX_SUB_OR:
    case PTX_SUB_XOR:
        return is_bits(type);
    case PTX_SUB_EXCH:
    case PTX_SUB_CAS:
        return is_bits(type) || type == PTX_B16 || type == PTX_F32 || type == PTX_F64;
    default:
        return false;
    }
}

static u64 add_halves(enum ptx_type type, u32 x, u32 y)
{
    switch (type) {
    case PTX_F16:
        return add_f16(x, y & 0xffff);
    case PTX_F16X2:
        return BOTH_OF_2(add_f16, x, y);
    case PTX_BF16:
        return add_bf16(x, y & 0xffff);
    default:
        return BOTH_OF_2(add_bf16, x, y);
    }
}

static u64 add(enum ptx_type type, u64 old, u64 operand)
{
    if (ptx_type_is_float(type) && type != PTX_F32 && type != PTX_F64) {
        return add_halves(type, (u32)old, (u32)operand);
    }
    if (type == PTX_F32) {
        return bits_of_f32(canonical_f32(f32_of_bits((u32)old) + f32_of_bits((u32)operand)));
    }
    if (type == PTX_F64) {
        return bits_of_f64(canonical_f64(f64_of_bits(old) + f64_of_bits(operand)));
    }
    return old + operand;
}

static bool is_less(enum ptx_type type, u64 x, u64 y)
{
    switch (type) {
    case PTX_S32:
        return (s32)x < (s32)y;
    case PTX_S64:
        return (s64)x < (s64)y;
    case PTX_U32:
        return (u32)x < (u32)y;
    default:
        return x < y;
    }
}

uint64_t atomic_result(const struct op *op, uint64_t old, uint64_t b, uint64_t c)
{
    switch (op->kind) {
    case PTX_SUB_ADD:
        return add(op->type, old, b);
    case PTX_SUB_MIN:
        return is_less(op->type, b, old) ? b : old;
    case PTX_SUB_MAX:
        return is_less(op->type, old, b) ? b : old;
    case PTX_SUB_INC:
        return (u32)old >= (u32)b ? 0 : old + 1;
    case PTX_SUB_DEC:
        return (u32)old == 0 || (u32)old > (u32)b ? b : old - 1;
    case PTX_SUB_AND:
        return old & b;
    case PTX_SUB_OR:
        return old | b;
    case PTX_SUB_XOR:
        return old ^ b;
    case PTX_SUB_CAS:
        return old == b ? c : old;
    default:
        return b;
    }
}

static u64 operand(const struct warp *warp, const struct op *op, unsigned index, unsigned lane)
{
    const uint8_t *slot = warp->file + op->slot[index];
    return op->slot_bytes == 8 ? ((const u64 *)(const void *)slot)[lane]
                               : ((const u32 *)(const void *)slot)[lane];
}

void atomic_pay(struct warp *warp, const struct op *op)
{
    const uint32_t cost = (op->order & ORDER_ACQUIRES) != 0 ? POLL_OPS : ATOMIC_OPS;

    warp->has_polled = true;
    warp->ticks = warp->ticks > cost ? warp->ticks - cost : 1;
}

void atomic_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint8_t *where[LANES];
    access_resolve(warp, op, mask, FINDING_RECORD_ATOMIC, where);
    atomic_pay(warp, op);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        u64 old = POISON_WORD;
        if (where[lane] != NULL) {
            old = 0;
            memcpy(&old, where[lane], op->bytes);
            u64 value =
                atomic_result(op, old, operand(warp, op, 1, lane), operand(warp, op, 2, lane));
            warp->has_acted = warp->has_acted || memcmp(&value, &old, op->bytes) != 0;
            memcpy(where[lane], &value, op->bytes);
        }
        if (op->slot[0] == NO_SLOT) {
            continue;
        }
        uint8_t *d = warp->file + op->slot[0];
        if (op->slot_bytes == 8) {
            ((u64 *)(void *)d)[lane] = old;
        } else {
            ((u32 *)(void *)d)[lane] = (u32)(op->bytes == 2 ? old & 0xffff : old);
        }
    }
    race_order_access(warp, op->order, mask);
    thread_order_access(warp->block->launch->thread_order, warp, op->order, mask);
}
