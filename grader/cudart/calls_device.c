/* calls_device.c: the one device: which it is, what it has, waiting for it. */
#include "cudart/runtime.h"

#include <cuda_profiler_api.h>
#include <stdio.h>
#include <string.h>

/* An attribute is a number of the device's properties, or fixed. */
struct attribute_row {
    enum cudaDeviceAttr attribute;
    ptrdiff_t offset; /* in struct device_properties; -1: `value` */
    int value;
};

#define FROM(field) (ptrdiff_t) offsetof(struct device_properties, field), 0
#define FIXED(value) -1, value

/* The largest pitch that cudaMallocPitch gives, and the alignments of a CUDA device. */
enum { MAX_PITCH = 0x7fffffff, TEXTURE_ALIGNMENT = 512, TEXTURE_PITCH_ALIGNMENT = 32 };

/* Attributes that are not listed are 0: features that this device does not have. */
static const struct attribute_row attribute_rows[] = {
    {cudaDevAttrMaxThreadsPerBlock, FROM(max_threads_per_block)},
    {cudaDevAttrMaxBlockDimX, FROM(max_block_x)},
    {cudaDevAttrMaxBlockDimY, FROM(max_block_y)},
    {cudaDevAttrMaxBlockDimZ, FROM(max_block_z)},
    {cudaDevAttrMaxGridDimX, FROM(max_grid_x)},
    {cudaDevAttrMaxGridDimY, FROM(max_grid_y)},
    {cudaDevAttrMaxGridDimZ, FROM(max_grid_z)},
    {cudaDevAttrMaxSharedMemoryPerBlock, FROM(shared_per_block_bytes)},
    {cudaDevAttrTotalConstantMemory, FROM(constant_bytes)},
    {cudaDevAttrWarpSize, FROM(warp_size)},
    {cudaDevAttrMaxPitch, FIXED(MAX_PITCH)},
    {cudaDevAttrMaxRegistersPerBlock, FROM(registers_per_block)},
    {cudaDevAttrClockRate, FROM(clock_khz)},
    {cudaDevAttrTextureAlignment, FIXED(TEXTURE_ALIGNMENT)},
    {cudaDevAttrTexturePitchAlignment, FIXED(TEXTURE_PITCH_ALIGNMENT)},
    {cudaDevAttrMultiProcessorCount, FROM(multiprocessors)},
    {cudaDevAttrMemoryClockRate, FROM(memory_clock_khz)},
    {cudaDevAttrGlobalMemoryBusWidth, FROM(memory_bus_bits)},
    {cudaDevAttrL2CacheSize, FROM(l2_bytes)},
    {cudaDevAttrMaxThreadsPerMultiProcessor, FROM(max_threads_per_multiprocessor)},
    {cudaDevAttrUnifiedAddressing, FIXED(1)},
    {cudaDevAttrComputeCapabilityMajor, FROM(compute_major)},
    {cudaDevAttrComputeCapabilityMinor, FROM(compute_minor)},
    {cudaDevAttrGlobalL1CacheSupported, FIXED(1)},
    {cudaDevAttrLocalL1CacheSupported, FIXED(1)},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, FROM(shared_per_multiprocessor_bytes)},
    {cudaDevAttrMaxRegistersPerMultiprocessor, FROM(registers_per_multiprocessor)},
    {cudaDevAttrManagedMemory, FIXED(1)},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, FROM(shared_per_block_optin_bytes)},
    {cudaDevAttrHostRegisterSupported, FIXED(1)},
    {cudaDevAttrMaxBlocksPerMultiprocessor, FROM(max_blocks_per_multiprocessor)},
    {cudaDevAttrReservedSharedMemoryPerBlock, FROM(shared_reserved_per_block_bytes)},
};

static int attribute_value(enum cudaDeviceAttr attribute)
{
    for (size_t i = 0; i < sizeof(attribute_rows) / sizeof(attribute_rows[0]); i++) {
        const struct attribute_row *row = &attribute_rows[i];
        uint64_t number;

        if (row->attribute != attribute) {
            continue;
        }
        if (row->offset < 0) {
            return row->value;
        }
        memcpy(&number, (const char *)runtime_properties() + row->offset, sizeof(number));
        return (int)number;
    }
    return 0;
}

/* Checks an output pointer and the number of a device; connects. */
static cudaError_t check_device(const void *out, int device)
{
    cudaError_t error = runtime_connect();

    if (error != cudaSuccess) {
        return error;
    }
    if (out == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (device != 0) {
        return runtime_refuse(cudaErrorInvalidDevice, REFUSAL_NO_DEVICE);
    }
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    runtime_enter(RUNTIME_CALL_cudaGetDeviceCount);
    cudaError_t error = check_device(count, 0);
    if (count != NULL) {
        *count = error == cudaSuccess;
    }
    return runtime_leave(error);
}

cudaError_t cudaGetDevice(int *device)
{
    runtime_enter(RUNTIME_CALL_cudaGetDevice);
    cudaError_t error = check_device(device, 0);
    if (error == cudaSuccess) {
        *device = 0;
    }
    return runtime_leave(error);
}

cudaError_t cudaSetDevice(int device)
{
    runtime_enter(RUNTIME_CALL_cudaSetDevice);
    return runtime_leave(check_device(&device, device));
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    (void)device_flags;
    (void)flags;
    runtime_enter(RUNTIME_CALL_cudaInitDevice);
    return runtime_leave(check_device(&device, device));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    runtime_enter(RUNTIME_CALL_cudaChooseDevice);
    cudaError_t error = check_device(wanted == NULL ? NULL : device, 0);
    if (error == cudaSuccess) {
        *device = 0;
    }
    return runtime_leave(error);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaSetDeviceFlags);
    return runtime_leave(check_device(&flags, 0));
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    runtime_enter(RUNTIME_CALL_cudaGetDeviceFlags);
    cudaError_t error = check_device(flags, 0);
    if (error == cudaSuccess) {
        *flags = cudaDeviceScheduleAuto;
    }
    return runtime_leave(error);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetAttribute);
    cudaError_t error = check_device(value, device);
    if (error == cudaSuccess && ((int)attribute < 1 || attribute >= cudaDevAttrMax)) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    if (error == cudaSuccess) {
        *value = attribute_value(attribute);
    }
    return runtime_leave(error);
}

