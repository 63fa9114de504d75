/* driver_names.c: the stand-in for the driver: its errors and its calls by name. */
#include "libraries/driver_state.h"

#include "wire/cuda_error.h"

#include <cudaProfiler.h>
#include <string.h>

CUresult cuGetErrorName(CUresult error, const char **text)
{
    const char *name = driver_status_name((int)error);

    if (text == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *text = name;
    return name == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* Where both have an error they say the same. */
CUresult cuGetErrorString(CUresult error, const char **text)
{
    if (text == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (driver_status_name((int)error) == NULL) {
        *text = NULL;
        return CUDA_ERROR_INVALID_VALUE;
    }
    *text = error == CUDA_ERROR_CONTEXT_ALREADY_CURRENT ? "context already current"
                                                        : cuda_status_text((int)error);
    return CUDA_SUCCESS;
}

/* The versions of calls that programs of older toolkits have; they do the same. */
CUresult old_ctx_create(CUcontext *, unsigned, CUdevice) __asm__("cuCtxCreate_v2");
CUresult old_elapsed_time(float *, CUevent, CUevent) __asm__("cuEventElapsedTime");
CUresult old_proc_address(const char *, void **, int, cuuint64_t) __asm__("cuGetProcAddress");

CUresult old_ctx_create(CUcontext *context, unsigned flags, CUdevice device)
{
    return cuCtxCreate(context, NULL, flags, device);
}

CUresult old_elapsed_time(float *milliseconds, CUevent start, CUevent end)
{
    return cuEventElapsedTime(milliseconds, start, end);
}

CUresult old_proc_address(const char *name, void **call, int version, cuuint64_t flags)
{
    return cuGetProcAddress(name, call, version, flags, NULL);
}

/* Only the newest version of a call is known by name. */
CUresult cuGetProcAddress_v2(const char *name, void **call, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *result)
{
    static const struct {
        const char *name;
        void (*call)(void);
    } known[] = {
#define DRIVER_CALL(name, version, runtime) {#name, (void (*)(void))name##version},
#include "wire/driver_api.def"
#undef DRIVER_CALL
    };
    bool is_found = false;

    (void)version;
    (void)flags;
    if (name == NULL || call == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *call = NULL;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]) && !is_found; i++) {
        is_found = strcmp(known[i].name, name) == 0;
        if (is_found) {
            memcpy(call, &known[i].call, sizeof(*call));
        }
    }
    if (result != NULL) {
        *result = is_found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return is_found || result != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
