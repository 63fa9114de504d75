/* cuda_list.h: the real GPUs of this machine, without opening one. */
#ifndef GPUGRADE_DEVICE_CUDA_CUDA_LIST_H
#define GPUGRADE_DEVICE_CUDA_CUDA_LIST_H

#include "base/diagnostic.h"
#include "base/text.h"

#include <stddef.h>

/* Appends a record (control_gpu_pack) of each GPU that the driver library (DRIVER_LIBRARY, or
 * another one for tests) shows, in its order. No context is created, so no GPU memory is used and
 * no GPU stays awake for long. A GPU that the driver cannot describe is skipped. Errors:
 * ERROR_ENVIRONMENT: no driver, or no GPU that it describes. */
enum error cuda_list(const char *library, struct text *out_records, size_t *out_count,
                     struct diagnostic *diagnostic);

/* The same with the machine's own driver library. */
enum error cuda_list_all(struct text *out_records, size_t *out_count,
                         struct diagnostic *diagnostic);

#endif
