/* first_registers.c: see first_registers.h. */
#include "session/first_registers.h"

#include <string.h>

static size_t count_named(const struct kernel_resources *kernels, size_t count,
                          const char *plain_name)
{
    size_t named = 0;

    for (size_t i = 0; i < count; i++) {
        named += strcmp(kernels[i].plain_name, plain_name) == 0 ? 1 : 0;
    }
    return named;
}

/* Registers of the kernel with `before` others of its plain name in front of it. */
static uint32_t registers_in_place(const struct program_build *first, const char *plain_name,
                                   size_t before)
{
    for (size_t i = 0; i < first->kernel_count; i++) {
        if (strcmp(first->kernels[i].plain_name, plain_name) == 0 && before-- == 0) {
            return first->kernels[i].registers;
        }
    }
    return 0;
}

uint32_t first_registers(const struct program_build *first, const struct kernel_resources *kernels,
                         size_t count, size_t kernel)
{
    const char *plain_name = kernels[kernel].plain_name;

    for (size_t i = 0; i < first->kernel_count; i++) {
        if (strcmp(first->kernels[i].name, kernels[kernel].name) == 0) {
            return first->kernels[i].registers;
        }
    }
    if (count_named(kernels, count, plain_name) !=
        count_named(first->kernels, first->kernel_count, plain_name)) {
        return 0;
    }
    return registers_in_place(first, plain_name, count_named(kernels, kernel, plain_name));
}
