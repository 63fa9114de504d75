/* fake_libcuda.c: a driver library without a GPU, for test_cuda_*.c: built as a shared object and
 * opened by its path in place of libcuda.so.1.
 *
 * Reserved addresses are backed by a reservation of this process at another place; mapping puts a
 * memory file there, so that memory keeps its bytes while it is not mapped. A kernel does what its
 * name says (cuLaunchKernelEx). An error of a kernel is sticky, as with the real driver: copies and
 * questions give it from then on. FAKE_LIBCUDA_GPUS says how many GPUs there are (2).
 *
 * Time is counted, not taken: a kernel whose name ends in a number lasts so many microseconds,
 * everything else a few. The grader's own kernels (timing_kernels.cu) do here in C what they do
 * there. fake_launches() tells a test what was launched.
 */
#include "device/cuda/driver_abi.h"
#include "device/emulated/arithmetic/half_values.h"
#include "wire/timing_record.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    GRANULARITY = 2 << 20,
    MEMORY_BYTES = 64 << 20, /* of the GPU */
    RANGES = 32,
    VARIABLE_BYTES = 64,
    VARIABLE_ADDRESS = 0x20000000,
    MODULES = 16,
    LAUNCHES_BYTES = 1 << 18,
    CYCLES_PER_US = 1500,
    PARAMETER_WORDS = 512,
    EVENTS = 16,
    DRIVER_VERSION = 13000,
};

#define DRIVER_CALL(field, symbol, parameters) CUresult symbol parameters;
#include "device/cuda/driver_calls.def"
#undef DRIVER_CALL

struct range {
    CUdeviceptr start;
    size_t bytes;
    uint8_t *host;
};

static struct range ranges[RANGES];
static size_t memory_used;
static uint8_t variables[MODULES * VARIABLE_BYTES]; /* one of each module, "counters" */
static size_t module_count;
static CUresult sticky;
static bool is_endless, is_stuck;
static bool is_spoilt; /* kernels of a program fail */
static bool is_jammed; /* the grader's own are refused */
static uint64_t now_ns;
static uint64_t events[EVENTS];
static uint64_t pinned[8]; /* the memory of the host that the GPU sees */
static bool is_pinned;
static unsigned idle_launches; /* of kernels that leave work out */
static char launches[LAUNCHES_BYTES];
static size_t launches_length;

static uint8_t *host(CUdeviceptr address)
{
    if (address - VARIABLE_ADDRESS < sizeof variables) {
        return variables + (address - VARIABLE_ADDRESS);
    }
    for (size_t i = 0; i < RANGES; i++) {
        if (address - ranges[i].start < ranges[i].bytes) {
            return ranges[i].host + (address - ranges[i].start);
        }
    }
    return NULL;
}

/* The same for elements of any type. */
static void *elements_at(CUdeviceptr address)
{
    return host(address);
}

static int gpu_count(void)
{
    const char *count = getenv("FAKE_LIBCUDA_GPUS");
    return count == NULL ? 2 : count[0] - '0';
}

/* A driver anew: a device that died has left its memory behind. */
CUresult cuInit(unsigned flags)
{
    (void)flags;
    for (size_t i = 0; i < RANGES; i++) {
        if (ranges[i].bytes != 0) {
            munmap(ranges[i].host, ranges[i].bytes);
        }
        ranges[i] = (struct range){0};
    }
    memory_used = 0;
    memset(events, 0, sizeof events);
    is_pinned = false;
    sticky = CUDA_SUCCESS;
    is_endless = is_stuck = is_spoilt = is_jammed = false;
    module_count = 0;
    launches_length = 0;
    idle_launches = 0;
    launches[0] = '\0';
    return gpu_count() > 0 ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuGetErrorName(CUresult error, const char **out_name)
{
    *out_name = error == CUDA_ERROR_NO_DEVICE       ? "CUDA_ERROR_NO_DEVICE"
                : error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
                                                    : NULL;
    return *out_name != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int *out_count)
{
    *out_count = gpu_count();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *out_device, int ordinal)
{
    *out_device = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *out_name, int length, CUdevice device)
{
    snprintf(out_name, (size_t)length, "Fake GPU %d", device);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *out_uuid, CUdevice device)
{
    memset(out_uuid, 0xa0 + device, sizeof *out_uuid);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *out_bytes, CUdevice device)
{
    (void)device;
    *out_bytes = MEMORY_BYTES;
    return CUDA_SUCCESS;
}

/* Those that a grader checks are an H200's; any other is 1000 and its number. */
CUresult cuDeviceGetAttribute(int *out_value, CUdevice_attribute attribute, CUdevice device)
{
    static const struct {
        CUdevice_attribute attribute;
        int value;
    } rows[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472},
        {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
    };

    (void)device;
    *out_value = 1000 + (int)attribute;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        *out_value = rows[i].attribute == attribute ? rows[i].value : *out_value;
    }
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *out_context, CUdevice device)
{
    (void)device;
    *out_context = NULL;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    (void)device;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    (void)context;
    return CUDA_SUCCESS;
}

