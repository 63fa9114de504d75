/* runtime_array.h: arrays, for the calls that make, copy, read and write them.
 *
 * An array is memory of the device like any other, without gaps (wire/texture_record.h), so copies
 * of it are plain copies, and the device watches it as it watches all memory.
 */
#ifndef GPUGRADE_CUDART_RUNTIME_ARRAY_H
#define GPUGRADE_CUDART_RUNTIME_ARRAY_H

#include "cudart/runtime.h"
#include "wire/texture_record.h"

#include <cuda_array_types.h>

struct cudaArray {
    struct texture_record texels; /* but for how they are read */
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent;
    unsigned flags;
};

struct cudaMipmappedArray {
    struct cudaArray levels[TEXTURE_LEVELS_MAX]; /* [texels.levels of the first] */
};

/* True for an array or a level that exists, and for a mipmapped array that does. */
bool runtime_array_exists(cudaArray_const_t array);
bool runtime_levels_exist(cudaMipmappedArray_const_t levels);

/* Notes arrays that were made with malloc(), false without memory; forgets them, false if they do
 * not exist. A level is none of its own. */
bool runtime_keep_array(struct cudaArray *array);
bool runtime_keep_levels(struct cudaMipmappedArray *levels);
bool runtime_drop_array(cudaArray_const_t array);
bool runtime_drop_levels(cudaMipmappedArray_const_t levels);

/* Forgets all arrays and objects: the device was reset. */
void runtime_forget_arrays(void);
void runtime_forget_textures(void);

/* Fills in the texels' format. Errors: cudaErrorInvalidChannelDescriptor. */
cudaError_t runtime_read_format(const struct cudaChannelFormatDesc *format,
                                struct texture_record *out_record);

/* Allocates device memory for an array or an object. Errors: those of cudaMalloc;
 * cudaErrorNotSupported on a real GPU, which keeps both in another way. */
cudaError_t runtime_allocate_texels(uint64_t bytes, uint64_t *out_address);

#endif
