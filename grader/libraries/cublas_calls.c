/* cublas_calls.c: handles of cuBLAS, their settings, and copies between host and device. Settings
 * that choose between ways to compute change nothing here. */
#include "libraries/blas_values.h"

#include <stdlib.h>

static struct runtime_registry handles;

/* Calls *******************************************************************************************/

bool blas_enter(enum runtime_call call, cublasHandle_t handle)
{
    runtime_enter(call);
    if (registry_contains(&handles, handle)) {
        return true;
    }
    blas_refuse(CUBLAS_STATUS_NOT_INITIALIZED, REFUSAL_LIBRARY_HANDLE);
    return false;
}

cublasStatus_t blas_refuse(cublasStatus_t status, enum refusal why)
{
    runtime_leave(runtime_refuse(cudaErrorInvalidValue, why));
    return status;
}

cublasStatus_t blas_leave(cudaError_t error)
{
    switch (runtime_leave(error)) {
    case cudaSuccess:
        return CUBLAS_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
        return CUBLAS_STATUS_ALLOC_FAILED;
    case cudaErrorNoDevice:
    case cudaErrorDevicesUnavailable:
        return CUBLAS_STATUS_NOT_INITIALIZED;
    default:
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

const char *cublasGetStatusName(cublasStatus_t status)
{
    static const char *const names[] = {
        [CUBLAS_STATUS_SUCCESS] = "CUBLAS_STATUS_SUCCESS",
        [CUBLAS_STATUS_NOT_INITIALIZED] = "CUBLAS_STATUS_NOT_INITIALIZED",
        [CUBLAS_STATUS_ALLOC_FAILED] = "CUBLAS_STATUS_ALLOC_FAILED",
        [CUBLAS_STATUS_INVALID_VALUE] = "CUBLAS_STATUS_INVALID_VALUE",
        [CUBLAS_STATUS_ARCH_MISMATCH] = "CUBLAS_STATUS_ARCH_MISMATCH",
        [CUBLAS_STATUS_MAPPING_ERROR] = "CUBLAS_STATUS_MAPPING_ERROR",
        [CUBLAS_STATUS_EXECUTION_FAILED] = "CUBLAS_STATUS_EXECUTION_FAILED",
        [CUBLAS_STATUS_INTERNAL_ERROR] = "CUBLAS_STATUS_INTERNAL_ERROR",
        [CUBLAS_STATUS_NOT_SUPPORTED] = "CUBLAS_STATUS_NOT_SUPPORTED",
        [CUBLAS_STATUS_LICENSE_ERROR] = "CUBLAS_STATUS_LICENSE_ERROR",
    };
    const size_t number = (size_t)status;

    return number < sizeof(names) / sizeof(names[0]) && names[number] != NULL
               ? names[number]
               : "unrecognized status";
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    static const char *const texts[] = {
        [CUBLAS_STATUS_SUCCESS] = "success",
        [CUBLAS_STATUS_NOT_INITIALIZED] = "the library was not initialized",
        [CUBLAS_STATUS_ALLOC_FAILED] = "the resource allocation failed",
        [CUBLAS_STATUS_INVALID_VALUE] =
            "an unsupported value or parameter was passed to the function",
        [CUBLAS_STATUS_ARCH_MISMATCH] =
            "the function requires an architectural feature absent from the device",
        [CUBLAS_STATUS_MAPPING_ERROR] = "an access to GPU memory space failed",
        [CUBLAS_STATUS_EXECUTION_FAILED] = "the function failed to launch on the GPU",
        [CUBLAS_STATUS_INTERNAL_ERROR] = "an internal operation failed",
        [CUBLAS_STATUS_NOT_SUPPORTED] = "the requested functionality is not supported",
        [CUBLAS_STATUS_LICENSE_ERROR] = "the license check failed",
    };
    const size_t number = (size_t)status;

    return number < sizeof(texts) / sizeof(texts[0]) && texts[number] != NULL
               ? texts[number]
               : "unrecognized status";
}

/* Handles *****************************************************************************************/

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    runtime_enter(RUNTIME_CALL_cublasCreate);
    if (handle == NULL) {
        return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, REFUSAL_NULL_POINTER);
    }
    cudaError_t error = runtime_ready();
    if (error != cudaSuccess) {
        return blas_leave(error);
    }
    struct cublasContext *made = calloc(1, sizeof(*made));
    if (made == NULL || !registry_add(&handles, made, 0)) {
        free(made);
        return blas_refuse(CUBLAS_STATUS_ALLOC_FAILED, REFUSAL_HOST_MEMORY);
    }
    *handle = made;
    return blas_leave(cudaSuccess);
}

