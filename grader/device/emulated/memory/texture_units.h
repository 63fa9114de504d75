/* texture_units.h: the ops that read textures, and read and write surfaces, by all lanes at once.
 *
 * What they read and write are accesses to global memory, one for each texel with a weight. They
 * are checked, counted and watched like those of other ops (access_check.h).
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_TEXTURE_UNITS_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_TEXTURE_UNITS_H

#include "device/emulated/machine.h"

/* Slots of 32 bits from op->slot[TEXTURE_ARGUMENTS] on, one after the other. */
enum texture_argument {
    TEXTURE_LAYER,
    TEXTURE_AT,                     /* x, y, z: floats; integers of a fetch or a surface */
    TEXTURE_LEVEL = TEXTURE_AT + 3, /* a float, or gradients by x and by y: three floats each */
    TEXTURE_ARGUMENT_COUNT = TEXTURE_LEVEL + 6
};

/* Which slot of an op leads to them; SLOT_ADDRESS is the object, the others are the data. */
enum { TEXTURE_ARGUMENTS = 5 };

/* Handlers of OP_TEXTURE, OP_SURFACE_LOAD and so on. op->target is the enum ptx_geometry, op->kind
 * the enum ptx_suboperation of the instruction. A query has its result in slot 0, its level in
 * slot 1, and accesses no texels. */
void texture_run(struct warp *warp, const struct op *op, uint32_t mask);
void surface_load_run(struct warp *warp, const struct op *op, uint32_t mask);
void surface_store_run(struct warp *warp, const struct op *op, uint32_t mask);
void surface_reduce_run(struct warp *warp, const struct op *op, uint32_t mask);
void texture_query_run(struct warp *warp, const struct op *op, uint32_t mask);

#endif
