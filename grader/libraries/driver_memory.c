/* driver_memory.c: the stand-in for the driver: memory, copies, fills. */
#include "libraries/driver_state.h"

/* Memory *************************************************************************************/

static cudaError_t refuse_value(void)
{
    return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
}

/* Unlike the runtime the driver gives no memory of no bytes. */
static cudaError_t allocate(CUdeviceptr *address, size_t bytes)
{
    void *pointer = NULL;
    cudaError_t error =
        bytes == 0 || address == NULL ? refuse_value() : cudaMalloc(&pointer, bytes);

    if (error == cudaSuccess) {
        *address = (CUdeviceptr)(uintptr_t)pointer;
    }
    return driver_own(error, &pointer, OWNED_MEMORY);
}

static cudaError_t allocate_rows(CUdeviceptr *address, size_t *pitch, size_t width, size_t rows,
                                 unsigned element_bytes)
{
    const bool is_allowed = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    void *pointer = NULL;
    cudaError_t error = !is_allowed || width == 0 || rows == 0 || address == NULL
                            ? refuse_value()
                            : cudaMallocPitch(&pointer, pitch, width, rows);

    if (error == cudaSuccess) {
        *address = (CUdeviceptr)(uintptr_t)pointer;
    }
    return driver_own(error, &pointer, OWNED_MEMORY);
}

static cudaError_t allocate_managed(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    void *pointer = NULL;
    cudaError_t error =
        address == NULL ? refuse_value() : cudaMallocManaged(&pointer, bytes, flags);

    if (error == cudaSuccess) {
        *address = (CUdeviceptr)(uintptr_t)pointer;
    }
    return driver_own(error, &pointer, OWNED_MEMORY);
}

static cudaError_t allocate_async(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    void *pointer = NULL;
    cudaError_t error = address == NULL ? refuse_value() : cudaMallocAsync(&pointer, bytes, stream);

    if (error == cudaSuccess) {
        *address = (CUdeviceptr)(uintptr_t)pointer;
    }
    return driver_own(error, &pointer, OWNED_MEMORY);
}

/* What is freed has no owner, if that went well. */
static cudaError_t freed(cudaError_t error, const void *pointer)
{
    if (error == cudaSuccess) {
        driver_disown(pointer);
    }
    return error;
}

static cudaError_t allocate_host(void **pointer, size_t bytes, unsigned flags)
{
    cudaError_t error = cudaHostAlloc(pointer, bytes, flags);

    return error == cudaSuccess ? driver_own(error, pointer, OWNED_HOST_MEMORY) : error;
}

static cudaError_t device_pointer(CUdeviceptr *address, void *pointer, unsigned flags)
{
    void *found = NULL;
    cudaError_t error =
        address == NULL ? refuse_value() : cudaHostGetDevicePointer(&found, pointer, flags);

    if (error == cudaSuccess) {
        *address = (CUdeviceptr)(uintptr_t)found;
    }
    return error;
}

DRIVER(cuMemGetInfo, _v2, (size_t * free_bytes, size_t *total_bytes),
       cudaMemGetInfo(free_bytes, total_bytes))
DRIVER(cuMemAlloc, _v2, (CUdeviceptr * address, size_t bytes), allocate(address, bytes))
DRIVER(cuMemAllocPitch, _v2,
       (CUdeviceptr * address, size_t *pitch, size_t width, size_t rows, unsigned element_bytes),
       allocate_rows(address, pitch, width, rows, element_bytes))
DRIVER(cuMemAllocManaged, , (CUdeviceptr * address, size_t bytes, unsigned flags),
       allocate_managed(address, bytes, flags))
DRIVER(cuMemAllocAsync, , (CUdeviceptr * address, size_t bytes, CUstream stream),
       allocate_async(address, bytes, stream))
DRIVER(cuMemFree, _v2, (CUdeviceptr address),
       freed(cudaFree(driver_pointer(address)), driver_pointer(address)))
DRIVER(cuMemFreeAsync, , (CUdeviceptr address, CUstream stream),
       freed(cudaFreeAsync(driver_pointer(address), stream), driver_pointer(address)))
DRIVER(cuMemAllocHost, _v2, (void **pointer, size_t bytes),
       allocate_host(pointer, bytes, cudaHostAllocDefault))
DRIVER(cuMemHostAlloc, , (void **pointer, size_t bytes, unsigned flags),
       allocate_host(pointer, bytes, flags))
DRIVER(cuMemFreeHost, , (void *pointer), freed(cudaFreeHost(pointer), pointer))
DRIVER(cuMemHostRegister, _v2, (void *pointer, size_t bytes, unsigned flags),
       cudaHostRegister(pointer, bytes, flags))
