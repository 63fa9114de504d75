/* kernel_registers.c: see kernel_registers.h. */
#include "criteria/kernel_registers.h"

#include <inttypes.h>

enum { UNIT = 8 };

struct register_range register_range_of(const struct kernel_resources *resources)
{
    if (resources->registers_most == 0) {
        return (struct register_range){resources->registers, resources->registers};
    }
    return (struct register_range){resources->registers_least, resources->registers_most};
}

uint32_t register_range_next(uint32_t registers)
{
    return (registers + UNIT - 1) / UNIT * UNIT + 1;
}

void register_range_add(const struct register_range *range, struct arena *arena, const char *key,
                        struct verdict *verdict)
{
    if (range->least == range->most) {
        verdict_add_integer(verdict, arena_printf(arena, "%sregisters", key), range->most);
        return;
    }
    verdict_add_integer(verdict, arena_printf(arena, "%sregisters_least", key), range->least);
    verdict_add_integer(verdict, arena_printf(arena, "%sregisters_most", key), range->most);
}

const char *register_range_text(const struct register_range *range, struct arena *arena)
{
    return range->least == range->most
               ? arena_printf(arena, "%" PRIu32 " registers", range->most)
               : arena_printf(arena, "about %" PRIu32 " to %" PRIu32 " registers", range->least,
                              range->most);
}
