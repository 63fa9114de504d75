/* cuda_device.c: the backend `device_cuda`: a real GPU through the driver; launches are in
 * cuda_launch.c, timings in cuda_timing.c. */
#include "device/cuda/cuda_device.h"

#include "device/cuda/cuda_state.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ASSEMBLER_LOG_BYTES = 512 };

#define LOAD_NS UINT64_C(60000000000) /* for the driver, to assemble a module */

static void cuda_close(void *state)
{
    struct cuda_device *device = state;
    if (device->has_watchdog) {
        gpu_watchdog_release(&device->watchdog);
    }
    if (!device->is_dead) {
        if (device->kernels.module != NULL) {
            device->driver.module_unload(device->kernels.module);
        }
        for (size_t i = 0; i < device->module_count; i++) {
            device->driver.module_unload(device->modules[i].handle);
        }
        gpu_textures_release(&device->textures);
        gpu_memory_release(&device->memory);
        if (device->has_context) {
            device->driver.context_release(device->gpu);
        }
        driver_close(&device->driver);
    }
    free(device->memory.blocks);
    if (device->has_capture) {
        print_capture_release(&device->capture);
    }
    for (size_t i = 0; i < CAPTURE_STREAMS; i++) {
        text_release(&device->texts[i]);
    }
    arena_free(device->arena);
    free(device);
}

static enum error open_context(struct cuda_device *device, struct diagnostic *diagnostic)
{
    CUcontext context = NULL;
    CUresult result = device->driver.context_retain(&context, device->gpu);
    if (result == CUDA_SUCCESS) {
        device->has_context = true;
        result = device->driver.context_set(context);
    }
    if (result != CUDA_SUCCESS) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%s cannot be used (%s); another program may hold it: see nvidia-smi",
                       device->model.device_name, driver_error_name(&device->driver, result));
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}

enum error cuda_open(const char *library, const struct device_config *config, void **out_state,
                     struct diagnostic *diagnostic)
{
    struct cuda_device *device = calloc(1, sizeof *device);
    if (device == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "no memory for a device");
        return ERROR_ENVIRONMENT;
    }
    device->config = *config;
    device->arena = arena_new();
    for (size_t i = 0; i < CAPTURE_STREAMS; i++) {
        text_init(&device->texts[i]);
    }
    enum error error = driver_open(library, &device->driver, diagnostic);
    if (error == ERROR_NONE) {
        error = gpu_find(&device->driver, config->gpu, &device->gpu, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = gpu_describe(&device->driver, device->gpu, &device->model, diagnostic);
    }
    if (error == ERROR_NONE) {
        gpu_uuid(&device->driver, device->gpu, device->uuid);
        error = open_context(device, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = gpu_memory_init(&device->memory, &device->driver, device->gpu,
                                config->memory_limit_bytes, diagnostic);
    }
    device->textures.memory = &device->memory;
    if (error == ERROR_NONE) {
        error = print_capture_init(&device->capture, diagnostic);
        device->has_capture = error == ERROR_NONE;
    }
    if (error == ERROR_NONE) {
        error = gpu_watchdog_init(&device->watchdog, diagnostic);
        device->has_watchdog = error == ERROR_NONE;
    }
    if (error != ERROR_NONE) {
        cuda_close(device);
        return error;
    }
    *out_state = device;
    return ERROR_NONE;
}

static enum error cuda_open_driver(const struct device_config *config, void **out_state,
                                   struct diagnostic *diagnostic)
{
    return cuda_open(DRIVER_LIBRARY, config, out_state, diagnostic);
}

const struct gpu_model *cuda_model(const void *state)
{
    const struct cuda_device *device = state;
    return &device->model;
}

const char *cuda_uuid(const void *state)
{
    const struct cuda_device *device = state;
    return device->uuid;
}

/* cudaGraphSetConditional is a store: a handle is the address of its value
 * (cudart/runtime_condition.c). The driver's own function knows other handles, so the text gets one
 * in the place of the declaration. Returns the text itself if it declares none. */
static const char *define_set_conditional(struct arena *arena, const char *text)
{
    static const char declaration[] = ".extern .func cudaGraphSetConditional";
    const char *start = strstr(text, declaration);
    const char *end = start == NULL ? NULL : strchr(start, ';');

    if (end == NULL || (start[sizeof declaration - 1] != '(' &&
                        !isspace((unsigned char)start[sizeof declaration - 1]))) {
        return text;
    }
    return arena_printf(arena,
                        "%.*s.func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)\n"
                        "{\n.reg .b64 %%place;\n.reg .b32 %%word;\n"
                        "ld.param.b64 %%place, [handle];\nld.param.b32 %%word, [value];\n"
                        "st.global.b32 [%%place], %%word;\nret;\n}\n%s",
                        (int)(start - text), text, end + 1);
}

/* Hands the machine code to the driver, or the text if there is none. */
static enum error load_code(struct cuda_device *device, const char *text, const void *image,
                            CUmodule *out_handle, struct diagnostic *diagnostic)
{
    char log[ASSEMBLER_LOG_BYTES] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUresult result =
        device->driver.module_load(out_handle, image != NULL ? image : text, 2, options, values);
    log[sizeof log - 1] = '\0';
    if (result != CUDA_SUCCESS) {
        diagnostic_set(diagnostic, BLAME_STUDENT, "%s rejects the device code (%s) %s",
                       device->model.device_name, driver_error_name(&device->driver, result), log);
        return result == CUDA_ERROR_OUT_OF_MEMORY ? ERROR_LIMIT : ERROR_UNSUPPORTED;
    }
    return ERROR_NONE;
}

/* True if a variable of the text lies in memory that the host can name. */
static bool is_placed(const struct ptx_variable *variable)
{
    bool has_space = variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST;
    return has_space && !variable->is_extern && variable->bytes > 0;
}

/* Asks the driver where the variables lie, and keeps their values. Those that the assembler has
 * left out, because no kernel uses them, do not exist. */
static enum error find_variables(struct cuda_device *device, const struct ptx_module *ptx,
                                 struct cuda_module *module, struct diagnostic *diagnostic)
{
    module->variables =
        arena_array(device->arena, ptx->variable_count + 1, sizeof *module->variables);
    for (size_t i = 0; i < ptx->variable_count; i++) {
        const struct ptx_variable *text = &ptx->variables[i];
        CUdeviceptr address = 0;
        size_t bytes = 0;
        if (!is_placed(text) || device->driver.module_variable(&address, &bytes, module->handle,
                                                               text->name) != CUDA_SUCCESS) {
            continue;
        }
        bool is_constant = text->space == PTX_SPACE_CONST;
        enum error error =
            gpu_memory_add_variable(&device->memory, address, text->bytes, is_constant, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        struct cuda_variable *variable = &module->variables[module->variable_count];
        *variable = (struct cuda_variable){
            .name = text->name,
            .allocation = {address, text->bytes, true, is_constant},
            .initial = arena_alloc(device->arena, text->bytes),
        };
        if (bytes < text->bytes ||
            !gpu_memory_read(&device->memory, address, variable->initial, text->bytes)) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the variable %s cannot be read on the GPU",
                           text->name);
            return ERROR_INTERNAL;
        }
        module->variable_count++;
    }
    return ERROR_NONE;
}

