/* driver_context.c: the stand-in for the driver: devices and contexts. */
#include "libraries/driver_state.h"

#include <cudaProfiler.h>
#include <cuda_profiler_api.h>
#include <stdlib.h>
#include <string.h>

/* The same for calls that need no context. */
#define DRIVER_WITHOUT(name, version, parameters, expression)                                      \
    CUresult name##version parameters                                                              \
    {                                                                                              \
        CUresult begun = driver_enter(RUNTIME_CALL_##name, NEEDS_DRIVER);                          \
        return begun == CUDA_SUCCESS ? driver_leave(expression) : begun;                           \
    }

static cudaError_t refuse_null(void)
{
    return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
}

static void release(const struct registry_entry *owned)
{
    switch ((enum owned_kind)owned->bytes) {
    case OWNED_MEMORY:
        cudaFree(owned->pointer);
        break;
    case OWNED_HOST_MEMORY:
        cudaFreeHost(owned->pointer);
        break;
    case OWNED_STREAM:
        cudaStreamDestroy(owned->pointer);
        break;
    case OWNED_EVENT:
        cudaEventDestroy(owned->pointer);
        break;
    }
}

/* A context ends with all that it owns. With the last one the device is as at the start. */
static cudaError_t end_context(CUcontext context)
{
    driver_unload_modules(context);
    while (context->owned.count > 0) {
        const struct registry_entry owned = context->owned.entries[context->owned.count - 1];

        registry_remove(&context->owned, owned.pointer);
        release(&owned);
    }
    return driver_state.contexts.count == 0 && !driver_exists(&driver_state.primary)
               ? cudaDeviceReset()
               : cudaSuccess;
}

/* Devices ************************************************************************************/

/* Without a device there is no driver to initialise. */
CUresult cuInit(unsigned flags)
{
    driver_enter(RUNTIME_CALL_cuInit, NEEDS_NOTHING);
    cudaError_t error = runtime_connect();
    if (error == cudaSuccess && flags != 0) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    driver_state.is_initialised = driver_state.is_initialised || error == cudaSuccess;
    return driver_leave(error);
}

CUresult cuDriverGetVersion(int *version)
{
    driver_enter(RUNTIME_CALL_cuDriverGetVersion, NEEDS_NOTHING);
    return driver_leave(cudaDriverGetVersion(version));
}

static cudaError_t check_device(const void *out, CUdevice device)
{
    if (out == NULL) {
        return refuse_null();
    }
    return device == 0 ? runtime_connect()
                       : runtime_refuse(cudaErrorInvalidDevice, REFUSAL_NO_DEVICE);
}

static cudaError_t get_device(CUdevice *device, int ordinal)
{
    cudaError_t error = check_device(device, ordinal);

    if (error == cudaSuccess) {
        *device = ordinal;
    }
    return error;
}

DRIVER_WITHOUT(cuDeviceGet, , (CUdevice * device, int ordinal), get_device(device, ordinal))
DRIVER_WITHOUT(cuDeviceGetCount, , (int *count), cudaGetDeviceCount(count))
DRIVER_WITHOUT(cuDeviceGetAttribute, , (int *value, CUdevice_attribute attribute, CUdevice device),
               cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device))
DRIVER_WITHOUT(cuDeviceGetPCIBusId, , (char *name, int length, CUdevice device),
               cudaDeviceGetPCIBusId(name, length, device))
DRIVER_WITHOUT(cuDeviceGetByPCIBusId, , (CUdevice * device, const char *name),
               cudaDeviceGetByPCIBusId(device, name))
DRIVER_WITHOUT(cuDeviceCanAccessPeer, , (int *can, CUdevice device, CUdevice peer),
               cudaDeviceCanAccessPeer(can, device, peer))

static cudaError_t compute_capability(int *major, int *minor, CUdevice device)
{
    cudaError_t error = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);

    return error == cudaSuccess
               ? cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device)
               : error;
}

DRIVER_WITHOUT(cuDeviceComputeCapability, , (int *major, int *minor, CUdevice device),
               compute_capability(major, minor, device))

/* A name that is too long is cut. */
static cudaError_t get_name(char *name, int length, CUdevice device)
{
    cudaError_t error = check_device(name, device);

    if (error == cudaSuccess && length < 1) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    if (error == cudaSuccess) {
        const char *whole = runtime_properties()->name;
        size_t bytes = strnlen(whole, (size_t)length - 1);

        memcpy(name, whole, bytes);
        name[bytes] = '\0';
    }
    return error;
}

static cudaError_t get_uuid(CUuuid *uuid, CUdevice device)
{
    struct cudaDeviceProp properties;
    cudaError_t error = check_device(uuid, device);

    if (error == cudaSuccess) {
        error = cudaGetDeviceProperties(&properties, device);
    }
    if (error == cudaSuccess) {
        *uuid = properties.uuid;
    }
    return error;
}

