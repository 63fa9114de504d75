/* gpu_properties.c: see gpu_properties.h. */
#include "device/cuda/gpu_properties.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

bool gpu_uuid(const struct driver *driver, CUdevice gpu, char out_uuid[GPU_UUID_BYTES])
{
    CUuuid uuid;
    if (driver->device_uuid(&uuid, gpu) != CUDA_SUCCESS) {
        return false;
    }
    size_t length = (size_t)snprintf(out_uuid, GPU_UUID_BYTES, "GPU-");
    for (size_t i = 0; i < sizeof uuid.bytes; i++) {
        const char *dash = i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
        length += (size_t)snprintf(out_uuid + length, GPU_UUID_BYTES - length, "%s%02x", dash,
                                   (unsigned char)uuid.bytes[i]);
    }
    return true;
}

/* True if a GPU is the one of a number, or of a UUID that begins so. */
static bool is_meant(const struct driver *driver, CUdevice gpu, int number, const char *wanted)
{
    char uuid[GPU_UUID_BYTES];
    long long wanted_number;
    if (text_to_integer(wanted, 0, 1 << 16, &wanted_number)) {
        return wanted_number == number;
    }
    return text_starts_with(wanted, "GPU-") && gpu_uuid(driver, gpu, uuid) &&
           text_starts_with(uuid, wanted);
}

enum error gpu_find(const struct driver *driver, const char *gpu, CUdevice *out_gpu,
                    struct diagnostic *diagnostic)
{
    int count = 0;
    if (driver->device_count(&count) != CUDA_SUCCESS || count < 1) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the NVIDIA driver finds no GPU; see what nvidia-smi says, or use the "
                       "emulated device (--device emulated)");
        return ERROR_ENVIRONMENT;
    }
    const char *wanted = gpu == NULL || gpu[0] == '\0' ? "0" : gpu;
    for (int i = 0; i < count; i++) {
        CUdevice candidate;
        if (driver->device_get(&candidate, i) == CUDA_SUCCESS &&
            is_meant(driver, candidate, i, wanted)) {
            *out_gpu = candidate;
            return ERROR_NONE;
        }
    }
    diagnostic_set(
        diagnostic, BLAME_USAGE,
        "there is no GPU '%s' among the %d of this machine; list them with nvidia-smi -L", wanted,
        count);
    return ERROR_NOT_FOUND;
}

enum error gpu_describe(const struct driver *driver, CUdevice gpu, struct gpu_model *out_model,
                        struct diagnostic *diagnostic)
{
    struct gpu_model model = {.name = ""};
    size_t memory_bytes = 0;
    CUresult result = driver->device_name(model.device_name, (int)sizeof model.device_name, gpu);
    if (result == CUDA_SUCCESS) {
        result = driver->device_memory(&memory_bytes, gpu);
    }
#define GPU_ATTRIBUTE(field, attribute)                                                            \
    if (result == CUDA_SUCCESS) {                                                                  \
        int value = 0;                                                                             \
        result = driver->device_attribute(&value, CU_DEVICE_ATTRIBUTE_##attribute, gpu);           \
        model.field = (uint32_t)value;                                                             \
    }
#include "device/cuda/gpu_attributes.def"
#undef GPU_ATTRIBUTE
    if (result != CUDA_SUCCESS) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the NVIDIA driver does not describe GPU %d (%s)", (int)gpu,
                       driver_error_name(driver, result));
        return ERROR_ENVIRONMENT;
    }
    memcpy(model.name, model.device_name, sizeof model.name - 1);
    model.global_memory_bytes = memory_bytes;
    *out_model = model;
    return ERROR_NONE;
}
