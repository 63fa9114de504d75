/* code_index.c: PTX modules to the few facts that sessions need; see code_index.h. */
#include "toolchain/code_index.h"

#include "base/header_folder.h"
#include "base/text.h"
#include "ptx/ptx.h"
#include "toolchain/toolchain.h"

#include <string.h>

static const struct code_parameter *read_parameters(struct arena *arena,
                                                    const struct ptx_function *function)
{
    struct code_parameter *parameters =
        arena_array(arena, function->parameter_count, sizeof *parameters);

    for (size_t i = 0; i < function->parameter_count; i++) {
        parameters[i].offset = function->parameters[i].offset;
        parameters[i].bytes = function->parameters[i].bytes;
    }
    return parameters;
}

/* How many instructions of called functions are looked at for all kernels of a module. */
enum { CALLED_INSTRUCTIONS_MAX = 1 << 26, NAME_BYTES_MAX = 1024 /* that intake takes */ };

/* Static shared memory that is being added up. A variable that several functions name lies in the
 * module; one that a single function names lies in that function. What was met for a kernel has
 * its number, from 1. */
struct shared_sum {
    const struct ptx_module *module;
    size_t number;
    size_t *functions; /* [function_count] of the module: by which kernel it was reached last */
    size_t *variables; /* [variable_count] of the module: for which kernel it was counted last */
    size_t *waiting;   /* [function_count]: reached, and still to be looked at */
    size_t waiting_count;
    size_t left; /* instructions of called functions that may still be looked at */
    uint64_t bytes;
};

static void add_variable(struct shared_sum *sum, const struct ptx_variable *variable)
{
    uint64_t alignment = variable->alignment > 0 ? variable->alignment : 1;

    if (variable->space == PTX_SPACE_SHARED && !variable->is_extern) {
        sum->bytes = (sum->bytes + alignment - 1) / alignment * alignment + variable->bytes;
    }
}

static void reach_function(struct shared_sum *sum, size_t function)
{
    size_t length = sum->module->functions[function].instruction_count;

    if (sum->functions[function] != sum->number && length <= sum->left) {
        sum->functions[function] = sum->number;
        sum->waiting[sum->waiting_count++] = function;
        sum->left -= length;
    }
}

static void add_operand(struct shared_sum *sum, const struct ptx_operand *operand)
{
    if (operand->symbol < 0) {
        return;
    }
    size_t symbol = (size_t)operand->symbol;
    if (operand->scope == PTX_SCOPE_CODE) {
        reach_function(sum, symbol);
    } else if (operand->scope == PTX_SCOPE_MODULE && sum->variables[symbol] != sum->number) {
        sum->variables[symbol] = sum->number;
        add_variable(sum, &sum->module->variables[symbol]);
    }
}

static void add_function(struct shared_sum *sum, const struct ptx_function *function)
{
    for (size_t i = 0; i < function->variable_count; i++) {
        add_variable(sum, &function->variables[i]);
    }
    for (size_t i = 0; i < function->instruction_count; i++) {
        for (size_t j = 0; j < function->instructions[i].operand_count; j++) {
            add_operand(sum, &function->instructions[i].operands[j]);
        }
    }
    for (size_t i = 0; i < function->element_count; i++) {
        add_operand(sum, &function->elements[i]);
    }
}

static uint32_t static_shared_bytes(struct shared_sum *sum, size_t kernel)
{
    sum->number++;
    sum->bytes = 0;
    sum->functions[kernel] = sum->number;
    add_function(sum, &sum->module->functions[kernel]);
    while (sum->waiting_count > 0) {
        add_function(sum, &sum->module->functions[sum->waiting[--sum->waiting_count]]);
    }
    return sum->bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)sum->bytes;
}

/* Where an instruction stands in its kernel, whatever was inlined there. */
static const struct ptx_location *own_location(const struct ptx_module *module, uint32_t location)
{
    while (module->locations[location].inlined_at != 0) {
        location = module->locations[location].inlined_at;
    }
    return &module->locations[location];
}

/* Needs the names of files. Code without lines is nobody's. */
static bool is_library(const struct ptx_module *module, const struct ptx_function *function,
                       const char *const *files)
{
    bool has_lines = false;

    for (size_t i = 0; i < function->instruction_count; i++) {
        uint32_t file = own_location(module, function->instructions[i].location)->file;
        if (file != 0 && files[file][0] != '\0') {
            return false;
        }
        has_lines = has_lines || file != 0;
    }
    return has_lines;
}

