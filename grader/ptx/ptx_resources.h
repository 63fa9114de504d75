/* ptx_resources.h: what a kernel needs on a GPU, from its PTX alone.
 *
 * An assembler chooses registers: PTX has as many as it likes. Without one they are estimated, by
 * the values that live at once and by what makes an assembler hoist loads or unroll loops, as an
 * interval. Its bounds are fitted to CUDA 13.0's ptxas for 7.5, 8.0, 8.6, 9.0 and 12.0; others have
 * those of the capability before. tests/bench/results.md says how many kernels they hold, and how
 * wide they are.
 */
#ifndef GPUGRADE_PTX_PTX_RESOURCES_H
#define GPUGRADE_PTX_PTX_RESOURCES_H

#include "ptx/ptx.h"

struct ptx_resources {
    uint32_t registers_least, registers_most; /* of a thread, 4 to 255 */
    uint32_t static_shared_bytes; /* declared .shared that the kernel names, or what it calls */
    uint32_t local_bytes;         /* declared .local; an assembler may need more, or less */
    uint32_t constant_bytes;      /* what the runtime puts there, parameters, declared .const */
    uint32_t max_threads;         /* product of .maxntid or .reqntid; 0: none */
};

/* What the estimates of all kernels of a module may cost: about a second. */
enum { PTX_RESOURCES_WORK = 1 << 29 };

/* Estimates for one kernel with a body, on GPUs of a compute capability. *work_left, at first
 * PTX_RESOURCES_WORK for a module, is charged for it. A kernel that is too large to examine, or for
 * which no work is left, has the widest interval, and all shared variables of the module if it
 * calls a function. */
void ptx_resources_estimate(const struct ptx_module *module, const struct ptx_function *kernel,
                            uint32_t compute_major, uint32_t compute_minor, uint64_t *work_left,
                            struct ptx_resources *out_resources);

#endif