DRIVER(cuMemHostUnregister, , (void *pointer), cudaHostUnregister(pointer))
DRIVER(cuMemHostGetDevicePointer, _v2, (CUdeviceptr * address, void *pointer, unsigned flags),
       device_pointer(address, pointer, flags))
DRIVER(cuMemHostGetFlags, , (unsigned *flags, void *pointer), cudaHostGetFlags(flags, pointer))
DRIVER(cuMemPrefetchAsync, _v2,
       (CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags, CUstream stream),
       cudaMemPrefetchAsync(driver_pointer(address), bytes,
                            (struct cudaMemLocation){(enum cudaMemLocationType)location.type,
                                                     location.id},
                            flags, stream))
DRIVER(cuMemAdvise, _v2,
       (CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location),
       cudaMemAdvise(driver_pointer(address), bytes, (enum cudaMemoryAdvise)advice,
                     (struct cudaMemLocation){(enum cudaMemLocationType)location.type,
                                              location.id}))

/* Addresses **********************************************************************************/

/* The allocation or the variable that an address is in. */
static cudaError_t find_range(CUdeviceptr address, CUdeviceptr *out_start, size_t *out_bytes)
{
    struct message reply, request = {.type = CLIENT_FIND, .words = {0, address}};
    cudaError_t error = runtime_request(&request, &reply);

    if (error != cudaSuccess) {
        return error;
    }
    if (reply.words[1] == 0) {
        return runtime_refuse(cudaErrorSymbolNotFound, REFUSAL_NO_ALLOCATION);
    }
    if (out_start != NULL) {
        *out_start = reply.words[0];
    }
    if (out_bytes != NULL) {
        *out_bytes = (size_t)reply.words[1];
    }
    return cudaSuccess;
}

DRIVER(cuMemGetAddressRange, _v2, (CUdeviceptr * start, size_t *bytes, CUdeviceptr address),
       find_range(address, start, bytes))

static cudaError_t pointer_attribute(void *value, CUpointer_attribute attribute,
                                     CUdeviceptr address)
{
    struct cudaPointerAttributes known = {.type = cudaMemoryTypeUnregistered};
    cudaError_t error = value == NULL ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER)
                                      : cudaPointerGetAttributes(&known, driver_pointer(address));

    if (error == cudaSuccess && known.type == cudaMemoryTypeUnregistered) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_NO_ALLOCATION);
    }
    if (error != cudaSuccess) {
        return error;
    }
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)value = driver_context();
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(CUmemorytype *)value =
            known.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)value = (CUdeviceptr)(uintptr_t)known.devicePointer;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)value = known.hostPointer;
        return known.hostPointer != NULL ? cudaSuccess : refuse_value();
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)value = known.type == cudaMemoryTypeManaged;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)value = 0;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return find_range(address, value, NULL);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return find_range(address, NULL, value);
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *(bool *)value = true;
        return cudaSuccess;
    default:
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
    }
}

DRIVER(cuPointerGetAttribute, , (void *value, CUpointer_attribute attribute, CUdeviceptr address),
       pointer_attribute(value, attribute, address))

/* Copies *************************************************************************************/

DRIVER(cuMemcpy, , (CUdeviceptr target, CUdeviceptr source, size_t bytes),
       cudaMemcpy(driver_pointer(target), driver_pointer(source), bytes, cudaMemcpyDefault))
DRIVER(cuMemcpyAsync, , (CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream),
       cudaMemcpyAsync(driver_pointer(target), driver_pointer(source), bytes, cudaMemcpyDefault,
                       stream))
DRIVER(cuMemcpyHtoD, _v2, (CUdeviceptr target, const void *source, size_t bytes),
       cudaMemcpy(driver_pointer(target), source, bytes, cudaMemcpyHostToDevice))
DRIVER(cuMemcpyDtoH, _v2, (void *target, CUdeviceptr source, size_t bytes),
       cudaMemcpy(target, driver_pointer(source), bytes, cudaMemcpyDeviceToHost))
DRIVER(cuMemcpyDtoD, _v2, (CUdeviceptr target, CUdeviceptr source, size_t bytes),
       cudaMemcpy(driver_pointer(target), driver_pointer(source), bytes, cudaMemcpyDeviceToDevice))
DRIVER(cuMemcpyHtoDAsync, _v2,
       (CUdeviceptr target, const void *source, size_t bytes, CUstream stream),
       cudaMemcpyAsync(driver_pointer(target), source, bytes, cudaMemcpyHostToDevice, stream))
DRIVER(cuMemcpyDtoHAsync, _v2, (void *target, CUdeviceptr source, size_t bytes, CUstream stream),
       cudaMemcpyAsync(target, driver_pointer(source), bytes, cudaMemcpyDeviceToHost, stream))
DRIVER(cuMemcpyDtoDAsync, _v2,
       (CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream),
       cudaMemcpyAsync(driver_pointer(target), driver_pointer(source), bytes,
                       cudaMemcpyDeviceToDevice, stream))