static void note_launch(const char *name, const uint64_t *words, size_t count);

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    note_launch("limit", (uint64_t[]){limit, value}, 2);
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    while (is_stuck) {
        pause();
    }
    return sticky;
}

CUresult cuCtxResetPersistingL2Cache(void)
{
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuStreamQuery(CUstream stream)
{
    (void)stream;
    return is_endless ? CUDA_ERROR_NOT_READY : sticky;
}

/* Takes any text or image, but for one that starts with "bad". */
CUresult cuModuleLoadDataEx(CUmodule *out_module, const void *image, unsigned count,
                            CUjit_option *options, void **values)
{
    (void)options;
    if (strncmp(image, "bad", 3) == 0) {
        snprintf(values[0], (size_t)(uintptr_t)values[count - 1], "line 1: not for this GPU");
        return CUDA_ERROR_INVALID_IMAGE;
    }
    if (strstr(image, ".extern .func cudaGraphSetConditional") != NULL) {
        return CUDA_ERROR_INVALID_IMAGE; /* the driver has one, for other handles */
    }
    if (module_count == MODULES) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < VARIABLE_BYTES; i++) {
        variables[module_count * VARIABLE_BYTES + i] = (uint8_t)(i + 1);
    }
    *out_module = (CUmodule)(variables + module_count++ * VARIABLE_BYTES);
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
    (void)module;
    return CUDA_SUCCESS;
}

