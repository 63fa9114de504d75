/* runtime_array.c: the arrays that exist, and their texels. */
#include "cudart/runtime_array.h"

#include <stdlib.h>

static struct runtime_registry arrays, mipmapped;

bool runtime_array_exists(cudaArray_const_t array)
{
    for (size_t i = 0; i < mipmapped.count; i++) {
        const struct cudaMipmappedArray *levels = mipmapped.entries[i].pointer;
        for (unsigned k = 0; k < levels->levels[0].texels.levels; k++) {
            if (array == &levels->levels[k]) {
                return true;
            }
        }
    }
    return registry_contains(&arrays, array);
}

bool runtime_levels_exist(cudaMipmappedArray_const_t levels)
{
    return registry_contains(&mipmapped, levels);
}

bool runtime_keep_array(struct cudaArray *array)
{
    return registry_add(&arrays, array, sizeof(*array));
}

bool runtime_keep_levels(struct cudaMipmappedArray *levels)
{
    return registry_add(&mipmapped, levels, sizeof(*levels));
}

bool runtime_drop_array(cudaArray_const_t array)
{
    return registry_remove(&arrays, array);
}

bool runtime_drop_levels(cudaMipmappedArray_const_t levels)
{
    return registry_remove(&mipmapped, levels);
}

static void forget(struct runtime_registry *registry)
{
    while (registry->count > 0) {
        free(registry->entries[--registry->count].pointer);
    }
}

void runtime_forget_arrays(void)
{
    forget(&arrays);
    forget(&mipmapped);
}

cudaError_t runtime_read_format(const struct cudaChannelFormatDesc *format,
                                struct texture_record *out_record)
{
    const int parts[] = {format->x, format->y, format->z, format->w};
    const bool is_float = format->f == cudaChannelFormatKindFloat;
    uint8_t channels = 0;

    while (channels < 4 && parts[channels] != 0) {
        channels++;
    }
    for (unsigned i = 1; i < 4; i++) {
        if (parts[i] != (i < channels ? parts[0] : 0)) {
            return runtime_refuse(cudaErrorInvalidChannelDescriptor, REFUSAL_VALUE);
        }
    }
    if ((channels != 1 && channels != 2 && channels != 4) ||
        (parts[0] != 8 && parts[0] != 16 && parts[0] != 32) || (is_float && parts[0] == 8) ||
        (!is_float && format->f != cudaChannelFormatKindSigned &&
         format->f != cudaChannelFormatKindUnsigned)) {
        return runtime_refuse(cudaErrorInvalidChannelDescriptor, REFUSAL_VALUE);
    }
    out_record->channels = channels;
    out_record->channel_bytes = (uint8_t)(parts[0] / 8);
    out_record->kind = is_float                                   ? TEXTURE_FLOAT
                       : format->f == cudaChannelFormatKindSigned ? TEXTURE_SIGNED
                                                                  : TEXTURE_UNSIGNED;
    return cudaSuccess;
}

cudaError_t runtime_allocate_texels(uint64_t bytes, uint64_t *out_address)
{
    cudaError_t error = runtime_allocate(bytes, out_address);

    if (error == cudaSuccess && !runtime_is_window_address((void *)(uintptr_t)*out_address)) {
        runtime_free(*out_address);
        error = runtime_refuse(cudaErrorNotSupported, REFUSAL_EMULATED_ONLY);
    }
    return error;
}