/* The most threads that the text's launch bounds allow; 0: it has none. */
static uint32_t bound_of_threads(const struct ptx_function *function)
{
    const uint32_t *bounds =
        function->required_threads[0] != 0 ? function->required_threads : function->max_threads;
    uint64_t product = bounds[0];
    for (size_t i = 1; i < 3; i++) {
        product *= bounds[i] != 0 ? bounds[i] : 1;
        product = product > UINT32_MAX ? UINT32_MAX : product;
    }
    return (uint32_t)product;
}

static uint32_t attribute(const struct cuda_device *device, CUfunction function,
                          CUfunction_attribute name)
{
    int value = 0;
    bool is_known = device->driver.function_attribute(&value, name, function) == CUDA_SUCCESS;
    return is_known && value > 0 ? (uint32_t)value : 0;
}

static void describe(struct cuda_device *device, const struct ptx_function *text,
                     struct cuda_function *function)
{
    struct device_parameter *parameters =
        arena_array(device->arena, text->parameter_count + 1, sizeof *parameters);
    for (size_t i = 0; i < text->parameter_count; i++) {
        parameters[i] =
            (struct device_parameter){text->parameters[i].offset, text->parameters[i].bytes};
    }
    CUfunction handle = function->handle;
    function->info = (struct device_function_info){
        .name = text->name,
        .parameter_count = (uint32_t)text->parameter_count,
        .parameters = parameters,
        .parameter_bytes = text->parameter_bytes,
        .static_shared_bytes = attribute(device, handle, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
        .local_bytes = attribute(device, handle, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
        .constant_bytes = attribute(device, handle, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES),
        .max_threads = bound_of_threads(text),
        .registers = attribute(device, handle, CU_FUNC_ATTRIBUTE_NUM_REGS),
    };
    function->dynamic_limit =
        attribute(device, handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
}

static enum error find_functions(struct cuda_device *device, const struct ptx_module *ptx,
                                 struct cuda_module *module, struct diagnostic *diagnostic)
{
    module->functions =
        arena_array(device->arena, ptx->function_count + 1, sizeof *module->functions);
    for (size_t i = 0; i < ptx->function_count; i++) {
        const struct ptx_function *text = &ptx->functions[i];
        if (!text->is_entry || text->is_declaration) {
            continue;
        }
        struct cuda_function *function = &module->functions[module->function_count];
        CUresult result =
            device->driver.module_function(&function->handle, module->handle, text->name);
        if (result != CUDA_SUCCESS) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the code for the GPU has no kernel %s (%s)",
                           text->name, driver_error_name(&device->driver, result));
            return ERROR_INTERNAL;
        }
        describe(device, text, function);
        module->function_count++;
    }
    return ERROR_NONE;
}

enum error cuda_load_module(void *state, const char *ptx, size_t length, const void *image,
                            size_t image_bytes, uint32_t *out_module, struct diagnostic *diagnostic)
{
    struct cuda_device *device = state;
    const struct ptx_module *parsed;
    struct cuda_module module = {.handle = NULL};
    if (device->is_dead || (image != NULL && image_bytes == 0)) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "the module is empty, or its device has already failed");
        return ERROR_INTERNAL;
    }
    enum error error = ptx_parse(device->arena, ptx, length, &parsed, diagnostic);
    if (error == ERROR_NONE) {
        const char *text = arena_strndup(device->arena, ptx, length);
        const char *defined = define_set_conditional(device->arena, text);
        gpu_watchdog_arm(&device->watchdog, LOAD_NS);
        error =
            load_code(device, defined, defined == text ? image : NULL, &module.handle, diagnostic);
        gpu_watchdog_disarm(&device->watchdog);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    error = find_variables(device, parsed, &module, diagnostic);
    if (error == ERROR_NONE) {
        error = find_functions(device, parsed, &module, diagnostic);
    }
    /* Kept even if something is missing: its variables are known to the memory. */
    arena_grow(device->arena, &device->modules, &device->module_capacity, device->module_count + 1,
               sizeof *device->modules);
    device->modules[device->module_count++] = module;
    if (error == ERROR_NONE) {
        *out_module = (uint32_t)device->module_count - 1;
    }
    return error;
}

