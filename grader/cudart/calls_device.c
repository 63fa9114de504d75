/* calls_device.c: the one device: which it is, what it has, waiting for it. */
#include "cudart/runtime_array.h"

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

/* The largest pitch that cudaMallocPitch gives, the alignments of a CUDA device, and where it
 * pretends to be plugged in (calls_peer.c). */
enum {
    MAX_PITCH = 0x7fffffff,
    TEXTURE_ALIGNMENT = 512,
    TEXTURE_PITCH_ALIGNMENT = 32,
    PCI_BUS = 1,
    COPY_ENGINES = 2,
};

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
    {cudaDevAttrGpuOverlap, FIXED(1)},
    {cudaDevAttrMultiProcessorCount, FROM(multiprocessors)},
    {cudaDevAttrCanMapHostMemory, FIXED(1)},
    {cudaDevAttrConcurrentKernels, FIXED(1)},
    {cudaDevAttrEccEnabled, FIXED(0)},
    {cudaDevAttrPciBusId, FIXED(PCI_BUS)},
    {cudaDevAttrAsyncEngineCount, FIXED(COPY_ENGINES)},
    {cudaDevAttrStreamPrioritiesSupported, FIXED(1)},
    {cudaDevAttrComputePreemptionSupported, FIXED(1)},
    {cudaDevAttrCooperativeLaunch, FIXED(1)},
    {cudaDevAttrMemoryPoolsSupported, FIXED(1)},
    {cudaDevAttrHostNumaId, FIXED(-1)},
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
    {cudaDevAttrCooperativeLaunch, FIXED(1)},
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
    out->canMapHostMemory = 1;
    out->concurrentKernels = 1;
    out->pciBusID = PCI_BUS;
    out->asyncEngineCount = COPY_ENGINES;
    out->streamPrioritiesSupported = 1;
    out->computePreemptionSupported = 1;
    out->cooperativeLaunch = 1;
    out->memoryPoolsSupported = 1;
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
    out->cooperativeLaunch = 1;
    out->hostNumaId = -1;
#if CUDART_VERSION < 13000
    out->deviceOverlap = 1;
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
    runtime_order(CLIENT_ORDER_HOST_WAITS_ALL, 0, NULL, 0);
    return runtime_leave(runtime_synchronise());
}

/* Limits that the device knows are its own, the others are kept and bound nothing. */
enum { LIMITS = 8 };
static const size_t first_limits[LIMITS] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
};
static size_t limits[LIMITS] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
};

cudaError_t cudaDeviceReset(void)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceReset);
    cudaError_t error = runtime_reset();
    mirrors_remove_all();
    runtime_forget_streams();
    runtime_forget_arrays();
    runtime_forget_textures();
    runtime_reset_pools();
    runtime_reset_conditions();
    memcpy(limits, first_limits, sizeof(limits));
    return runtime_leave(error == cudaSuccess ? runtime_reset_variables() : error);
}

/* Limits of the device, by enum client_limit. */
static const enum cudaLimit device_limits[] = {
    [CLIENT_LIMIT_STACK] = cudaLimitStackSize,
    [CLIENT_LIMIT_PRINT] = cudaLimitPrintfFifoSize,
    [CLIENT_LIMIT_HEAP] = cudaLimitMallocHeapSize,
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
    for (size_t i = 0; i < sizeof(device_limits) / sizeof(device_limits[0]); i++) {
        if (error == cudaSuccess && device_limits[i] == limit) {
            const uint64_t words[] = {i, value};

            error = runtime_ask(CLIENT_LIMIT, words, 2);
        }
    }
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

/* All banks are 4 bytes wide, as on every device since compute capability 5.0. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceSetSharedMemConfig);
    return runtime_leave(check_device(&config, 0));
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetSharedMemConfig);
    cudaError_t error = check_device(config, 0);
    if (error == cudaSuccess) {
        *config = cudaSharedMemBankSizeFourByte;
    }
    return runtime_leave(error);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    runtime_enter(RUNTIME_CALL_cudaCtxResetPersistingL2Cache);
    return runtime_leave(runtime_ready());
}

/* The profiler's range is what the grader takes as the extent of one case; it waits for the end
 * also where a kernel has failed. */
static cudaError_t mark_case(enum client_mark mark)
{
    const uint64_t word = mark;

    return runtime_report(CLIENT_MARKER, &word, 1);
}

/* The marks of judged calls (model/gpugrade.h). They are no calls of the runtime, so
 * they leave no error. */
static void mark_call(enum client_mark mark, const char *name, const void *address)
{
    struct message request = {.type = CLIENT_MARKER,
                              .words = {0, mark, (uint64_t)(uintptr_t)address},
                              .payload = name,
                              .payload_bytes = strnlen(name, CLIENT_MARK_BYTES)};

    uint64_t has_begun = 0;
    struct mirror *mirror = address == NULL ? NULL : mirror_find(address);

    runtime_enter(RUNTIME_CALL_cudaProfilerStart);
    guards_take_back();
    if (mirror != NULL && mirror->kind == MIRROR_PINNED) {
        mirror->is_announced = mirror_open(mirror) == cudaSuccess;
    }
    (void)runtime_tell(&request, &has_begun); /* also after a kernel has failed */
    if (mark != CLIENT_MARK_CALL_END) {
        mirrors_forget(); /* where the call begins, its device memory is undefined */
    }
    if (has_begun == 1) {
        guards_lend();
    }
    runtime_leave_quietly(cudaSuccess);
}

/* No header of the runtime declares them. */
void gpugrade_mark_call(const char *name);
void gpugrade_mark_operand(const char *name, const void *address);
void gpugrade_mark_end(void);
void gpugrade_mark_result(const void *numbers, size_t bytes);

void gpugrade_mark_call(const char *name)
{
    mark_call(CLIENT_MARK_CALL, name, NULL);
}

void gpugrade_mark_operand(const char *name, const void *address)
{
    mark_call(CLIENT_MARK_OPERAND, name, address);
}

void gpugrade_mark_end(void)
{
    mark_call(CLIENT_MARK_CALL_END, "", NULL);
}

/* The result of a program that is judged as one call, and the end of that call. */
void gpugrade_mark_result(const void *numbers, size_t bytes)
{
    struct message request = {.type = CLIENT_RESULT, .words = {0, bytes}};
    uint64_t wanted = 0;
    size_t at = 0;

    runtime_enter(RUNTIME_CALL_cudaProfilerStop);
    cudaError_t error = runtime_tell(&request, &wanted);
    while (error == cudaSuccess && wanted > 0 && at < bytes) {
        const size_t most = wanted < CLIENT_PIECE_BYTES ? wanted : CLIENT_PIECE_BYTES;
        request.payload = (const char *)numbers + at;
        request.payload_bytes = most < bytes - at ? most : bytes - at;
        at += request.payload_bytes;
        error = runtime_tell(&request, &wanted);
    }
    runtime_leave_quietly(cudaSuccess);
    mark_call(CLIENT_MARK_CALL_END, "", NULL);
}

cudaError_t cudaProfilerStart(void)
{
    runtime_enter(RUNTIME_CALL_cudaProfilerStart);
    return runtime_leave(mark_case(CLIENT_MARK_CASE));
}

cudaError_t cudaProfilerStop(void)
{
    runtime_enter(RUNTIME_CALL_cudaProfilerStop);
    return runtime_leave(mark_case(CLIENT_MARK_CASE_END));
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){.x = x, .y = y, .z = z, .w = w, .f = kind};
}