/* It waits for the device. */
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    if (!blas_enter(RUNTIME_CALL_cublasDestroy, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    registry_remove(&handles, handle);
    free(handle);
    return blas_leave(cudaSuccess);
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    if (!blas_enter(RUNTIME_CALL_cublasGetVersion, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (version == NULL) {
        return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, REFUSAL_NULL_POINTER);
    }
    *version = CUBLAS_VERSION;
    return blas_leave(cudaSuccess);
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};

    if (value == NULL || (unsigned)type > PATCH_LEVEL) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    *value = parts[type];
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes)
{
    (void)workspace;
    (void)bytes;
    return blas_enter(RUNTIME_CALL_cublasSetWorkspace, handle) ? blas_leave(cudaSuccess)
                                                               : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    if (!blas_enter(RUNTIME_CALL_cublasSetStream, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (!runtime_stream_exists(stream)) {
        return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, REFUSAL_NO_STREAM);
    }
    handle->stream = stream;
    return blas_leave(cudaSuccess);
}

/* A setting of handles, with what is greater than all of its values. */
#define SETTING(name, version, type, field, beyond)                                                \
    cublasStatus_t cublasSet##name##version(cublasHandle_t handle, type value)                     \
    {                                                                                              \
        if (!blas_enter(RUNTIME_CALL_cublasSet##name, handle)) {                                   \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        }                                                                                          \
        if ((unsigned)value >= (beyond)) {                                                         \
            return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, REFUSAL_VALUE);                        \
        }                                                                                          \
        handle->field = value;                                                                     \
        return blas_leave(cudaSuccess);                                                            \
    }                                                                                              \
    READ_SETTING(name, version, type, field)
#define READ_SETTING(name, version, type, field)                                                   \
    cublasStatus_t cublasGet##name##version(cublasHandle_t handle, type *out_value)                \
    {                                                                                              \
        if (!blas_enter(RUNTIME_CALL_cublasGet##name, handle)) {                                   \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        }                                                                                          \
        if (out_value == NULL) {                                                                   \
            return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, REFUSAL_NULL_POINTER);                 \
        }                                                                                          \
        *out_value = handle->field;                                                                \
        return blas_leave(cudaSuccess);                                                            \
    }
SETTING(PointerMode, _v2, cublasPointerMode_t, pointer_mode, 2)
SETTING(AtomicsMode, , cublasAtomicsMode_t, atomics_mode, 2)
SETTING(MathMode, , cublasMath_t, math_mode, 32)
READ_SETTING(Stream, _v2, cudaStream_t, stream)

/* Copies ******************************************************************************************/

struct transfer {
    int rows, columns, bytes;
    const void *from;
    int from_stride;
    void *to;
    int to_stride;
    bool is_to_device, is_asynchronous;
    cudaStream_t stream;
};

/* Elements of columns that lie `stride` elements apart. */
static cublasStatus_t transfer(enum runtime_call call, const struct transfer *asked)
{
    const size_t element = (size_t)asked->bytes, width = element * (size_t)asked->rows;

    runtime_enter(call);
    if (asked->rows < 0 || asked->columns < 0 || asked->bytes <= 0) {
        return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, REFUSAL_SIZE);
    }
    if (asked->rows == 0 || asked->columns == 0) {
        return blas_leave(cudaSuccess);
    }
    if (asked->from_stride < asked->rows || asked->to_stride < asked->rows) {
        return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, REFUSAL_LEADING);
    }
    struct runtime_op op = {
        .kind = OP_COPY,
        .copy = {.target = asked->to,
                 .target_pitch = element * (size_t)asked->to_stride,
                 .source = asked->from,
                 .source_pitch = element * (size_t)asked->from_stride,
                 .width = width,
                 .rows = (size_t)asked->columns,
                 .kind = asked->is_to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost},
    };
    if (!asked->is_asynchronous) {
        return blas_leave(runtime_copy_and_wait(&op.copy));
    }
    return blas_leave(runtime_submit(asked->stream, &op));
}

/* Both directions of a copy, at once and in a stream. */
#define VECTOR(name, to_device, tail, asynchronous, in_stream)                                     \
    cublasStatus_t cublas##name tail                                                               \
    {                                                                                              \
        return transfer(RUNTIME_CALL_cublas##name,                                                 \
                        &(struct transfer){1, n, bytes, x, incx, y, incy, to_device, asynchronous, \
                                           in_stream});                                            \
    }
#define MATRIX(name, to_device, tail, asynchronous, in_stream)                                     \
    cublasStatus_t cublas##name tail                                                               \
    {                                                                                              \
        return transfer(RUNTIME_CALL_cublas##name,                                                 \
                        &(struct transfer){rows, columns, bytes, a, lda, b, ldb, to_device,        \
                                           asynchronous, in_stream});                              \
    }
#define VECTOR_PARAMETERS int n, int bytes, const void *x, int incx, void *y, int incy
#define MATRIX_PARAMETERS int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb
VECTOR(SetVector, true, (VECTOR_PARAMETERS), false, NULL)
VECTOR(GetVector, false, (VECTOR_PARAMETERS), false, NULL)
VECTOR(SetVectorAsync, true, (VECTOR_PARAMETERS, cudaStream_t stream), true, stream)
VECTOR(GetVectorAsync, false, (VECTOR_PARAMETERS, cudaStream_t stream), true, stream)
MATRIX(SetMatrix, true, (MATRIX_PARAMETERS), false, NULL)
MATRIX(GetMatrix, false, (MATRIX_PARAMETERS), false, NULL)
MATRIX(SetMatrixAsync, true, (MATRIX_PARAMETERS, cudaStream_t stream), true, stream)
MATRIX(GetMatrixAsync, false, (MATRIX_PARAMETERS, cudaStream_t stream), true, stream)
