/* cuda_list.c: asks the driver for its GPUs; see cuda_list.h. */
#include "device/cuda/cuda_list.h"

#include "device/cuda/driver.h"
#include "device/cuda/gpu_properties.h"
#include "occupancy/gpu_model_record.h"
#include "wire/control.h"

#include <stdio.h>

_Static_assert((int)CONTROL_MODEL_BYTES == (int)GPU_MODEL_RECORD_BYTES, "a model fits its field");

static enum error describe(const struct driver *driver, int number, int driver_version,
                           struct control_gpu *out_gpu, struct diagnostic *diagnostic)
{
    struct gpu_model model;
    char uuid[GPU_UUID_BYTES];
    CUdevice gpu;

    if (driver->device_get(&gpu, number) != CUDA_SUCCESS || !gpu_uuid(driver, gpu, uuid)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the NVIDIA driver does not identify GPU %d; see what nvidia-smi says",
                       number);
        return ERROR_ENVIRONMENT;
    }
    enum error error = gpu_describe(driver, gpu, &model, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    *out_gpu = (struct control_gpu){.driver_version = (uint32_t)driver_version};
    snprintf(out_gpu->uuid, sizeof out_gpu->uuid, "%s", uuid);
    gpu_model_pack(&model, out_gpu->model);
    return ERROR_NONE;
}

enum error cuda_list(const char *library, struct text *out_records, size_t *out_count,
                     struct diagnostic *diagnostic)
{
    struct driver driver;
    struct control_gpu gpu;
    size_t listed = 0;
    int count = 0;
    int version = 0;
    enum error error = driver_open(library, &driver, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (driver.device_count(&count) != CUDA_SUCCESS || count < 1) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the NVIDIA driver shows no GPU; see what nvidia-smi says, and check "
                       "CUDA_VISIBLE_DEVICES");
        count = 0;
    }
    if (driver.driver_version(&version) != CUDA_SUCCESS) {
        version = 0;
    }
    for (int i = 0; i < count; i++) {
        if (describe(&driver, i, version, &gpu, diagnostic) == ERROR_NONE) {
            control_gpu_pack(&gpu, out_records);
            listed++;
        }
    }
    driver_close(&driver);
    if (listed == 0) {
        return ERROR_ENVIRONMENT;
    }
    *out_count = listed;
    return ERROR_NONE;
}

enum error cuda_list_all(struct text *out_records, size_t *out_count, struct diagnostic *diagnostic)
{
    return cuda_list(DRIVER_LIBRARY, out_records, out_count, diagnostic);
}