static cudaError_t get_memory(size_t *bytes, CUdevice device)
{
    cudaError_t error = check_device(bytes, device);

    if (error == cudaSuccess) {
        *bytes = (size_t)runtime_properties()->global_memory_bytes;
    }
    return error;
}

static cudaError_t get_properties(CUdevprop *out, CUdevice device)
{
    struct cudaDeviceProp properties;
    cudaError_t error = check_device(out, device);

    if (error == cudaSuccess) {
        error = cudaGetDeviceProperties(&properties, device);
    }
    if (error == cudaSuccess) {
        *out = (CUdevprop){
            .maxThreadsPerBlock = properties.maxThreadsPerBlock,
            .sharedMemPerBlock = (int)properties.sharedMemPerBlock,
            .totalConstantMemory = (int)properties.totalConstMem,
            .SIMDWidth = properties.warpSize,
            .memPitch = (int)properties.memPitch,
            .regsPerBlock = properties.regsPerBlock,
            .clockRate = (int)runtime_properties()->clock_khz,
            .textureAlign = (int)properties.textureAlignment,
        };
        memcpy(out->maxThreadsDim, properties.maxThreadsDim, sizeof(out->maxThreadsDim));
        memcpy(out->maxGridSize, properties.maxGridSize, sizeof(out->maxGridSize));
    }
    return error;
}

DRIVER_WITHOUT(cuDeviceGetName, , (char *name, int length, CUdevice device),
               get_name(name, length, device))
DRIVER_WITHOUT(cuDeviceGetUuid, _v2, (CUuuid * uuid, CUdevice device), get_uuid(uuid, device))
DRIVER_WITHOUT(cuDeviceTotalMem, _v2, (size_t * bytes, CUdevice device), get_memory(bytes, device))
DRIVER_WITHOUT(cuDeviceGetProperties, , (CUdevprop * properties, CUdevice device),
               get_properties(properties, device))

/* Contexts ***********************************************************************************/

static cudaError_t retain(CUcontext *context, CUdevice device)
{
    cudaError_t error = check_device(context, device);

    if (error == cudaSuccess) {
        driver_state.retained++;
        *context = &driver_state.primary;
    }
    return error;
}

static cudaError_t release_primary(CUdevice device)
{
    cudaError_t error = check_device(&driver_state.primary, device);

    if (error != cudaSuccess) {
        return error;
    }
    if (driver_state.retained == 0) {
        return runtime_refuse(cudaErrorDeviceUninitialized, REFUSAL_CONTEXT);
    }
    return --driver_state.retained == 0 ? end_context(&driver_state.primary) : cudaSuccess;
}

static cudaError_t reset_primary(CUdevice device)
{
    cudaError_t error = check_device(&driver_state.primary, device);

    return error == cudaSuccess ? end_context(&driver_state.primary) : error;
}

static cudaError_t set_flags(CUdevice device, unsigned flags)
{
    cudaError_t error = check_device(&driver_state.primary, device);

    if (error == cudaSuccess) {
        driver_state.primary.flags = flags;
    }
    return error;
}

static cudaError_t primary_state(CUdevice device, unsigned *flags, int *is_active)
{
    cudaError_t error = check_device(flags == NULL ? NULL : is_active, device);

    if (error == cudaSuccess) {
        *flags = driver_state.primary.flags;
        *is_active = driver_exists(&driver_state.primary);
    }
    return error;
}

DRIVER_WITHOUT(cuDevicePrimaryCtxRetain, , (CUcontext * context, CUdevice device),
               retain(context, device))
DRIVER_WITHOUT(cuDevicePrimaryCtxRelease, _v2, (CUdevice device), release_primary(device))
DRIVER_WITHOUT(cuDevicePrimaryCtxReset, _v2, (CUdevice device), reset_primary(device))
DRIVER_WITHOUT(cuDevicePrimaryCtxSetFlags, _v2, (CUdevice device, unsigned flags),
               set_flags(device, flags))
DRIVER_WITHOUT(cuDevicePrimaryCtxGetState, , (CUdevice device, unsigned *flags, int *is_active),
               primary_state(device, flags, is_active))

static cudaError_t push(CUcontext context)
{
    if (context == NULL || !driver_exists(context)) {
        return runtime_refuse(cudaErrorDeviceUninitialized, REFUSAL_CONTEXT);
    }
    if (driver_stack()->depth == CONTEXTS_MAX) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    driver_stack()->contexts[driver_stack()->depth++] = context;
    return cudaSuccess;
}

