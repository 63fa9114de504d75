/* op_model.c: see op_model.h. */
#include "device/emulated/exec/op_model.h"

enum op_model op_model_of(const struct op *op)
{
    static const uint8_t models[OP_CODE_COUNT] = {
#define VECTOR_OP(name, ...) [OP_##name] = MODEL_SETS,
#include "device/emulated/arithmetic/vector_ops.def"
#undef VECTOR_OP
#define COMPARE_OP(name, ...) [OP_##name] = MODEL_DECIDES,
#include "device/emulated/arithmetic/compare_ops.def"
#undef COMPARE_OP
#define SCALAR_OP(name, ...) [OP_##name] = MODEL_SETS,
#include "device/emulated/arithmetic/scalar_ops.def"
#undef SCALAR_OP
#define DIRECTED_OP(name, ...) [OP_##name] = MODEL_SETS,
#include "device/emulated/arithmetic/directed_ops.def"
#undef DIRECTED_OP
        [OP_PRED_MOV] = MODEL_DECIDES,  [OP_PRED_NOT] = MODEL_DECIDES,
        [OP_PRED_AND] = MODEL_DECIDES,  [OP_PRED_OR] = MODEL_DECIDES,
        [OP_PRED_XOR] = MODEL_DECIDES,  [OP_SELECT_32] = MODEL_SETS,
        [OP_SELECT_64] = MODEL_SETS,    [OP_CONVERT] = MODEL_SETS,
        [OP_EXTREME] = MODEL_SETS,      [OP_LOAD_32] = MODEL_FETCHES,
        [OP_LOAD_64] = MODEL_FETCHES,   [OP_LOAD_ANY] = MODEL_FETCHES,
        [OP_CLOCK] = MODEL_FETCHES,     [OP_ATOMIC] = MODEL_FETCHES,
        [OP_MBARRIER] = MODEL_FETCHES,  [OP_STORE_32] = MODEL_NOTHING,
        [OP_STORE_64] = MODEL_NOTHING,  [OP_STORE_ANY] = MODEL_NOTHING,
        [OP_NOTHING] = MODEL_NOTHING,   [OP_FENCE] = MODEL_NOTHING,
        [OP_ORDER] = MODEL_NOTHING,     [OP_YIELD] = MODEL_NOTHING,
        [OP_BRANCH] = MODEL_GOES,       [OP_BRANCH_TABLE] = MODEL_GOES,
        [OP_BARRIER] = MODEL_FETCHES,   [OP_WARP_SYNC] = MODEL_FETCHES,
        [OP_LIBDEVICE] = MODEL_NOTHING, [OP_ELEMENT_ADDRESS] = MODEL_SETS,
    };

    enum op_model model = (enum op_model)models[op->code];
    bool is_fixed = op->space == PTX_SPACE_CONST || op->space == PTX_SPACE_PARAM;
    bool is_load = op->code == OP_LOAD_32 || op->code == OP_LOAD_64 ||
                   (op->code == OP_LOAD_ANY && op->count == 1);
    return is_load && is_fixed ? MODEL_SETS : model;
}

size_t op_list_next(const struct kernel_code *code, uint32_t at, size_t room, uint32_t *out)
{
    const struct op *op = &code->ops[at];
    bool is_last = op->code == OP_BRANCH || op->code == OP_EXIT || op->code == OP_RETURN;
    size_t count = 0;

    if (op->code == OP_BRANCH_TABLE) {
        for (; count < op->target && count < room; count++) {
            out[count] = code->targets[op->pattern + count];
        }
    } else if (op->code == OP_BRANCH) {
        out[count++] = op->target;
    }
    if ((!is_last || (op->flags & OP_GUARDED) != 0) && at + 1 < code->op_count && count < room) {
        out[count++] = at + 1;
    }
    return count;
}