/* A function is its name. */
CUresult cuModuleGetFunction(CUfunction *out_function, CUmodule module, const char *name)
{
    static char names[64][32];
    (void)module;
    for (size_t i = 0; i < 64; i++) {
        if (names[i][0] == '\0' || strcmp(names[i], name) == 0) {
            snprintf(names[i], sizeof names[i], "%s", name);
            *out_function = (CUfunction)names[i];
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *out_address, size_t *out_bytes, CUmodule module,
                              const char *name)
{
    *out_address = VARIABLE_ADDRESS + (CUdeviceptr)((uint8_t *)module - variables);
    *out_bytes = VARIABLE_BYTES;
    return strcmp(name, "counters") == 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuFuncGetAttribute(int *out_value, CUfunction_attribute attribute, CUfunction function)
{
    (void)function;
    *out_value = attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? 49152
                 : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS                    ? 40
                                                                              : 0;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    (void)function;
    (void)attribute;
    return value <= 232448 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out_blocks, CUfunction function,
                                                     int threads, size_t dynamic_bytes)
{
    (void)function;
    (void)dynamic_bytes;
    *out_blocks = 2048 / threads;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(size_t *out_bytes, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags flags)
{
    (void)properties;
    (void)flags;
    *out_bytes = GRANULARITY;
    return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr *out_address, size_t bytes, size_t alignment,
                             CUdeviceptr wanted, unsigned long long flags)
{
    size_t i = 0;
    (void)alignment;
    (void)flags;
    while (i < RANGES && ranges[i].bytes != 0) {
        i++;
    }
    void *place = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (i == RANGES || place == MAP_FAILED) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    CUdeviceptr elsewhere = UINT64_C(0x300000000000) + ((CUdeviceptr)i << 36);
    ranges[i] = (struct range){wanted != 0 ? wanted : elsewhere, bytes, place};
    *out_address = ranges[i].start;
    return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    for (size_t i = 0; i < RANGES; i++) {
        if (ranges[i].bytes == bytes && ranges[i].start == address) {
            munmap(ranges[i].host, bytes);
            ranges[i] = (struct range){0};
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_VALUE;
}

/* The handle of memory is a file. */
CUresult cuMemCreate(CUmemGenericAllocationHandle *out_handle, size_t bytes,
                     const CUmemAllocationProp *properties, unsigned long long flags)
{
    (void)properties;
    (void)flags;
    if (bytes % GRANULARITY != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (bytes > MEMORY_BYTES - memory_used) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    int file = memfd_create("memory", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memory_used += bytes;
    *out_handle = (CUmemGenericAllocationHandle)file;
    return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    memory_used -= (size_t)lseek((int)handle, 0, SEEK_END);
    close((int)handle);
    return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    (void)flags;
    void *place = mmap(host(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                       (int)handle, (off_t)offset);
    return place == MAP_FAILED ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    void *place = mmap(host(address), bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return place == MAP_FAILED ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access,
                        size_t count)
{
    (void)access;
    return host(address) != NULL && bytes % GRANULARITY == 0 && count == 1
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    if (sticky == CUDA_SUCCESS) {
        memcpy(host(to), from, bytes);
    }
    return sticky;
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    if (sticky == CUDA_SUCCESS) {
        memcpy(to, host(from), bytes);
    }
    return sticky;
}

/* As with the real one, the ranges must not overlap. */
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    if ((to < from ? from - to : to - from) < bytes) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (sticky == CUDA_SUCCESS) {
        memcpy(host(to), host(from), bytes);
    }
    return sticky;
}

static CUresult fill(CUdeviceptr address, const void *pattern, size_t pattern_bytes, size_t count)
{
    if (address % pattern_bytes != 0) {
        return CUDA_ERROR_MISALIGNED_ADDRESS;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(host(address) + i * pattern_bytes, pattern, pattern_bytes);
    }
    return sticky;
}

CUresult cuMemsetD8_v2(CUdeviceptr address, unsigned char pattern, size_t count)
{
    return fill(address, &pattern, sizeof pattern, count);
}

CUresult cuMemsetD16_v2(CUdeviceptr address, unsigned short pattern, size_t count)
{
    return fill(address, &pattern, sizeof pattern, count);
}

CUresult cuMemsetD32_v2(CUdeviceptr address, unsigned pattern, size_t count)
{
    return fill(address, &pattern, sizeof pattern, count);
}

CUresult cuDriverGetVersion(int *out_version)
{
    *out_version = DRIVER_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *out_address, size_t bytes)
{
    size_t whole = (bytes + GRANULARITY - 1) / GRANULARITY * GRANULARITY;
    if (whole > MEMORY_BYTES - memory_used ||
        cuMemAddressReserve(out_address, whole, 0, 0, 0) != CUDA_SUCCESS) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    mprotect(host(*out_address), whole, PROT_READ | PROT_WRITE);
    memory_used += whole;
    return CUDA_SUCCESS;
}

/* An array is memory in rows, and an object is the address of what it is made of. */
CUresult cuArray3DCreate_v2(CUarray *out_array, const CUDA_ARRAY3D_DESCRIPTOR *shape)
{
    CUdeviceptr address = 0;
    CUresult result =
        cuMemAlloc_v2(&address, shape->Width * 16 * (shape->Height | 1) * (shape->Depth | 1));
    *out_array = (CUarray)(uintptr_t)address;
    return result;
}

CUresult cuArrayDestroy(CUarray array)
{
    return cuMemFree_v2((CUdeviceptr)(uintptr_t)array);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *out_levels, const CUDA_ARRAY3D_DESCRIPTOR *shape,
                                unsigned count)
{
    (void)out_levels;
    (void)shape;
    (void)count;
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray levels)
{
    (void)levels;
    return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayGetLevel(CUarray *out_array, CUmipmappedArray levels, unsigned level)
{
    (void)out_array;
    (void)levels;
    (void)level;
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuSurfObjectCreate(CUsurfObject *out_object, const CUDA_RESOURCE_DESC *resource)
{
    *out_object = resource->resType == CU_RESOURCE_TYPE_LINEAR
                      ? resource->res.linear.devPtr
                      : (CUsurfObject)(uintptr_t)resource->res.array.hArray;
    return CUDA_SUCCESS;
}

CUresult cuSurfObjectDestroy(CUsurfObject object)
{
    (void)object;
    return CUDA_SUCCESS;
}

CUresult cuTexObjectCreate(CUtexObject *out_object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *description,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
    (void)view;
    return description == NULL ? CUDA_ERROR_INVALID_VALUE
                               : cuSurfObjectCreate(out_object, resource);
}

CUresult cuTexObjectDestroy(CUtexObject object)
{
    return cuSurfObjectDestroy(object);
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    const bool is_from_array = copy->srcMemoryType == CU_MEMORYTYPE_ARRAY;
    const bool is_to_array = copy->dstMemoryType == CU_MEMORYTYPE_ARRAY;
    const size_t width = copy->WidthInBytes;
    uint8_t *from = host(is_from_array ? (uintptr_t)copy->srcArray : copy->srcDevice);
    uint8_t *to = host(is_to_array ? (uintptr_t)copy->dstArray : copy->dstDevice);
    (void)stream;
    for (size_t i = 0; i < copy->Height * copy->Depth; i++) {
        memcpy(to + i * (is_to_array ? width : copy->dstPitch),
               from + i * (is_from_array ? width : copy->srcPitch), width);
    }
    return sticky;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    for (size_t i = 0; i < RANGES; i++) {
        if (ranges[i].start == address && ranges[i].bytes != 0) {
            memory_used -= ranges[i].bytes;
            return cuMemAddressFree(address, ranges[i].bytes);
        }
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostAlloc(void **out_bytes, size_t bytes, unsigned flags)
{
    (void)flags;
    if (is_pinned || bytes > sizeof pinned) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    is_pinned = true;
    *out_bytes = pinned;
    return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *bytes)
{
    is_pinned = false;
    return bytes == pinned ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out_address, void *bytes, unsigned flags)
{
    (void)flags;
    *out_address = (CUdeviceptr)(uintptr_t)bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char pattern, size_t count, CUstream stream)
{
    (void)stream;
    now_ns += 2000;
    return fill(address, &pattern, sizeof pattern, count);
}

CUresult cuMemsetD32Async(CUdeviceptr address, unsigned pattern, size_t count, CUstream stream)
{
    (void)stream;
    now_ns += 2000;
    return fill(address, &pattern, sizeof pattern, count);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    (void)stream;
    now_ns += 2000;
    return cuMemcpyDtoD_v2(to, from, bytes);
}

/* An event is the time at which it was recorded, plus 1; 0: it is free. */
CUresult cuEventCreate(CUevent *out_event, unsigned flags)
{
    (void)flags;
    for (size_t i = 0; i < EVENTS; i++) {
        if (events[i] == 0) {
            events[i] = 1;
            *out_event = (CUevent)&events[i];
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuEventDestroy_v2(CUevent event)
{
    *(uint64_t *)event = 0;
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    (void)stream;
    *(uint64_t *)event = now_ns + 1;
    return sticky;
}

CUresult cuEventQuery(CUevent event)
{
    (void)event;
    return is_endless ? CUDA_ERROR_NOT_READY : sticky;
}

CUresult cuEventElapsedTime(float *out_ms, CUevent start, CUevent end)
{
    *out_ms = (float)(*(uint64_t *)end - *(uint64_t *)start) / 1e6f;
    return sticky;
}

/* What was launched since cuInit: lines of a name and its parameters in hexadecimal, 8 bytes each.
 */
const char *fake_launches(void);

const char *fake_launches(void)
{
    return launches;
}

static void note_launch(const char *name, const uint64_t *words, size_t count)
{
    if (launches_length + 256 > sizeof launches) {
        return;
    }
    char *at = launches + launches_length;
    int length = snprintf(at, 64, "%s", name);
    for (size_t i = 0; i < count && i < 8; i++) {
        length += snprintf(at + length, 32, " %llx", (unsigned long long)words[i]);
    }
    length += snprintf(at + length, 2, "\n");
    launches_length += (size_t)length;
}

static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

/* gpugrade_fill, of f32, f16 and integers of 4 bytes. */
static void fill_values(const uint64_t *words)
{
    for (uint64_t i = 0; i < words[1]; i++) {
        uint64_t bits = mix(words[2] + (i + 1) * 0x9e3779b97f4a7c15u);
        float value = ldexpf((float)(2 * (int32_t)(bits >> 40) + 1 - (1 << 24)), -24);
        int32_t number = (int32_t)(bits >> 48) - (words[3] == 2 ? 32768 : 0);
        value = words[4] ? fabsf(value) : value;
        number = words[4] ? abs(number) : number;
        if (words[3] == TIMING_F16) {
            float few = ldexpf((float)(2 * (int32_t)(bits >> 53) + 1 - (1 << 11)), -11);
            uint16_t half = (uint16_t)f16_of_f32(words[4] ? fabsf(few) : few);
            memcpy(host(words[0]) + 2 * i, &half, 2);
            continue;
        }
        memcpy(host(words[0]) + 4 * i, words[3] == 0 ? (void *)&value : (void *)&number, 4);
    }
}

/* The two comparisons; floats are all that the second knows. */
static void compare(const uint64_t *words, bool has_magnitudes)
{
    const uint8_t *seen = host(words[0]), *expected = host(words[1]);
    const float *magnitudes = elements_at(words[2]);
    uint64_t elements = words[has_magnitudes ? 3 : 2];
    size_t bytes = has_magnitudes ? 4 : words[3];
    uint64_t *result = elements_at(words[has_magnitudes ? 6 : 5]);
    double bound;
    memcpy(&bound, &words[4], sizeof bound);
    for (uint64_t i = 0; i < elements; i++) {
        bool is_right = memcmp(seen + i * bytes, expected + i * bytes, bytes) == 0;
        if (has_magnitudes) {
            float x, y;
            memcpy(&x, seen + i * bytes, sizeof x);
            memcpy(&y, expected + i * bytes, sizeof y);
            double difference = fabs((double)x - (double)y);
            is_right = difference <= bound * (double)magnitudes[i];
        }
        uint64_t index = i + words[has_magnitudes ? 5 : 4];
        result[0] += !is_right;
        result[1] = !is_right && index < result[1] ? index : result[1];
    }
}

/* gpugrade_compare_close, of floats. */
static void compare_close(const uint64_t *words)
{
    const float *seen = elements_at(words[0]), *expected = elements_at(words[1]);
    uint64_t *result = elements_at(words[7]);
    double absolute, relative;
    memcpy(&absolute, &words[4], sizeof absolute);
    memcpy(&relative, &words[5], sizeof relative);
    for (uint64_t i = 0; i < words[2]; i++) {
        double difference = fabs((double)seen[i] - (double)expected[i]);
        if (!(difference <= absolute + relative * fabs((double)expected[i]))) {
            result[0]++;
            result[1] = i + words[6] < result[1] ? i + words[6] : result[1];
        }
    }
}

/* The grader's own kernels; false if `name` is none of them. */
static bool run_own(const char *name, const uint64_t *words)
{
    if (strcmp(name, "gpugrade_fill") == 0) {
        fill_values(words);
    } else if (strcmp(name, "gpugrade_compare_bits") == 0) {
        compare(words, false);
    } else if (strcmp(name, "gpugrade_compare_magnitudes") == 0) {
        compare(words, true);
    } else if (strcmp(name, "gpugrade_compare_close") == 0) {
        compare_close(words);
    } else if (strcmp(name, "gpugrade_stamp") == 0) {
        uint64_t *slots = elements_at(words[0]);
        slots[2 * 3] = now_ns * CYCLES_PER_US / 1000; /* of multiprocessor 3 */
        slots[2 * 3 + 1] = now_ns + 1;
    } else {
        return strcmp(name, "gpugrade_gate") == 0;
    }
    return true;
}

/* What run_scale() does besides, by the beginning of the kernel's name. */
static bool is_kind(const char *name, const char *kind)
{
    return strncmp(name, kind, strlen(kind)) == 0;
}

/* Kernels that are timed: (in, out, count[, address]), out = 0.75 in, of floats.
 *   faulty   leaves elements 5 and 17 out
 *   rough    is off by 2^-20 of the result, 16 u
 *   nan      gives one NaN
 *   idle     leaves everything out; idlethird in every third launch, idleafter in all but the first
 *   tuned    depends on the byte at `address`, right where it is 1
 *   vandal   writes to the byte at `address`
 *   stray    writes one element past the end
 *   scribble writes two elements of its input, after it has used them */
static void run_scale(const char *name, const uint64_t *words, size_t bytes)
{
    float *in = elements_at(words[0]);
    float *out = elements_at(words[1]);
    uint8_t *aside = bytes > 24 ? host(words[3]) : NULL;
    float factor = is_kind(name, "rough") ? 1.0f + ldexpf(1.0f, -20) : 1.0f;
    uint32_t before;
    memcpy(&before, out, sizeof before);
    if ((before & 0xfff80000u) != 0xfff80000u) {
        note_launch("unpoisoned", NULL, 0);
    }
    unsigned launch = is_kind(name, "idle") ? idle_launches++ : 0;
    if (is_kind(name, "idle_") || (is_kind(name, "idlethird") && launch % 3 == 1) ||
        (is_kind(name, "idleafter") && launch > 0)) {
        return;
    }
    for (uint64_t i = 0; i < words[2]; i++) {
        bool is_left_out = is_kind(name, "faulty") && (i == 5 || i == 17);
        out[i] = is_left_out ? out[i] : 0.75f * in[i] * factor;
        out[i] += is_kind(name, "tuned") ? (float)*aside - 1.0f : 0.0f;
    }
    if (is_kind(name, "vandal")) {
        *aside = 77;
    } else if (is_kind(name, "nan")) {
        out[3] = nanf("");
    } else if (is_kind(name, "stray")) {
        out[words[2]] = 1.0f;
    } else if (is_kind(name, "scribble")) {
        in[7] = in[words[2] - 1] = 2.0f;
    }
}

/* store_at(u64 address) writes a byte there; fault_N ends with error N; endless_N never ends, stuck
 * holds the call that waits; late_N holds the host up for 0.1 s. After spoil_N every kernel of a
 * program but itself faults, after jam_N the grader's own are refused. The rest as they say. */
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                          void **extra)
{
    const char *name = (const char *)function;
    uint64_t words[PARAMETER_WORDS] = {0};
    size_t bytes = extra != NULL ? *(size_t *)extra[3] : 0;
    const char *microseconds = strrchr(name, '_');
    if (arguments != NULL || config->gridDimX == 0 || is_kind(name, "refused")) {
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    }
    if (bytes > 0 && bytes <= sizeof words) {
        memcpy(words, extra[1], bytes);
    }
    note_launch(name, words, bytes / 8);
    if (is_kind(name, "late")) {
        usleep(100 * 1000);
    }
    now_ns += microseconds != NULL ? strtoul(microseconds + 1, NULL, 10) * 1000 : 0;
    if (run_own(name, words)) {
        now_ns += 1000;
        return is_jammed ? CUDA_ERROR_UNKNOWN : sticky;
    }
    if (strcmp(name, "store_at") == 0) {
        *host(words[0]) = 1;
        return bytes == sizeof words[0] ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (strcmp(name, "print_text") == 0) {
        printf("first line\nsecond %u\n", config->blockDimX);
    } else if (strcmp(name, "assertion") == 0) {
        fprintf(stderr, "a.cu:3: void k(): block: [4,0,1], thread: [2,3,0] Assertion `x > 0` "
                        "failed.\n");
        sticky = CUDA_ERROR_ASSERT;
    } else if (is_kind(name, "fault_")) {
        sticky = (CUresult)strtol(name + 6, NULL, 10);
    } else if (is_spoilt && !is_kind(name, "spoil")) {
        sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
    } else if (bytes >= 24) {
        run_scale(name, words, bytes);
    }
    is_spoilt = is_spoilt || is_kind(name, "spoil");
    is_jammed = is_jammed || is_kind(name, "jam");
    is_endless = is_kind(name, "endless");
    is_stuck = is_stuck || is_kind(name, "stuck");
    return CUDA_SUCCESS;
}
