/* runtime_modules.c: what the code that nvcc adds to a program registers before main().
 *
 * Registration only notes what there is; the device is asked when a kernel or a variable is used
 * for the first time. A module is named by the address that its fat binary has in the executable
 * file; for code that lies elsewhere (a shared library, the heap) the address as it is, which the
 * device refuses.
 */
#include "cudart/runtime.h"

#include "wire/little_endian.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

struct runtime_module {
    struct runtime_module *next;
    uint64_t file_address;
    bool is_known;
    uint64_t handle;
};

/* The head of a wrapper in .nvFatBinSegment. */
struct fat_wrapper {
    uint32_t magic, version;
    const void *data;
    void *pointer;
};

static struct runtime_module *modules;
static struct runtime_kernel *kernels;
static struct runtime_variable *variables;

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host_function, char *device_function,
                            const char *name, int thread_limit, void *thread, void *block,
                            void *block_size, void *grid_size, int *warp_size);
void __cudaRegisterVar(void **handle, char *host_symbol, char *device_address, const char *name,
                       int is_extern, size_t bytes, int is_constant, int is_global);
void __cudaRegisterManagedVar(void **handle, void **host_pointer, char *device_address,
                              const char *name, int is_extern, size_t bytes, int is_constant,
                              int is_global);

/* Where an address of this process lies in the main program. */
struct place {
    uint64_t address;
    uint64_t file_address;
};

/* dl_iterate_phdr visits the main program first; it alone is looked at. */
static int find_in_program(struct dl_phdr_info *info, size_t info_bytes, void *context)
{
    struct place *place = context;

    (void)info_bytes;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type == PT_LOAD && place->address >= start &&
            place->address - start < segment->p_memsz) {
            place->file_address = place->address - info->dlpi_addr;
        }
    }
    return 1;
}

/* Memory for what is registered; the program cannot go on without it. */
static void *allocate_node(size_t bytes)
{
    void *node = calloc(1, bytes);

    if (node == NULL) {
        abort();
    }
    return node;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
    const struct fat_wrapper *fat = wrapper;
    struct place place = {.address = (uint64_t)(uintptr_t)fat->data};

    place.file_address = place.address;
    dl_iterate_phdr(find_in_program, &place);
    runtime_enter(RUNTIME_CALL_NONE);
    struct runtime_module *module = allocate_node(sizeof(*module));
    module->file_address = place.file_address;
    module->next = modules;
    modules = module;
    runtime_leave_quietly(cudaSuccess);
    return (void **)module;
}

/* Everything goes with the process; kernels may still be named in exit handlers. */
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *host_function, char *device_function,
                            const char *name, int thread_limit, void *thread, void *block,
                            void *block_size, void *grid_size, int *warp_size)
{
    (void)device_function;
    (void)thread_limit;
    (void)thread;
    (void)block;
    (void)block_size;
    (void)grid_size;
    (void)warp_size;
    runtime_enter(RUNTIME_CALL_NONE);
    struct runtime_kernel *kernel = allocate_node(sizeof(*kernel));
    kernel->module = (struct runtime_module *)(void *)handle;
    kernel->host_function = host_function;
    kernel->name = name;
    kernel->next = kernels;
    kernels = kernel;
    runtime_leave_quietly(cudaSuccess);
}

static struct runtime_variable *find_variable(const void *symbol)
{
    struct runtime_variable *variable = variables;

    while (variable != NULL && variable->host_symbol != symbol &&
           (variable->managed_pointer == NULL || *variable->managed_pointer != symbol)) {
        variable = variable->next;
    }
    return variable;
}

static void register_variable(void **handle, const void *host_symbol, void **managed_pointer,
                              const char *name)
{
    runtime_enter(RUNTIME_CALL_NONE);
    struct runtime_variable *variable = allocate_node(sizeof(*variable));
    variable->module = (struct runtime_module *)(void *)handle;
    variable->host_symbol = host_symbol;
    variable->managed_pointer = managed_pointer;
    variable->name = name;
    variable->next = variables;
    variables = variable;
    runtime_leave_quietly(cudaSuccess);
}

/* clang's code registers a managed variable of our headers as one of the device, after they have
 * said where its pointer is (cuda_headers/device_code/managed_variables.h). */
