/* kernel_registers.h: the registers that a thread of an observed kernel may need.
 *
 * ptxas says one number; without it there is an interval (model/observation.h). Where a verdict
 * depends on the registers, whatever some number of the interval gives is right:
 *
 *   for (uint32_t n = range.least; n <= range.most; n = register_range_next(n)) ...
 */
#ifndef GPUGRADE_CRITERIA_KERNEL_REGISTERS_H
#define GPUGRADE_CRITERIA_KERNEL_REGISTERS_H

#include "criteria/criteria_input.h"

struct register_range {
    uint32_t least, most; /* both 0: nothing is known */
};

struct register_range register_range_of(const struct kernel_resources *resources);

/* The next number for which a warp gets more registers than for this one: it gets them in units of
 * 8 a thread, so all numbers up to a multiple of 8 have the same occupancy. */
uint32_t register_range_next(uint32_t registers);

/* Adds KEYregisters, or KEYregisters_least and KEYregisters_most where they differ. KEY is "", or
 * a prefix with its dot. */
void register_range_add(const struct register_range *range, struct arena *arena, const char *key,
                        struct verdict *verdict);

/* "32 registers", or "about 30 to 34 registers". */
const char *register_range_text(const struct register_range *range, struct arena *arena);

#endif
