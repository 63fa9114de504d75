/* register_estimates.c: what is estimated for the registers of kernels, and from what. For
 * registers.py.
 *
 *   register_estimates PTX...
 *
 * prints a line for each kernel and each GPU, columns as in `heading`. Files that are no PTX are
 * left out. */
#include "base/file.h"
#include "ptx/kernel_shape.h"
#include "ptx/ptx_resources.h"
#include "ptx/register_pressure.h"

#include <inttypes.h>
#include <stdio.h>

static const char heading[] = "file\tkernel\tgpu\tleast\tmost\tlisted\tlisted_kept\tunrolled\t"
                              "unrolled_kept\tearly\tearly_kept\twritten\tinstructions\t"
                              "local_bytes\tloop\tsteps\tlong_steps\tcall\toutside_call\n";

static const struct {
    uint32_t major, minor;
    bool loads_pointers;
} gpus[] = {{7, 5, false}, {8, 0, false}, {8, 6, false}, {9, 0, true}, {12, 0, true}};

static void print_pressure(const struct register_pressure *pressure)
{
    const struct pressure *orders[] = {&pressure->listed, &pressure->unrolled, &pressure->early};

    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        printf("\t%" PRIu32 "\t%" PRIu32, orders[i]->live, orders[i]->kept);
    }
    printf("\t%" PRIu32, pressure->written);
}

static void print_shape(const struct kernel_shape *shape, const struct ptx_resources *resources)
{
    printf("\t%" PRIu32 "\t%" PRIu32, shape->instructions, resources->local_bytes);
    printf("\t%d\t%d\t%d\t%d\t%d\n", shape->has_loop, shape->has_steps, shape->has_long_steps,
           shape->has_call, shape->has_outside_call);
}

static void print_kernel(const char *path, const struct ptx_module *module,
                         const struct ptx_function *kernel)
{
    for (size_t g = 0; g < sizeof gpus / sizeof gpus[0]; g++) {
        struct arena *arena = arena_new();
        uint64_t work = PTX_RESOURCES_WORK;
        struct register_pressure pressure = {.written = 0};
        struct kernel_shape shape;
        struct kernel_flow flow;
        struct ptx_resources resources;

        kernel_flow_make(arena, kernel, gpus[g].loads_pointers, &flow);
        if (register_pressure_find(arena, &flow, &work, &pressure)) {
            kernel_shape_find(module, &flow, &shape);
            work = PTX_RESOURCES_WORK;
            ptx_resources_estimate(module, kernel, gpus[g].major, gpus[g].minor, &work, &resources);
            printf("%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32, path, kernel->name,
                   gpus[g].major * 10 + gpus[g].minor, resources.registers_least,
                   resources.registers_most);
            print_pressure(&pressure);
            print_shape(&shape, &resources);
        } else {
            printf("%s\t%s\t%" PRIu32 "\t4\t255\n", path, kernel->name,
                   gpus[g].major * 10 + gpus[g].minor);
        }
        arena_free(arena);
    }
}

int main(int count, char **arguments)
{
    fputs(heading, stdout);
    for (int i = 1; i < count; i++) {
        struct arena *arena = arena_new();
        struct diagnostic diagnostic = {.blame = BLAME_NONE};
        const struct ptx_module *module;
        char *text;
        size_t length;
        if (file_read(arena, arguments[i], PTX_TEXT_BYTES_MAX, BLAME_GRADER, &text, &length,
                      &diagnostic) == ERROR_NONE &&
            ptx_parse(arena, text, length, &module, &diagnostic) == ERROR_NONE) {
            for (size_t k = 0; k < module->function_count; k++) {
                if (module->functions[k].is_entry && !module->functions[k].is_declaration) {
                    print_kernel(arguments[i], module, &module->functions[k]);
                }
            }
        }
        arena_free(arena);
    }
    return 0;
}
