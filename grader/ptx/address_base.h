/* address_base.h: the pointer that the address of an access is made of. */
#ifndef GPUGRADE_PTX_ADDRESS_BASE_H
#define GPUGRADE_PTX_ADDRESS_BASE_H

#include "ptx/ptx.h"

/* The parameters of one launch of a kernel, [function->parameter_bytes]. */
struct kernel_arguments {
    const uint8_t *bytes;
    bool (*is_pointer)(const void *context, uint64_t value); /* a value of 8 bytes */
    const void *context;
};

/* Sets for each register of a kernel the pointer among the parameters that all of its values are
 * made of, by copies, selections and sums with numbers; 0 where there is none, or that is not
 * certain. The work is linear in the instructions. */
void address_bases_find(const struct ptx_function *function,
                        const struct kernel_arguments *parameters, uint64_t *out_bases);

/* The one that an instruction's only address is made of; 0: none, or not certain. */
uint64_t address_base_of(const struct ptx_function *function,
                         const struct ptx_instruction *instruction, const uint64_t *bases);

#endif
