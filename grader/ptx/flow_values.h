/* flow_values.h: which registers of PTX are values that need a register of the machine. Private to
 * ptx/.
 *
 *   same_as     a copy, a sum with a constant that only addresses use, and a product that only sums
 *               use are no values of their own: the machine adds and multiplies on the way
 *   is_free     constants, kernel parameters and what copies them are read where they are needed
 *   is_varying  not known to be the same in all threads of a block
 *   is_wide     more than the low 32 bits are needed: an address in shared memory has no more
 */
#ifndef GPUGRADE_PTX_FLOW_VALUES_H
#define GPUGRADE_PTX_FLOW_VALUES_H

#include "ptx/ptx.h"

struct flow_definition {
    uint32_t write_count;
    int32_t same_as; /* the register whose value it has; itself if none */
    bool is_free, is_varying, is_wide;
    bool is_other_use;           /* it is read as something else than the base of an address */
    uint32_t uses, uses_by_sums; /* of these, those that can take a product in */
};

/* Called for each register that an instruction writes, or reads. */
typedef void flow_visitor(void *context, size_t instruction, int32_t reg, bool is_base);

/* Visits what an instruction writes (lists of a call included), or what it reads. */
void flow_visit(const struct ptx_function *function, size_t instruction, bool writes,
                flow_visitor *visitor, void *context);

/* True if an operand is written: by its place and the forms of opcodes.def. */
bool flow_is_destination(const struct ptx_instruction *instruction, size_t place);

/* Fills definitions[function->register_count]. On newer GPUs pointers among the parameters are
 * loaded into registers: `loads_pointers`. */
void flow_definitions_find(struct arena *arena, const struct ptx_function *function,
                           bool loads_pointers, struct flow_definition *definitions);

/* The register whose value a register has. Chains become shorter as they are followed. */
int32_t flow_root(struct flow_definition *definitions, int32_t reg);

#endif
