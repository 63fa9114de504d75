/* driver_state.c: see driver_state.h. */
#include "libraries/driver_state.h"

#include "wire/cuda_error.h"

struct driver_state driver_state;

static __thread struct driver_stack stack;

struct driver_stack *driver_stack(void)
{
    return &stack;
}

bool driver_exists(CUcontext context)
{
    return context == &driver_state.primary ? driver_state.retained > 0 || runtime_is_used()
                                            : registry_contains(&driver_state.contexts, context);
}

/* What another thread has destroyed counts no more. The runtime makes the primary one current. */
CUcontext driver_context(void)
{
    if (stack.depth > 0) {
        return stack.contexts[stack.depth - 1] != NULL &&
                       driver_exists(stack.contexts[stack.depth - 1])
                   ? stack.contexts[stack.depth - 1]
                   : NULL;
    }
    return runtime_is_used() ? &driver_state.primary : NULL;
}

CUresult driver_leave(cudaError_t error)
{
    return (CUresult)driver_status_of((int)runtime_leave(error));
}

CUresult driver_enter(enum runtime_call call, enum driver_need need)
{
    cudaError_t error = cudaSuccess;

    runtime_enter_driver(call);
    if (need != NEEDS_NOTHING && !driver_state.is_initialised && !runtime_is_used()) {
        error = runtime_refuse(cudaErrorInitializationError, REFUSAL_NOT_INITIALISED);
    } else if (need == NEEDS_CONTEXT && driver_context() == NULL) {
        error = runtime_refuse(cudaErrorDeviceUninitialized, REFUSAL_NO_CONTEXT);
    }
    return error == cudaSuccess ? CUDA_SUCCESS : driver_leave(error);
}

/* Owners *************************************************************************************/

cudaError_t driver_own(cudaError_t error, void *const *handle, enum owned_kind kind)
{
    if (error == cudaSuccess && *handle != NULL) {
        registry_add(&driver_context()->owned, *handle, kind);
    }
    return error;
}

/* The context that owns something; NULL: none does. */
static CUcontext owner_of(const void *handle)
{
    if (registry_contains(&driver_state.primary.owned, handle)) {
        return &driver_state.primary;
    }
    for (size_t i = 0; i < driver_state.contexts.count; i++) {
        CUcontext context = driver_state.contexts.entries[i].pointer;

        if (registry_contains(&context->owned, handle)) {
            return context;
        }
    }
    return NULL;
}

void driver_disown(const void *handle)
{
    CUcontext owner = owner_of(handle);

    if (owner != NULL) {
        registry_remove(&owner->owned, handle);
    }
}

cudaError_t driver_check_owner(const void *handle)
{
    CUcontext owner = owner_of(handle);

    return owner == NULL || owner == driver_context()
               ? cudaSuccess
               : runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_OTHER_CONTEXT);
}
