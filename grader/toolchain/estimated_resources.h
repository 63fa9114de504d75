/* estimated_resources.h: what the kernels of a module need, where there is no ptxas to say it. */
#ifndef GPUGRADE_TOOLCHAIN_ESTIMATED_RESOURCES_H
#define GPUGRADE_TOOLCHAIN_ESTIMATED_RESOURCES_H

#include "toolchain/toolchain.h"

/* A kernel of unknown registers could be launched as no GPU would: what has more kernels
 * than are read is not taken at all. */
enum { MODULE_KERNELS_MAX = 4096 };
#define MODULE_KERNELS_TEXT                                                                        \
    "the program has more than %d kernels; instantiate only those that are launched"

/* Fills a module from its PTX [length] alone: registers are intervals (ptx/ptx_resources.h), and
 * there is no image. The device gets the middle of an interval, but no number that costs threads if
 * the interval has one that does not. Everything lives in the arena. Errors: ERROR_FAILED (the PTX
 * is none, or ptxas would refuse it: too many kernels, too much shared memory, a function
 * without a definition, an instruction of newer GPUs than the module is for). */
enum error estimated_resources(struct arena *arena, const char *ptx, size_t length,
                               uint32_t compute_major, uint32_t compute_minor,
                               struct assembled_module *out_module, struct diagnostic *diagnostic);

/* If the PTX calls a function without a definition, says so as above, with the place of the call.
 */
void estimated_unresolved(struct arena *arena, const char *ptx, size_t length,
                          struct diagnostic *diagnostic);

#endif