void __cudaRegisterVar(void **handle, char *host_symbol, char *device_address, const char *name,
                       int is_extern, size_t bytes, int is_constant, int is_global)
{
    struct runtime_variable *variable = find_variable(host_symbol);

    (void)device_address;
    (void)is_extern;
    (void)bytes;
    (void)is_constant;
    (void)is_global;
    if (variable == NULL || variable->module != NULL) {
        register_variable(handle, host_symbol, NULL, name);
        return;
    }
    variable->module = (struct runtime_module *)(void *)handle;
    variable->name = name;
}

/* Without a handle: of a variable that will be registered for the symbol device_address. */
void __cudaRegisterManagedVar(void **handle, void **host_pointer, char *device_address,
                              const char *name, int is_extern, size_t bytes, int is_constant,
                              int is_global)
{
    (void)is_extern;
    (void)bytes;
    (void)is_constant;
    (void)is_global;
    register_variable(handle, handle == NULL ? (void *)device_address : (void *)host_pointer,
                      host_pointer, name);
}

static cudaError_t resolve_module(struct runtime_module *module)
{
    struct message reply, request = {.type = CLIENT_MODULE, .words = {0, module->file_address}};

    if (module->is_known) {
        return cudaSuccess;
    }
    cudaError_t error = runtime_request(&request, &reply);
    if (error == cudaSuccess) {
        module->handle = reply.words[0];
        module->is_known = true;
    }
    return error;
}

cudaError_t runtime_resolve_variable(struct runtime_variable *variable)
{
    if (variable->is_known) {
        return cudaSuccess;
    }
    if (strlen(variable->name) > CLIENT_NAME_BYTES) {
        return cudaErrorInvalidSymbol;
    }
    cudaError_t error = resolve_module(variable->module);
    if (error != cudaSuccess) {
        return error;
    }
    struct message reply, request = {
                              .type = CLIENT_VARIABLE,
                              .words = {0, variable->module->handle},
                              .payload = variable->name,
                              .payload_bytes = strlen(variable->name),
                          };
    error = runtime_request(&request, &reply);
    if (error != cudaSuccess) {
        return error;
    }
    variable->address = reply.words[0];
    variable->bytes = (size_t)reply.words[1];
    variable->is_known = true;
    return cudaSuccess;
}

struct runtime_variable *runtime_variables(void)
{
    return variables;
}

bool runtime_is_device_address(const void *pointer)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;

    if (runtime_is_window_address(pointer)) {
        return true;
    }
    for (const struct runtime_variable *variable = variables; variable != NULL;
         variable = variable->next) {
        if (variable->is_known && address - variable->address < variable->bytes) {
            return true;
        }
    }
    return false;
}

struct runtime_kernel *runtime_find_kernel(const void *function)
{
    struct runtime_kernel *kernel = kernels;

    while (kernel != NULL && (const void *)kernel != function &&
           kernel->host_function != function) {
        kernel = kernel->next;
    }
    return kernel;
}

cudaError_t runtime_resolve_kernel(struct runtime_kernel *kernel)
{
    if (kernel->is_known) {
        return cudaSuccess;
    }
    if (strlen(kernel->name) > CLIENT_NAME_BYTES) {
        return cudaErrorInvalidDeviceFunction;
    }
    cudaError_t error = resolve_module(kernel->module);
    if (error != cudaSuccess) {
        return error;
    }
    struct message reply, request = {
                              .type = CLIENT_KERNEL,
                              .words = {0, kernel->module->handle},
                              .payload = kernel->name,
                              .payload_bytes = strlen(kernel->name),
                          };
    error = runtime_request(&request, &reply);
    if (error != cudaSuccess) {
        return error;
    }
    size_t numbers = reply.payload_bytes / 8;
    uint64_t *parameters = calloc(numbers + 1, sizeof(*parameters));
    if (parameters == NULL || numbers != 2 * reply.words[2]) {
        free(parameters);
        return cudaErrorUnknown;
    }
    for (size_t i = 0; i < numbers; i++) {
        parameters[i] = little_get_u64((const uint8_t *)reply.payload + 8 * i);
    }
    kernel->handle = reply.words[0];
    kernel->parameter_bytes = (size_t)reply.words[1];
    kernel->parameter_count = (size_t)reply.words[2];
    kernel->parameters = parameters;
    kernel->is_known = true;
    return cudaSuccess;
}

