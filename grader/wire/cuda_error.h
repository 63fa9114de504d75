/* cuda_error.h: the runtime's error codes by name, for the device (which answers with them), the
 * stand-in runtime (which names them) and reports. */
#ifndef GPUGRADE_WIRE_CUDA_ERROR_H
#define GPUGRADE_WIRE_CUDA_ERROR_H

enum cuda_status {
#define CUDA_STATUS(name, code, ...) CUDA_STATUS_##name = code,
#include "wire/cuda_errors.def"
#undef CUDA_STATUS
};

/* Returns "cudaErrorInvalidValue" for 1; "unrecognized error code" for a code outside the table. */
const char *cuda_status_name(int code);

/* Returns "invalid argument" for 1; "unrecognized error code" for a code outside the table. */
const char *cuda_status_text(int code);

#endif
