/* runtime_managed.c: managed variables: they exist twice (runtime_mirrors.c). */
#include "cudart/runtime.h"

char __cudaInitModule(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle);

/* Gives a managed variable its memory here, with what the device has in it. */
static cudaError_t open_managed(struct runtime_variable *variable)
{
    cudaError_t error = runtime_resolve_variable(variable);
    struct mirror mirror = {
        .kind = MIRROR_MANAGED,
        .flags = cudaMemAttachGlobal,
        .host = (uint8_t *)(uintptr_t)variable->address,
        .device = variable->address,
        .bytes = variable->bytes,
        .is_newer_there = true,
    };

    if (error == cudaSuccess) {
        error = mirror_add(&mirror);
    }
    if (error == cudaSuccess) {
        error = mirror_pull(mirror_find(mirror.host));
    }
    if (error == cudaSuccess) {
        *variable->managed_pointer = mirror.host;
    }
    return error;
}

/* clang's have a symbol of their own (runtime_modules.c). */
static bool is_closed(const struct runtime_variable *variable, void **handle, bool of_clang)
{
    return variable->module == (struct runtime_module *)(void *)handle &&
           variable->managed_pointer != NULL && *variable->managed_pointer == NULL &&
           (variable->host_symbol != variable->managed_pointer) == of_clang;
}

static void open_all(void **handle, bool of_clang)
{
    struct runtime_variable *variable = runtime_variables();

    while (variable != NULL && !is_closed(variable, handle, of_clang)) {
        variable = variable->next;
    }
    if (variable == NULL) {
        return; /* most modules have none: nothing is asked of the device */
    }
    runtime_enter(RUNTIME_CALL_cudaMallocManaged);
    for (; variable != NULL; variable = variable->next) {
        if (is_closed(variable, handle, of_clang)) {
            open_managed(variable);
        }
    }
    runtime_leave_quietly(cudaSuccess);
}

/* Called by nvcc's code before the first use of a managed variable. */
char __cudaInitModule(void **handle)
{
    open_all(handle, false);
    return 1;
}

/* Called when all of a module is registered, which is the last that clang's code says. */
void __cudaRegisterFatBinaryEnd(void **handle)
{
    open_all(handle, true);
}

cudaError_t runtime_reset_variables(void)
{
    cudaError_t error = cudaSuccess;

    for (struct runtime_variable *variable = runtime_variables();
         variable != NULL && error == cudaSuccess; variable = variable->next) {
        if (variable->managed_pointer != NULL && *variable->managed_pointer != NULL) {
            error = open_managed(variable);
        }
    }
    return error;
}
