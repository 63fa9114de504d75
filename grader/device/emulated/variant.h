/* variant.h: names of what is compiled once for each kind of processor.
 *
 * vector_handlers.c, memory_handlers.c, tensor_rows.c and warp_loop.c are built several times
 * (CMakeLists.txt), each time with other processor flags and with WARP_VARIANT set to another name.
 * The caller has checked that the processor supports it (warp_variants.c).
 */
#ifndef GPUGRADE_DEVICE_EMULATED_VARIANT_H
#define GPUGRADE_DEVICE_EMULATED_VARIANT_H

#include "device/emulated/machine.h"

#ifndef WARP_VARIANT
#define WARP_VARIANT baseline
#endif
#define VARIANT_JOIN(name, variant) name##_##variant
#define VARIANT_NAME(name, variant) VARIANT_JOIN(name, variant)
#define VARIANT(name) VARIANT_NAME(name, WARP_VARIANT)

/* Runs the lanes in any order: no lane reads what another one writes. */
#ifdef __clang__
#define EACH_LANE                                                                                  \
    _Pragma("clang loop vectorize(assume_safety)") for (unsigned i = 0; i < LANES; i++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned i = 0; i < LANES; i++)
#endif

/* Handlers by code; NULL where another file has them. */
extern op_handler *const VARIANT(vector_handlers)[OP_CODE_COUNT];
extern op_handler *const VARIANT(memory_handlers)[OP_CODE_COUNT];

/* The handler of a code, wherever it is. */
op_handler *VARIANT(warp_handler)(uint16_t code);

/* The chains of ops that have their own: by code, and of a load or a store; NULL elsewhere. */
extern op_chain *const VARIANT(vector_chains)[OP_CODE_COUNT];
op_chain *VARIANT(memory_chain)(const struct op *op);

/* Makes the chains of the ops of a finished kernel. */
void VARIANT(warp_link)(struct op *ops, size_t count);

/* Goes on in a chain after `op`. It has to be the last thing that its caller does: then it is a
 * jump. */
static inline const struct op *chain_after(struct warp *warp, const struct op *op)
{
    return (op + 1)->chain(warp, op + 1);
}

/* The tensor_rows of struct warp_variant. */
bool VARIANT(tensor_rows)(const struct tensor_product *product, const struct tensor_format *format,
                          const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d);

/* Runs a warp until it is suspended. */
void VARIANT(warp_run)(struct warp *warp);

#endif