static enum error cuda_load_text(void *state, const char *ptx, size_t length, uint32_t *out_module,
                                 struct diagnostic *diagnostic)
{
    return cuda_load_module(state, ptx, length, NULL, 0, out_module, diagnostic);
}

static size_t cuda_function_count(void *state, uint32_t module)
{
    const struct cuda_device *device = state;
    return module < device->module_count ? device->modules[module].function_count : 0;
}

static bool cuda_function_info(void *state, uint32_t module, uint32_t function,
                               struct device_function_info *out_info)
{
    const struct cuda_function *found = cuda_find_function(state, module, function);
    if (found != NULL) {
        *out_info = found->info;
    }
    return found != NULL;
}

bool cuda_active_blocks(void *state, uint32_t module, uint32_t function, uint32_t block_threads,
                        uint64_t dynamic_shared_bytes, uint32_t *out_blocks)
{
    const struct cuda_device *device = state;
    const struct cuda_function *found = cuda_find_function(device, module, function);
    int blocks = 0;
    if (found == NULL || device->is_dead || block_threads > INT32_MAX ||
        device->driver.active_blocks(&blocks, found->handle, (int)block_threads,
                                     dynamic_shared_bytes) != CUDA_SUCCESS) {
        return false;
    }
    *out_blocks = (uint32_t)blocks;
    return true;
}

static bool cuda_variable(void *state, uint32_t module, const char *name,
                          struct device_allocation *out_variable)
{
    const struct cuda_device *device = state;
    for (size_t i = 0; module < device->module_count && i < device->modules[module].variable_count;
         i++) {
        const struct cuda_variable *variable = &device->modules[module].variables[i];
        if (strcmp(variable->name, name) == 0) {
            *out_variable = variable->allocation;
            return true;
        }
    }
    return false;
}

static void cuda_initialise(void *state)
{
    struct cuda_device *device = state;
    for (size_t i = 0; i < device->module_count && !device->is_dead; i++) {
        for (size_t k = 0; k < device->modules[i].variable_count; k++) {
            const struct cuda_variable *variable = &device->modules[i].variables[k];
            gpu_memory_write(&device->memory, variable->allocation.address, variable->initial,
                             variable->allocation.bytes);
        }
    }
}

static enum error check_alive(const struct cuda_device *device, struct diagnostic *diagnostic)
{
    if (device->is_dead) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "no memory can be allocated after a kernel has failed");
        return ERROR_LIMIT;
    }
    return ERROR_NONE;
}