static void read_kernels(struct arena *arena, const struct ptx_module *module,
                         const struct source_naming *naming, struct code_module *out_module)
{
    struct code_kernel *kernels = arena_array(arena, module->function_count, sizeof *kernels);
    struct shared_sum sum = {
        .module = module,
        .functions = arena_array(arena, module->function_count, sizeof *sum.functions),
        .variables = arena_array(arena, module->variable_count, sizeof *sum.variables),
        .waiting = arena_array(arena, module->function_count, sizeof *sum.waiting),
        .left = CALLED_INSTRUCTIONS_MAX,
    };
    size_t count = 0;

    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = &module->functions[i];
        if (!function->is_entry) {
            continue;
        }
        kernels[count].name = function->name;
        kernels[count].plain_name = toolchain_plain_name(arena, function->name);
        kernels[count].parameters = read_parameters(arena, function);
        kernels[count].parameter_count = function->parameter_count;
        kernels[count].static_shared_bytes = static_shared_bytes(&sum, i);
        kernels[count].is_library =
            naming->folder != NULL && is_library(module, function, out_module->files);
        count++;
    }
    out_module->kernels = kernels;
    out_module->kernel_count = count;
}

static const char *last_component(const char *name)
{
    const char *component = name;

    for (const char *at = strstr(name, "::"); at != NULL; at = strstr(component, "::")) {
        component = at + 2;
    }
    return component;
}

static void read_variables(struct arena *arena, const struct ptx_module *module,
                           struct code_module *out_module)
{
    struct code_variable *variables = arena_array(arena, module->variable_count, sizeof *variables);

    for (size_t i = 0; i < module->variable_count; i++) {
        const char *name = module->variables[i].name;
        variables[i].name = name;
        variables[i].plain_name = last_component(toolchain_plain_name(arena, name));
        variables[i].bytes = module->variables[i].bytes;
        variables[i].is_constant = module->variables[i].space == PTX_SPACE_CONST;
    }
    out_module->variables = variables;
    out_module->variable_count = module->variable_count;
}

/* What follows `folder` and a slash in a path; NULL if the path is not inside. */
static const char *path_inside(const char *path, const char *folder)
{
    size_t length = folder == NULL ? 0 : strlen(folder);

    if (length == 0 || strncmp(path, folder, length) != 0 || path[length] != '/') {
        return NULL;
    }
    return path + length + 1;
}

const char *code_source_name(const struct source_naming *naming, const char *file)
{
    const char *inside = path_inside(file, naming->folder);

    if (strlen(inside != NULL ? inside : file) > NAME_BYTES_MAX) {
        return "";
    }
    if (inside != NULL) {
        return inside;
    }
    bool is_system = path_inside(file, "/usr") != NULL ||
                     path_inside(file, CLANG_HEADERS) != NULL ||
                     path_inside(file, naming->toolkit) != NULL;
    return naming->keeps_outside && !is_system ? file : "";
}

static void read_files(struct arena *arena, const struct ptx_module *module,
                       const struct source_naming *naming, struct code_module *out_module)
{
    const char **files = arena_array(arena, module->file_count, sizeof *files);

    for (size_t i = 0; i < module->file_count; i++) {
        files[i] = code_source_name(naming, module->files[i]);
    }
    out_module->files = files;
    out_module->file_count = module->file_count;
}

static enum error read_index(struct arena *arena, const struct fat_program *program,
                             const struct source_naming *naming, struct code_index *out_index,
                             struct diagnostic *diagnostic)
{
    struct code_module *modules = arena_array(arena, program->module_count, sizeof *modules);

    for (size_t i = 0; i < program->module_count; i++) {
        const struct ptx_module *module = NULL;
        enum error error = ptx_parse(arena, program->modules[i].text, program->modules[i].length,
                                     &module, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        read_files(arena, module, naming, &modules[i]);
        read_kernels(arena, module, naming, &modules[i]);
        read_variables(arena, module, &modules[i]);
    }
    out_index->modules = modules;
    out_index->module_count = program->module_count;
    return ERROR_NONE;
}

enum error code_index_read(struct arena *arena, const struct fat_program *program,
                           const char *source_folder, struct code_index *out_index,
                           struct diagnostic *diagnostic)
{
    const struct source_naming naming = {.folder = source_folder};

    return read_index(arena, program, &naming, out_index, diagnostic);
}

enum error code_index_read_all(struct arena *arena, const struct fat_program *program,
                               const char *folder, const char *toolkit,
                               struct code_index *out_index, struct diagnostic *diagnostic)
{
    const struct source_naming naming = {
        .folder = folder, .keeps_outside = true, .toolkit = toolkit};

    return read_index(arena, program, &naming, out_index, diagnostic);
}
