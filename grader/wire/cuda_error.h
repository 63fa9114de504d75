/* cuda_error.h: the error codes of the runtime and the driver by name, for the device (which
 * answers with those of the runtime), the stand-ins (which name them) and reports. */
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

/* What the driver answers where the runtime answers `code`, which is the same for most. */
int driver_status_of(int code);

/* Returns "CUDA_ERROR_INVALID_VALUE" for 1; NULL for what the driver never answers. */
const char *driver_status_name(int code);

#endif