static enum error cuda_allocate(void *state, uint64_t bytes, uint64_t *out_address,
                                struct diagnostic *diagnostic)
{
    struct cuda_device *device = state;
    enum error error = check_alive(device, diagnostic);
    return error == ERROR_NONE
               ? gpu_memory_allocate(&device->memory, bytes, out_address, diagnostic)
               : error;
}

static enum error cuda_allocate_again(void *state, uint64_t bytes, uint64_t address,
                                      struct diagnostic *diagnostic)
{
    struct cuda_device *device = state;
    enum error error = check_alive(device, diagnostic);
    return error == ERROR_NONE
               ? gpu_memory_allocate_again(&device->memory, bytes, address, diagnostic)
               : error;
}

static bool cuda_release(void *state, uint64_t address)
{
    struct cuda_device *device = state;
    if (!device->is_dead) {
        gpu_textures_before_free(&device->textures, address);
    }
    return !device->is_dead && gpu_memory_free(&device->memory, address);
}

static bool cuda_find(void *state, uint64_t address, struct device_allocation *out_allocation)
{
    struct cuda_device *device = state;
    const struct gpu_block *block = gpu_memory_find(&device->memory, address);
    if (block == NULL) {
        return false;
    }
    *out_allocation = (struct device_allocation){block->start, block->end - block->start,
                                                 block->is_module_variable, block->is_constant};
    return true;
}

static bool cuda_read(void *state, uint64_t address, void *out_bytes, size_t length)
{
    struct cuda_device *device = state;
    if (!device->is_dead) {
        gpu_textures_before_read(&device->textures, address, length);
    }
    return !device->is_dead && gpu_memory_read(&device->memory, address, out_bytes, length);
}

static bool cuda_write(void *state, uint64_t address, const void *bytes, size_t length)
{
    struct cuda_device *device = state;
    if (!device->is_dead) {
        gpu_textures_before_write(&device->textures, address, length);
        gpu_textures_note(&device->textures, address, bytes, length);
    }
    return !device->is_dead && gpu_memory_write(&device->memory, address, bytes, length);
}

static bool cuda_fill(void *state, uint64_t address, uint64_t length, uint32_t pattern,
                      size_t pattern_bytes)
{
    struct cuda_device *device = state;
    if (!device->is_dead) {
        gpu_textures_before_write(&device->textures, address, length);
    }
    return !device->is_dead &&
           gpu_memory_fill(&device->memory, address, length, pattern, pattern_bytes);
}

static bool cuda_copy(void *state, uint64_t to, uint64_t from, uint64_t length)
{
    struct cuda_device *device = state;
    if (!device->is_dead) {
        gpu_textures_before_read(&device->textures, from, length);
        gpu_textures_before_write(&device->textures, to, length);
    }
    return !device->is_dead && gpu_memory_copy(&device->memory, to, from, length);
}

static enum error cuda_snapshot(void *state, struct diagnostic *diagnostic)
{
    struct cuda_device *device = state;
    if (device->is_dead) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "no snapshot can be taken after a kernel has failed");
        return ERROR_LIMIT;
    }
    gpu_textures_before_read(&device->textures, DEVICE_WINDOW_START, DEVICE_WINDOW_BYTES);
    return gpu_memory_snapshot(&device->memory, diagnostic);
}

/* A GPU that cannot restore is as good as dead: nothing may run on what is left. */
static void cuda_restore(void *state)
{
    struct cuda_device *device = state;
    gpu_textures_forget(&device->textures);
    if (!device->is_dead && !gpu_memory_restore(&device->memory)) {
        device->is_dead = true;
        device->death = LAUNCH_FAULT;
    }
}

static void cuda_discard(void *state)
{
    struct cuda_device *device = state;
    if (!device->is_dead) {
        gpu_memory_discard(&device->memory);
    }
}

const struct device_backend device_cuda = {
    .name = "cuda",
    .open = cuda_open_driver,
    .close = cuda_close,
    .load_module = cuda_load_text,
    .function_count = cuda_function_count,
    .function_info = cuda_function_info,
    .variable = cuda_variable,
    .initialise = cuda_initialise,
    .allocate = cuda_allocate,
    .allocate_again = cuda_allocate_again,
    .release = cuda_release,
    .find = cuda_find,
    .read = cuda_read,
    .write = cuda_write,
    .fill = cuda_fill,
    .copy = cuda_copy,
    .snapshot = cuda_snapshot,
    .restore = cuda_restore,
    .discard = cuda_discard,
    .launch = cuda_launch,
    .time = cuda_time,
    .active_blocks = cuda_active_blocks,
    .load_image = cuda_load_module,
};
