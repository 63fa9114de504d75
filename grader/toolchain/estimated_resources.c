/* estimated_resources.c: see estimated_resources.h. */
#include "toolchain/estimated_resources.h"

#include "ptx/ptx_resources.h"
#include "ptx/ptx_target.h"

#include <string.h>

/* With so many registers each, threads fill a multiprocessor; or the largest block still fits. */
static const uint32_t usual_limits[] = {32, 64};

/* Of all GPU models; more takes dynamic shared memory (CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability"). */
enum { STATIC_SHARED_BYTES_MAX = 48 << 10 };

/* The one number that the device gets: the middle, but none that costs threads if the interval
 * has one that does not. */
static uint32_t told_registers(const struct ptx_resources *resources)
{
    const uint32_t middle = (resources->registers_least + resources->registers_most) / 2;

    for (size_t i = 0; i < sizeof usual_limits / sizeof usual_limits[0]; i++) {
        if (resources->registers_least <= usual_limits[i]) {
            return middle < usual_limits[i] ? middle : usual_limits[i];
        }
    }
    return resources->registers_least;
}

static struct kernel_resources resources_of(struct arena *arena, const char *name,
                                            const struct ptx_resources *resources)
{
    return (struct kernel_resources){
        .name = arena_strdup(arena, name),
        .plain_name = toolchain_plain_name(arena, name),
        .registers = told_registers(resources),
        .registers_least = resources->registers_least,
        .registers_most = resources->registers_most,
        .static_shared_bytes = resources->static_shared_bytes,
        .local_bytes = resources->local_bytes,
        .constant_bytes = resources->constant_bytes,
        .max_threads = resources->max_threads,
    };
}

/* Functions that a GPU's own runtime has, or libdevice. */
static bool is_of_the_runtime(const char *name)
{
    static const char *const names[] = {"vprintf", "malloc", "free", "cudaGraphSetConditional"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return strncmp(name, "__", 2) == 0;
}

/* Refuses what stands at an instruction; its file is named without folders. */
static void refuse_at(const struct ptx_module *parsed, const struct ptx_instruction *instruction,
                      const char *message, struct diagnostic *diagnostic)
{
    const struct ptx_location *place = &parsed->locations[instruction->location];
    const char *file = parsed->files[place->file];
    const char *slash = strrchr(file, '/');

    diagnostic_set_at(diagnostic, BLAME_STUDENT, slash == NULL ? file : slash + 1, (int)place->line,
                      (int)place->column, "%s", message);
}

/* Refuses a call of a function without a definition, in ptxas's words. */
static enum error check_calls(struct arena *arena, const struct ptx_module *parsed,
                              const struct ptx_function *function, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (instruction->opcode != PTX_OP_CALL ||
            instruction->operands[0].kind != PTX_OPERAND_FUNCTION) {
            continue;
        }
        const struct ptx_function *callee = &parsed->functions[instruction->operands[0].symbol];
        if (callee->is_declaration && !is_of_the_runtime(callee->name)) {
            refuse_at(parsed, instruction,
                      arena_printf(arena, "Unresolved extern function '%s'", callee->name),
                      diagnostic);
            return ERROR_FAILED;
        }
    }
    return ERROR_NONE;
}

/* Refuses an instruction that the module's target does not have, in ptxas's words. */
static enum error check_target(struct arena *arena, const struct ptx_module *parsed,
                               const struct ptx_function *function, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const char *feature;
        unsigned needed = ptx_target_needed(instruction, &feature);
        if (needed > parsed->target) {
            refuse_at(parsed, instruction,
                      arena_printf(arena, "Feature '%s' requires .target sm_%u or higher", feature,
                                   needed),
                      diagnostic);
            return ERROR_FAILED;
        }
    }
    return ERROR_NONE;
}

/* Refuses a kernel whose static arrays do not fit, in ptxas's words. */
static enum error check_shared(const struct ptx_function *kernel,
                               const struct ptx_resources *resources, struct diagnostic *diagnostic)
{
    if (resources->static_shared_bytes <= STATIC_SHARED_BYTES_MAX) {
        return ERROR_NONE;
    }
    diagnostic_set(diagnostic, BLAME_STUDENT,
                   "Entry function '%s' uses too much shared data (0x%x bytes, 0x%x max)",
                   kernel->name, (unsigned)resources->static_shared_bytes,
                   (unsigned)STATIC_SHARED_BYTES_MAX);
    return ERROR_FAILED;
}

static enum error estimate_all(struct arena *arena, const struct ptx_module *parsed,
                               uint32_t compute_major, uint32_t compute_minor,
                               struct assembled_module *out_module, struct diagnostic *diagnostic)
{
    struct kernel_resources *kernels = NULL;
    size_t capacity = 0;
    size_t count = 0;
    uint64_t work_left = PTX_RESOURCES_WORK;

    for (size_t i = 0; i < parsed->function_count; i++) {
        const struct ptx_function *function = &parsed->functions[i];
        struct ptx_resources resources;
        enum error error = check_calls(arena, parsed, function, diagnostic);
        if (error == ERROR_NONE) {
            error = check_target(arena, parsed, function, diagnostic);
        }
        if (error == ERROR_NONE && (!function->is_entry || function->is_declaration)) {
            continue;
        }
        if (error != ERROR_NONE) {
            return error;
        }
        if (count == MODULE_KERNELS_MAX) {
            diagnostic_set(diagnostic, BLAME_STUDENT, MODULE_KERNELS_TEXT, MODULE_KERNELS_MAX);
            return ERROR_FAILED;
        }
        ptx_resources_estimate(parsed, function, compute_major, compute_minor, &work_left,
                               &resources);
        error = check_shared(function, &resources, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        arena_grow(arena, &kernels, &capacity, count + 1, sizeof *kernels);
        kernels[count++] = resources_of(arena, function->name, &resources);
    }
    *out_module = (struct assembled_module){.kernels = kernels, .kernel_count = count};
    return ERROR_NONE;
}

enum error estimated_resources(struct arena *arena, const char *ptx, size_t length,
                               uint32_t compute_major, uint32_t compute_minor,
                               struct assembled_module *out_module, struct diagnostic *diagnostic)
{
    struct arena *scratch = arena_new();
    const struct ptx_module *parsed;
    struct diagnostic reason = {0};
    enum error error = ptx_parse(scratch, ptx, length, &parsed, &reason);

    if (error != ERROR_NONE) {
        diagnostic_set(diagnostic, BLAME_STUDENT, "the device code cannot be read: %s",
                       reason.message);
        error = ERROR_FAILED;
    } else {
        error = estimate_all(arena, parsed, compute_major, compute_minor, out_module, diagnostic);
    }
    arena_free(scratch);
    return error;
}

void estimated_unresolved(struct arena *arena, const char *ptx, size_t length,
                          struct diagnostic *diagnostic)
{
    struct arena *scratch = arena_new();
    const struct ptx_module *parsed;
    enum error error = ptx_parse(scratch, ptx, length, &parsed, NULL);

    for (size_t i = 0; error == ERROR_NONE && i < parsed->function_count; i++) {
        error = check_calls(arena, parsed, &parsed->functions[i], diagnostic);
    }
    arena_free(scratch);
}
