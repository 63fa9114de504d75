/* first_registers.h: the registers that a kernel had in the first build of its program.
 *
 * If each case has its own build, sizes are constants in the code, and ptxas may give the same
 * kernel a few more registers for one size than for another. A program may choose its block width
 * by the registers of its kernels. So all builds get the first build's answer. Otherwise the block
 * width of the first build would hold in some cases only.
 */
#ifndef GPUGRADE_SESSION_FIRST_REGISTERS_H
#define GPUGRADE_SESSION_FIRST_REGISTERS_H

#include "model/observation.h"

/* The registers that kernel number `kernel` of a module had in the first build. It is found by its
 * mangled name. The mangled name of a template contains the sizes that are its arguments; then it
 * is found by its position among the kernels with the same plain name, if both builds have equally
 * many of them. 0: not found. */
uint32_t first_registers(const struct program_build *first, const struct kernel_resources *kernels,
                         size_t count, size_t kernel);

#endif
