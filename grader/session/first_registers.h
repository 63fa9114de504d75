/* first_registers.h: the registers that a kernel had in the first build of its program.
 *
 * Where each case has a build of its own, sizes are constants of the code, and ptxas gives the same
 * kernel a few registers more for one size than for another. What a program asks of its kernels, to
 * choose the block width of its blocks, is answered alike in all builds, or the block width that
 * the first build told would be that of some cases only.
 */
#ifndef GPUGRADE_SESSION_FIRST_REGISTERS_H
#define GPUGRADE_SESSION_FIRST_REGISTERS_H

#include "model/observation.h"

/* The registers in the first build of kernel number `kernel` of those of a module: of the kernel
 * with its mangled name, or else, since a template's name holds the sizes that are its arguments,
 * of the one in its place among those with its plain name, if there are as many here as there.
 * 0: there is none. */
uint32_t first_registers(const struct program_build *first, const struct kernel_resources *kernels,
                         size_t count, size_t kernel);

#endif