cudaError_t runtime_load_module(const void *code, size_t bytes, struct runtime_module **out_module)
{
    const char *pieces = code;
    struct message reply = {.words = {0}};
    cudaError_t error = cudaSuccess;

    for (size_t at = 0; at < bytes && error == cudaSuccess; at += CLIENT_PIECE_BYTES) {
        struct message request = {
            .type = CLIENT_LOAD,
            .words = {0, bytes},
            .payload = pieces + at,
            .payload_bytes = bytes - at < CLIENT_PIECE_BYTES ? bytes - at : CLIENT_PIECE_BYTES,
        };
        error = runtime_request(&request, &reply);
    }
    if (error != cudaSuccess) {
        return error;
    }
    struct runtime_module *module = allocate_node(sizeof(*module));
    module->is_known = true;
    module->handle = reply.words[1];
    module->next = modules;
    modules = module;
    *out_module = module;
    return cudaSuccess;
}

/* The kernels stay where they are: a graph may hold one. */
void runtime_unload_module(struct runtime_module *module)
{
    struct runtime_kernel **kernel = &kernels;
    struct runtime_variable **variable = &variables;
    struct runtime_module **place = &modules;

    while (*kernel != NULL) {
        if ((*kernel)->module == module) {
            *kernel = (*kernel)->next;
        } else {
            kernel = &(*kernel)->next;
        }
    }
    while (*variable != NULL) {
        if ((*variable)->module == module) {
            *variable = (*variable)->next;
        } else {
            variable = &(*variable)->next;
        }
    }
    while (*place != module) {
        place = &(*place)->next;
    }
    *place = module->next;
    free(module);
}

cudaError_t runtime_module_kernel(struct runtime_module *module, const char *name,
                                  struct runtime_kernel **out_kernel)
{
    struct runtime_kernel *kernel = kernels;

    while (kernel != NULL && (kernel->module != module || strcmp(kernel->name, name) != 0)) {
        kernel = kernel->next;
    }
    if (kernel != NULL) {
        *out_kernel = kernel;
        return cudaSuccess;
    }
    struct runtime_kernel asked = {.module = module, .name = name};
    cudaError_t error = runtime_resolve_kernel(&asked);
    if (error != cudaSuccess) {
        return error;
    }
    kernel = allocate_node(sizeof(*kernel) + strlen(name) + 1);
    *kernel = asked;
    kernel->name = memcpy(kernel + 1, name, strlen(name) + 1);
    kernel->next = kernels;
    kernels = kernel;
    *out_kernel = kernel;
    return cudaSuccess;
}

cudaError_t runtime_module_variable(struct runtime_module *module, const char *name,
                                    uint64_t *out_address, size_t *out_bytes)
{
    struct runtime_variable *variable = variables;

    while (variable != NULL && (variable->module != module || strcmp(variable->name, name) != 0)) {
        variable = variable->next;
    }
    if (variable == NULL) {
        struct runtime_variable asked = {.module = module, .name = name};
        cudaError_t error = runtime_resolve_variable(&asked);
        if (error != cudaSuccess) {
            return error;
        }
        variable = allocate_node(sizeof(*variable) + strlen(name) + 1);
        *variable = asked;
        variable->name = memcpy(variable + 1, name, strlen(name) + 1);
        variable->next = variables;
        variables = variable;
    }
    *out_address = variable->address;
    *out_bytes = variable->bytes;
    return cudaSuccess;
}

cudaError_t runtime_symbol(const void *symbol, uint64_t *out_address, size_t *out_bytes)
{
    struct runtime_variable *variable = find_variable(symbol);

    if (symbol == NULL || variable == NULL) {
        return runtime_refuse(cudaErrorInvalidSymbol, REFUSAL_SYMBOL);
    }
    cudaError_t error = runtime_resolve_variable(variable);
    if (error == cudaSuccess) {
        *out_address = variable->address;
        *out_bytes = variable->bytes;
    }
    return error;
}