static cudaError_t create(CUcontext *context, unsigned flags, CUdevice device)
{
    cudaError_t error = check_device(context, device);

    if (error != cudaSuccess) {
        return error;
    }
    CUcontext made = calloc(1, sizeof(*made));
    if (made == NULL || !registry_add(&driver_state.contexts, made, 0)) {
        free(made);
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    made->flags = flags;
    error = push(made);
    if (error != cudaSuccess) {
        registry_remove(&driver_state.contexts, made);
        free(made);
        return error;
    }
    *context = made;
    return cudaSuccess;
}

/* Where it is the current one, the one below is from now on. */
static cudaError_t destroy(CUcontext context)
{
    if (!registry_contains(&driver_state.contexts, context)) {
        return runtime_refuse(cudaErrorDeviceUninitialized, REFUSAL_CONTEXT);
    }
    if (driver_stack()->depth > 0 &&
        driver_stack()->contexts[driver_stack()->depth - 1] == context) {
        driver_stack()->depth--;
    }
    registry_remove(&driver_state.contexts, context);
    cudaError_t error = end_context(context);
    free(context->owned.entries);
    free(context);
    return error;
}

static cudaError_t pop(CUcontext *context)
{
    if (driver_stack()->depth == 0) {
        return runtime_refuse(cudaErrorDeviceUninitialized, REFUSAL_NO_CONTEXT);
    }
    driver_stack()->depth--;
    if (context != NULL) {
        *context = driver_stack()->contexts[driver_stack()->depth];
    }
    return cudaSuccess;
}

/* Takes the place of the one on top. */
static cudaError_t set_current(CUcontext context)
{
    driver_stack()->depth -= driver_stack()->depth > 0 ? 1 : 0;
    return context == NULL ? cudaSuccess : push(context);
}

static cudaError_t get_current(CUcontext *context)
{
    if (context == NULL) {
        return refuse_null();
    }
    *context = driver_context();
    return cudaSuccess;
}

/* Whether these ask for nothing: a part of the device, or work that is shared with graphics. */
static bool are_empty(const CUctxCreateParams *parameters)
{
    return parameters == NULL ||
           (parameters->execAffinityParams == NULL && parameters->cigParams == NULL);
}

DRIVER_WITHOUT(cuCtxCreate, _v4,
               (CUcontext * context, CUctxCreateParams *parameters, unsigned flags,
                CUdevice device),
               are_empty(parameters) ? create(context, flags, device)
                                     : runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED))
DRIVER_WITHOUT(cuCtxDestroy, _v2, (CUcontext context), destroy(context))
DRIVER_WITHOUT(cuCtxPushCurrent, _v2, (CUcontext context), push(context))
DRIVER_WITHOUT(cuCtxPopCurrent, _v2, (CUcontext * context), pop(context))
DRIVER_WITHOUT(cuCtxSetCurrent, , (CUcontext context), set_current(context))
DRIVER_WITHOUT(cuCtxGetCurrent, , (CUcontext * context), get_current(context))

static cudaError_t get_flags(unsigned *flags)
{
    if (flags == NULL) {
        return refuse_null();
    }
    *flags = driver_context()->flags;
    return cudaSuccess;
}

static cudaError_t api_version(CUcontext context, unsigned *version)
{
    if (version == NULL) {
        return refuse_null();
    }
    if (context != NULL && !driver_exists(context)) {
        return runtime_refuse(cudaErrorDeviceUninitialized, REFUSAL_CONTEXT);
    }
    *version = 3020;
    return cudaSuccess;
}

DRIVER(cuCtxGetDevice, , (CUdevice * device), get_device(device, 0))
DRIVER(cuCtxGetFlags, , (unsigned *flags), get_flags(flags))
DRIVER(cuCtxGetApiVersion, , (CUcontext context, unsigned *version), api_version(context, version))
DRIVER(cuCtxSynchronize, , (void), cudaDeviceSynchronize())
DRIVER(cuCtxSetLimit, , (CUlimit limit, size_t value),
       cudaDeviceSetLimit((enum cudaLimit)limit, value))
DRIVER(cuCtxGetLimit, , (size_t * value, CUlimit limit),
       cudaDeviceGetLimit(value, (enum cudaLimit)limit))
DRIVER(cuCtxSetCacheConfig, , (CUfunc_cache config),
       cudaDeviceSetCacheConfig((enum cudaFuncCache)config))
DRIVER(cuCtxGetCacheConfig, , (CUfunc_cache * config),
       cudaDeviceGetCacheConfig((enum cudaFuncCache *)config))
DRIVER(cuCtxGetStreamPriorityRange, , (int *least, int *greatest),
       cudaDeviceGetStreamPriorityRange(least, greatest))
DRIVER(cuCtxEnablePeerAccess, , (CUcontext peer, unsigned flags),
       driver_exists(peer) ? cudaDeviceEnablePeerAccess(0, flags)
                           : runtime_refuse(cudaErrorDeviceUninitialized, REFUSAL_CONTEXT))
DRIVER(cuProfilerStart, , (void), cudaProfilerStart())
DRIVER(cuProfilerStop, , (void), cudaProfilerStop())
