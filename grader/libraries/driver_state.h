/* driver_state.h: what the files of the stand-in for the driver share.
 *
 *   program --cuMemAlloc()--> driver_*.c --cudaMalloc()--> calls_*.c --message--> device
 *
 *   driver_state.c    beginning and end of each call; what contexts own
 *   driver_context.c  devices, contexts
 *   driver_module.c   modules, kernels, launches
 *   driver_memory.c   memory, copies, fills
 *   driver_stream.c   streams, events, graphs
 *   driver_names.c    errors and calls by name
 *
 * Each call is made of calls of the runtime, which are reported under its own name. There is one
 * device, and all contexts share it: a context is who owns memory, modules, streams and events. */
#ifndef GPUGRADE_LIBRARIES_DRIVER_STATE_H
#define GPUGRADE_LIBRARIES_DRIVER_STATE_H

#include "cudart/runtime.h"

#include <cuda.h>

/* What a context owns, but for its modules. */
enum owned_kind { OWNED_MEMORY, OWNED_HOST_MEMORY, OWNED_STREAM, OWNED_EVENT };

struct CUctx_st {
    unsigned flags;
    struct runtime_registry owned; /* each with its kind */
};

/* All contexts, and those that a thread has current, one above the other; NULL: none. */
struct driver_state {
    bool is_initialised;
    struct CUctx_st primary;
    unsigned retained; /* times of the primary context */
    struct runtime_registry contexts;
};
extern struct driver_state driver_state;

enum { CONTEXTS_MAX = 64 };
struct driver_stack {
    CUcontext contexts[CONTEXTS_MAX];
    size_t depth;
};
struct driver_stack *driver_stack(void);

/* Whether a context lives. The first call of the runtime makes the primary one. */
bool driver_exists(CUcontext context);

/* Begins a call; what it needs besides. CUDA_SUCCESS, or the call has ended with that error. */
enum driver_need { NEEDS_NOTHING, NEEDS_DRIVER, NEEDS_CONTEXT };
CUresult driver_enter(enum runtime_call call, enum driver_need need);

/* Ends it with what a call of the runtime gave. */
CUresult driver_leave(cudaError_t error);

/* A whole call that needs a context: an expression of type cudaError_t. */
#define DRIVER(name, version, parameters, expression)                                              \
    CUresult name##version parameters                                                              \
    {                                                                                              \
        CUresult begun = driver_enter(RUNTIME_CALL_##name, NEEDS_CONTEXT);                         \
        return begun == CUDA_SUCCESS ? driver_leave(expression) : begun;                           \
    }

/* The context of this thread; NULL: it has none. */
CUcontext driver_context(void);

/* The current context owns something from now on, if `error` is none; returns `error`. The second
 * forgets who owns it. */
cudaError_t driver_own(cudaError_t error, void *const *handle, enum owned_kind kind);
void driver_disown(const void *handle);

/* Refuses what another context owns; cudaSuccess for what none does. */
cudaError_t driver_check_owner(const void *handle);

/* Unloads the modules of a context. */
void driver_unload_modules(CUcontext context);

static inline void *driver_pointer(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

#endif
