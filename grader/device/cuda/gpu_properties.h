/* gpu_properties.h: the GPUs of this machine, as the driver describes them. */
#ifndef GPUGRADE_DEVICE_CUDA_GPU_PROPERTIES_H
#define GPUGRADE_DEVICE_CUDA_GPU_PROPERTIES_H

#include "device/cuda/driver.h"
#include "occupancy/occupancy.h"

enum { GPU_UUID_BYTES = 41 }; /* "GPU-" and 36 characters, and a NUL */

/* Finds a GPU: by its number among those that the driver shows ("1"; CUDA_VISIBLE_DEVICES counts),
 * or by its UUID as nvidia-smi -L prints it, or the beginning of one ("GPU-6f0c"); NULL and "" take
 * the first. Errors: ERROR_NOT_FOUND, ERROR_ENVIRONMENT. */
enum error gpu_find(const struct driver *driver, const char *gpu, CUdevice *out_gpu,
                    struct diagnostic *diagnostic);

/* Fills a model with what the driver says about a GPU; its name is the device's name. Errors:
 * ERROR_ENVIRONMENT. */
enum error gpu_describe(const struct driver *driver, CUdevice gpu, struct gpu_model *out_model,
                        struct diagnostic *diagnostic);

/* Writes the UUID of a GPU in the form of nvidia-smi; false if the driver does not report it. */
bool gpu_uuid(const struct driver *driver, CUdevice gpu, char out_uuid[GPU_UUID_BYTES]);

#endif