/* One side of a copy of rows; false if it is an array. */
static bool start_of(CUmemorytype type, const void *host, CUdeviceptr device, size_t offset,
                     const void **out)
{
    if (type == CU_MEMORYTYPE_HOST) {
        *out = (const char *)host + offset;
    } else {
        *out = (const char *)driver_pointer(device) + offset;
    }
    return type == CU_MEMORYTYPE_HOST || type == CU_MEMORYTYPE_DEVICE ||
           type == CU_MEMORYTYPE_UNIFIED;
}

static enum cudaMemcpyKind direction_of(const CUDA_MEMCPY2D *copy)
{
    const bool from_host = copy->srcMemoryType == CU_MEMORYTYPE_HOST;
    const bool to_host = copy->dstMemoryType == CU_MEMORYTYPE_HOST;

    if (copy->srcMemoryType == CU_MEMORYTYPE_UNIFIED ||
        copy->dstMemoryType == CU_MEMORYTYPE_UNIFIED) {
        return cudaMemcpyDefault;
    }
    return from_host ? (to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
                     : (to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice);
}

/* A pitch of 0 stands for rows without gaps. */
static cudaError_t copy_rows(const CUDA_MEMCPY2D *copy, bool is_async, CUstream stream)
{
    const void *source, *target;

    if (copy == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    const size_t from = copy->srcPitch == 0 ? copy->WidthInBytes : copy->srcPitch;
    const size_t to = copy->dstPitch == 0 ? copy->WidthInBytes : copy->dstPitch;
    if (!start_of(copy->srcMemoryType, copy->srcHost, copy->srcDevice,
                  copy->srcY * from + copy->srcXInBytes, &source) ||
        !start_of(copy->dstMemoryType, copy->dstHost, copy->dstDevice,
                  copy->dstY * to + copy->dstXInBytes, &target)) {
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
    }
    void *const place = (void *)(uintptr_t)target;
    return is_async ? cudaMemcpy2DAsync(place, to, source, from, copy->WidthInBytes, copy->Height,
                                        direction_of(copy), stream)
                    : cudaMemcpy2D(place, to, source, from, copy->WidthInBytes, copy->Height,
                                   direction_of(copy));
}

DRIVER(cuMemcpy2D, _v2, (const CUDA_MEMCPY2D *copy), copy_rows(copy, false, NULL))
DRIVER(cuMemcpy2DUnaligned, _v2, (const CUDA_MEMCPY2D *copy), copy_rows(copy, false, NULL))
DRIVER(cuMemcpy2DAsync, _v2, (const CUDA_MEMCPY2D *copy, CUstream stream),
       copy_rows(copy, true, stream))

/* Fills **************************************************************************************/

/* `rows` rows of `count` elements; the address is aligned to them. */
static bool fill_of(CUdeviceptr address, size_t pitch, unsigned value, size_t element_bytes,
                    size_t count, size_t rows, struct runtime_fill *out)
{
    size_t width = 0;

    if (address % element_bytes != 0 || __builtin_mul_overflow(count, element_bytes, &width)) {
        return false;
    }
    *out = (struct runtime_fill){
        .target = driver_pointer(address),
        .pitch = rows == 1 ? width : pitch,
        .value = value,
        .element_bytes = element_bytes,
        .width = width,
        .rows = rows,
    };
    return true;
}

static cudaError_t fill(CUdeviceptr address, size_t pitch, unsigned value, size_t element_bytes,
                        size_t count, size_t rows)
{
    struct runtime_fill fill;

    return fill_of(address, pitch, value, element_bytes, count, rows, &fill)
               ? runtime_fill_and_wait(&fill)
               : refuse_value();
}

static cudaError_t fill_async(CUdeviceptr address, unsigned value, size_t element_bytes,
                              size_t count, CUstream stream)
{
    struct runtime_op op = {.kind = OP_FILL};

    return fill_of(address, 0, value, element_bytes, count, 1, &op.fill)
               ? runtime_submit(stream, &op)
               : refuse_value();
}

#define FILLS(bits, type)                                                                          \
    DRIVER(cuMemsetD##bits, _v2, (CUdeviceptr address, type value, size_t count),                  \
           fill(address, 0, value, sizeof(value), count, 1))                                       \
    DRIVER(cuMemsetD##bits##Async, ,                                                               \
           (CUdeviceptr address, type value, size_t count, CUstream stream),                       \
           fill_async(address, value, sizeof(value), count, stream))                               \
    DRIVER(cuMemsetD2D##bits, _v2,                                                                 \
           (CUdeviceptr address, size_t pitch, type value, size_t width, size_t rows),             \
           fill(address, pitch, value, sizeof(value), width, rows))
FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned)