static void fill_properties(struct cudaDeviceProp *out)
{
    const struct device_properties *from = runtime_properties();

    memset(out, 0, sizeof(*out));
    snprintf(out->name, sizeof(out->name), "%s", from->name);
    out->totalGlobalMem = from->global_memory_bytes;
    out->sharedMemPerBlock = from->shared_per_block_bytes;
    out->regsPerBlock = (int)from->registers_per_block;
    out->warpSize = (int)from->warp_size;
    out->memPitch = MAX_PITCH;
    out->maxThreadsPerBlock = (int)from->max_threads_per_block;
    out->maxThreadsDim[0] = (int)from->max_block_x;
    out->maxThreadsDim[1] = (int)from->max_block_y;
    out->maxThreadsDim[2] = (int)from->max_block_z;
    out->maxGridSize[0] = (int)from->max_grid_x;
    out->maxGridSize[1] = (int)from->max_grid_y;
    out->maxGridSize[2] = (int)from->max_grid_z;
    out->totalConstMem = from->constant_bytes;
    out->major = (int)from->compute_major;
    out->minor = (int)from->compute_minor;
    out->textureAlignment = TEXTURE_ALIGNMENT;
    out->texturePitchAlignment = TEXTURE_PITCH_ALIGNMENT;
    out->multiProcessorCount = (int)from->multiprocessors;
    out->unifiedAddressing = 1;
    out->memoryBusWidth = (int)from->memory_bus_bits;
    out->l2CacheSize = (int)from->l2_bytes;
    out->maxThreadsPerMultiProcessor = (int)from->max_threads_per_multiprocessor;
    out->globalL1CacheSupported = 1;
    out->localL1CacheSupported = 1;
    out->sharedMemPerMultiprocessor = from->shared_per_multiprocessor_bytes;
    out->regsPerMultiprocessor = (int)from->registers_per_multiprocessor;
    out->managedMemory = 1;
    out->sharedMemPerBlockOptin = from->shared_per_block_optin_bytes;
    out->maxBlocksPerMultiProcessor = (int)from->max_blocks_per_multiprocessor;
    out->reservedSharedMemPerBlock = from->shared_reserved_per_block_bytes;
    out->hostRegisterSupported = 1;
    out->hostNumaId = -1;
#if CUDART_VERSION < 13000
    out->clockRate = (int)from->clock_khz;
    out->memoryClockRate = (int)from->memory_clock_khz;
#endif
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    runtime_enter(RUNTIME_CALL_cudaGetDeviceProperties);
    cudaError_t error = check_device(properties, device);
    if (error == cudaSuccess) {
        fill_properties(properties);
    }
    return runtime_leave(error);
}

cudaError_t cudaDeviceSynchronize(void)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceSynchronize);
    return runtime_leave(runtime_synchronise());
}

cudaError_t cudaDeviceReset(void)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceReset);
    runtime_managed_remove_all();
    return runtime_leave(runtime_ask(CLIENT_RESET, NULL, 0));
}

/* Limits are accepted and kept; none of them bounds what the emulated device does. */
static size_t limits[8] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
};

static cudaError_t check_limit(const void *out, enum cudaLimit limit)
{
    cudaError_t error = check_device(out, 0);

    if (error == cudaSuccess && (size_t)limit >= sizeof(limits) / sizeof(limits[0])) {
        error = runtime_refuse(cudaErrorUnsupportedLimit, REFUSAL_VALUE);
    }
    return error;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceSetLimit);
    cudaError_t error = check_limit(&value, limit);
    if (error == cudaSuccess) {
        limits[limit] = value;
    }
    return runtime_leave(error);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetLimit);
    cudaError_t error = check_limit(value, limit);
    if (error == cudaSuccess) {
        *value = limits[limit];
    }
    return runtime_leave(error);
}

/* A preference, which a device may ignore. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceSetCacheConfig);
    return runtime_leave(check_device(&config, 0));
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetCacheConfig);
    cudaError_t error = check_device(config, 0);
    if (error == cudaSuccess) {
        *config = cudaFuncCachePreferNone;
    }
    return runtime_leave(error);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetStreamPriorityRange);
    cudaError_t error = check_device(&least, 0);
    if (error == cudaSuccess && least != NULL) {
        *least = 0;
    }
    if (error == cudaSuccess && greatest != NULL) {
        *greatest = 0;
    }
    return runtime_leave(error);
}

/* The profiler's range is what the grader takes as the extent of one case. */
static cudaError_t mark(uint64_t is_begin)
{
    return runtime_ask(CLIENT_MARKER, &is_begin, 1);
}

cudaError_t cudaProfilerStart(void)
{
    runtime_enter(RUNTIME_CALL_cudaProfilerStart);
    return runtime_leave(mark(1));
}

cudaError_t cudaProfilerStop(void)
{
    runtime_enter(RUNTIME_CALL_cudaProfilerStop);
    return runtime_leave(mark(0));
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){.x = x, .y = y, .z = z, .w = w, .f = kind};
}
