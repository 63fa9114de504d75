/* fake_libcuda.c: a driver library without a GPU, for test_cuda_backend.c: built as a shared object
 * and opened by its path in place of libcuda.so.1.
 *
 * Reserved addresses are backed by a reservation of this process at another place; mapping puts a
 * memory file there, so that memory keeps its bytes while it is not mapped. A kernel does what its
 * name says (cuLaunchKernelEx). An error of a kernel is sticky, as with the real driver: copies and
 * questions give it from then on. FAKE_LIBCUDA_GPUS says how many GPUs there are (2).
 */
#include <cuda.h>

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
    RANGES = 16,
    VARIABLE_BYTES = 64,
    VARIABLE_ADDRESS = 0x20000000,
};

struct range {
    CUdeviceptr start;
    size_t bytes;
    uint8_t *host;
};

static struct range ranges[RANGES];
static size_t memory_used;
static uint8_t variable[VARIABLE_BYTES]; /* the only one, "counters" */
static CUresult sticky;
static bool is_endless;

static uint8_t *host(CUdeviceptr address)
{
    if (address - VARIABLE_ADDRESS < VARIABLE_BYTES) {
        return variable + (address - VARIABLE_ADDRESS);
    }
    for (size_t i = 0; i < RANGES; i++) {
        if (address - ranges[i].start < ranges[i].bytes) {
            return ranges[i].host + (address - ranges[i].start);
        }
    }
    return NULL;
}

static int gpu_count(void)
{
    const char *count = getenv("FAKE_LIBCUDA_GPUS");
    return count == NULL ? 2 : count[0] - '0';
}

CUresult cuInit(unsigned flags)
{
    (void)flags;
    sticky = CUDA_SUCCESS;
    is_endless = false;
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

CUresult cuDeviceGetUuid(CUuuid *out_uuid, CUdevice device)
{
    memset(out_uuid, 0xa0 + device, sizeof *out_uuid);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *out_bytes, CUdevice device)
{
    (void)device;
    *out_bytes = MEMORY_BYTES;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *out_value, CUdevice_attribute attribute, CUdevice device)
{
    (void)device;
    *out_value = 1000 + (int)attribute;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *out_context, CUdevice device)
{
    (void)device;
    *out_context = NULL;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    (void)device;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    (void)context;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    (void)limit;
    (void)value;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    return sticky;
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
    for (size_t i = 0; i < VARIABLE_BYTES; i++) {
        variable[i] = (uint8_t)(i + 1);
    }
    *out_module = (CUmodule)variable;
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
    static char names[32][32];
    (void)module;
    for (size_t i = 0; i < 32; i++) {
        if (names[i][0] == '\0' || strcmp(names[i], name) == 0) {
            snprintf(names[i], sizeof names[i], "%s", name);
            *out_function = (CUfunction)names[i];
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetGlobal(CUdeviceptr *out_address, size_t *out_bytes, CUmodule module,
                           const char *name)
{
    (void)module;
    *out_address = VARIABLE_ADDRESS;
    *out_bytes = VARIABLE_BYTES;
    return strcmp(name, "counters") == 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuFuncGetAttribute(int *out_value, CUfunction_attribute attribute, CUfunction function)
{
    (void)function;
    *out_value = attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? 49152 : 0;
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

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    if (sticky == CUDA_SUCCESS) {
        memcpy(host(to), from, bytes);
    }
    return sticky;
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    if (sticky == CUDA_SUCCESS) {
        memcpy(to, host(from), bytes);
    }
    return sticky;
}

/* As with the real one, the ranges must not overlap. */
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
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

CUresult cuMemsetD8(CUdeviceptr address, unsigned char pattern, size_t count)
{
    return fill(address, &pattern, sizeof pattern, count);
}

CUresult cuMemsetD16(CUdeviceptr address, unsigned short pattern, size_t count)
{
    return fill(address, &pattern, sizeof pattern, count);
}

CUresult cuMemsetD32(CUdeviceptr address, unsigned pattern, size_t count)
{
    return fill(address, &pattern, sizeof pattern, count);
}

CUresult cuDriverGetVersion(int *out_version)
{
    *out_version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

/* store_at(u64 address) writes a byte there; fault_N ends with error N; the rest as they say. */
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                          void **extra)
{
    const char *name = (const char *)function;
    if (arguments != NULL || config->gridDimX == 0 || strcmp(name, "refused") == 0) {
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    }
    if (strcmp(name, "store_at") == 0) {
        uint64_t address;
        memcpy(&address, extra[1], sizeof address);
        *host(address) = 1;
        return *(size_t *)extra[3] == sizeof address ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (strcmp(name, "print_text") == 0) {
        printf("first line\nsecond %u\n", config->blockDimX);
    } else if (strcmp(name, "assertion") == 0) {
        fprintf(stderr, "a.cu:3: void k(): block: [4,0,1], thread: [2,3,0] Assertion `x > 0` "
                        "failed.\n");
        sticky = CUDA_ERROR_ASSERT;
    } else if (strncmp(name, "fault_", 6) == 0) {
        sticky = (CUresult)strtol(name + 6, NULL, 10);
    }
    is_endless = strcmp(name, "endless") == 0;
    return CUDA_SUCCESS;
}
