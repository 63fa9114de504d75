/* error_texts.c: the calls of NVRTC and the driver that say what an error means. Programs print
 * what they give after each call that is refused. */
#include <cuda_runtime_api.h>

const char *nvrtcGetErrorString(int result);
int cuGetErrorString(int error, const char **out_text);
int cuGetErrorName(int error, const char **out_name);

const char *nvrtcGetErrorString(int result)
{
    return result == 0 ? "NVRTC_SUCCESS" : "NVRTC_ERROR_INTERNAL_ERROR";
}

/* The driver's errors have the numbers of the runtime's. */
int cuGetErrorString(int error, const char **out_text)
{
    if (out_text == NULL) {
        return cudaErrorInvalidValue;
    }
    *out_text = cudaGetErrorString((cudaError_t)error);
    return cudaSuccess;
}

int cuGetErrorName(int error, const char **out_name)
{
    if (out_name == NULL) {
        return cudaErrorInvalidValue;
    }
    *out_name = cudaGetErrorName((cudaError_t)error);
    return cudaSuccess;
}
