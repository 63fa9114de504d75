/* calls_array.c: arrays, mipmapped ones, and copies of rectangles of them. */
#include "cudart/runtime_array.h"

#include <stdlib.h>

/* Checks the sizes of an array and describes its texels, but for their address. */
static cudaError_t describe(const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                            unsigned flags, struct cudaArray *out_array)
{
    const unsigned known =
        cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
    const bool is_cube = (flags & cudaArrayCubemap) != 0;
    const bool is_layered = (flags & cudaArrayLayered) != 0;
    const bool has_depth = extent.depth != 0 && !is_cube && !is_layered;
    struct cudaArray array = {.format = *format, .extent = extent, .flags = flags};

    if ((flags & ~known) != 0) {
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
    }
    if (extent.width == 0 || extent.width > TEXTURE_WIDTH_MAX ||
        extent.height > TEXTURE_HEIGHT_MAX || extent.depth > TEXTURE_DEPTH_MAX ||
        (has_depth && extent.height == 0) || (is_layered && extent.depth == 0) ||
        (is_cube && (extent.height != extent.width || extent.depth % 6 != 0 || extent.depth == 0 ||
                     (!is_layered && extent.depth != 6)))) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    array.texels = (struct texture_record){
        .magic = TEXTURE_MAGIC,
        .dimensions = has_depth            ? 3
                      : extent.height != 0 ? 2
                                           : 1,
        .is_layered = is_cube || is_layered,
        .is_cube = is_cube,
        .is_gathered = (flags & cudaArrayTextureGather) != 0,
        .width = (uint32_t)extent.width,
        .height = extent.height != 0 ? (uint32_t)extent.height : 1,
        .depth = extent.depth != 0 ? (uint32_t)extent.depth : 1,
        .levels = 1,
    };
    cudaError_t error = runtime_read_format(format, &array.texels);
    if (error == cudaSuccess) {
        array.texels.pitch = (uint64_t)array.texels.width * texture_texel_bytes(&array.texels);
        *out_array = array;
    }
    return error;
}

/* Allocates the memory of described texels, all levels of them. */
static cudaError_t allocate(struct cudaArray *array)
{
    const struct texture_level end = texture_record_level(&array->texels, array->texels.levels);

    return runtime_allocate_texels(end.address, &array->texels.address);
}

static cudaError_t make_array(cudaArray_t *out_array, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned flags)
{
    struct cudaArray array = {0};

    if (out_array == NULL || format == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    cudaError_t error = describe(format, extent, flags, &array);
    if (error == cudaSuccess) {
        error = allocate(&array);
    }
    if (error != cudaSuccess) {
        return error;
    }
    struct cudaArray *made = malloc(sizeof(*made));
    if (made == NULL || !runtime_keep_array(made)) {
        free(made);
        runtime_free(array.texels.address);
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    *made = array;
    *out_array = made;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned flags)
{
    const struct cudaExtent extent = {width, height, 0};

    runtime_enter(RUNTIME_CALL_cudaMallocArray);
    return runtime_leave(make_array(array, format, extent, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaMalloc3DArray);
    return runtime_leave(make_array(array, format, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    runtime_enter(RUNTIME_CALL_cudaFreeArray);
    if (array == NULL) {
        return runtime_leave(runtime_ready());
    }
    if (!runtime_drop_array(array)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_ARRAY));
    }
    cudaError_t error = runtime_free(array->texels.address);
    free(array);
    return runtime_leave(error);
}

/* Makes an array of each level of a mipmapped one. */
static void split_levels(struct cudaMipmappedArray *levels, const struct cudaArray *whole)
{
    for (unsigned i = whole->texels.levels; i-- > 0;) {
        const struct texture_level level = texture_record_level(&whole->texels, i);
        struct cudaArray *array = &levels->levels[i];

        *array = *whole;
        array->texels.address = level.address;
        array->texels.pitch = level.pitch;
        array->texels.width = level.width;
        array->texels.height = level.height;
        array->texels.depth = level.depth;
        array->extent.width = level.width;
        array->extent.height = whole->extent.height != 0 ? level.height : 0;
        array->extent.depth = whole->extent.depth != 0 ? level.depth : 0;
    }
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *levels,
                                     const struct cudaChannelFormatDesc *format,
                                     struct cudaExtent extent, unsigned count, unsigned flags)
{
    struct cudaArray whole = {0};

    runtime_enter(RUNTIME_CALL_cudaMallocMipmappedArray);
    if (levels == NULL || format == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    cudaError_t error = describe(format, extent, flags, &whole);
    if (error == cudaSuccess && (count == 0 || count > TEXTURE_LEVELS_MAX)) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    if (error == cudaSuccess) {
        whole.texels.levels = (uint8_t)count;
        error = allocate(&whole);
    }
    if (error != cudaSuccess) {
        return runtime_leave(error);
    }
    struct cudaMipmappedArray *made = malloc(sizeof(*made));
    if (made == NULL || !runtime_keep_levels(made)) {
        free(made);
        runtime_free(whole.texels.address);
        return runtime_leave(runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY));
    }
    split_levels(made, &whole);
    *levels = made;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t levels)
{
    runtime_enter(RUNTIME_CALL_cudaFreeMipmappedArray);
    if (levels == NULL) {
        return runtime_leave(runtime_ready());
    }
    if (!runtime_drop_levels(levels)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_ARRAY));
    }
    cudaError_t error = runtime_free(levels->levels[0].texels.address);
    free(levels);
    return runtime_leave(error);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t levels,
                                       unsigned number)
{
    runtime_enter(RUNTIME_CALL_cudaGetMipmappedArrayLevel);
    if (array == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if (!runtime_levels_exist(levels)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_ARRAY));
    }
    if (number >= levels->levels[0].texels.levels) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    *array = (cudaArray_t)(uintptr_t)&levels->levels[number];
    return runtime_leave(runtime_ready());
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array)
{
    runtime_enter(RUNTIME_CALL_cudaArrayGetInfo);
    if (!runtime_array_exists(array)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_ARRAY));
    }
    if (format != NULL) {
        *format = array->format;
    }
    if (extent != NULL) {
        *extent = array->extent;
    }
    if (flags != NULL) {
        *flags = array->flags;
    }
    return runtime_leave(runtime_ready());
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array)
{
    runtime_enter(RUNTIME_CALL_cudaGetChannelDesc);
    if (format == NULL || !runtime_array_exists(array)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NO_ARRAY));
    }
    *format = array->format;
    return runtime_leave(runtime_ready());
}

/* A corner in an array, in bytes and rows. */
struct corner {
    cudaArray_const_t array;
    size_t x, y;
};

/* The address of a corner, from which a rectangle lies within the array. */
static cudaError_t find_corner(const struct corner *corner, size_t width, size_t rows,
                               void **out_address)
{
    if (!runtime_array_exists(corner->array)) {
        return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_ARRAY);
    }
    const struct texture_record *texels = &corner->array->texels;
    if (corner->x > texels->pitch || width > texels->pitch - corner->x ||
        corner->y > texels->height || rows > texels->height - corner->y) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_RANGE);
    }
    *out_address = (void *)(uintptr_t)(texels->address + corner->y * texels->pitch + corner->x);
    return cudaSuccess;
}

/* A rectangle between an array and memory, or two arrays: what is not an array is in `out`. */
static cudaError_t rectangle(const struct corner *target, const struct corner *source,
                             struct runtime_copy *out)
{
    cudaError_t error = cudaSuccess;
    void *address = NULL;

    if (target != NULL) {
        error = find_corner(target, out->width, out->rows, &address);
        out->target = address;
        out->target_pitch = error == cudaSuccess ? target->array->texels.pitch : 0;
    }
    if (error == cudaSuccess && source != NULL) {
        error = find_corner(source, out->width, out->rows, &address);
        out->source = address;
        out->source_pitch = error == cudaSuccess ? source->array->texels.pitch : 0;
    }
    return error;
}

/* The same for bytes that go on from row to row, which have no gaps between them. */
static cudaError_t stretch(const struct corner *target, const struct corner *source, size_t bytes,
                           struct runtime_copy *out)
{
    const struct corner *ends[] = {target, source};

    for (unsigned i = 0; i < 2; i++) {
        void *address = NULL;
        if (ends[i] == NULL) {
            continue;
        }
        cudaError_t error = find_corner(ends[i], 0, 0, &address);
        if (error != cudaSuccess) {
            return error;
        }
        const struct texture_record *texels = &ends[i]->array->texels;
        if (bytes > texels->pitch * (texels->height - ends[i]->y) - ends[i]->x) {
            return runtime_refuse(cudaErrorInvalidValue, REFUSAL_RANGE);
        }
        *(i == 0 ? &out->target : (void **)(uintptr_t)&out->source) = address;
    }
    out->width = out->target_pitch = out->source_pitch = bytes;
    out->rows = 1;
    return cudaSuccess;
}

/* Ends a call of a copy: at once, or in a stream. */
static cudaError_t finish(cudaError_t error, const struct runtime_copy *copy)
{
    return runtime_leave(error == cudaSuccess ? runtime_copy_and_wait(copy) : error);
}

static cudaError_t finish_async(cudaError_t error, const struct runtime_copy *copy,
                                cudaStream_t stream)
{
    struct runtime_op op = {.kind = OP_COPY, .copy = *copy};

    return runtime_leave(error == cudaSuccess ? runtime_submit(stream, &op) : error);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t target, size_t target_x, size_t target_y,
                                const void *source, size_t source_pitch, size_t width, size_t rows,
                                enum cudaMemcpyKind kind)
{
    const struct corner corner = {target, target_x, target_y};
    struct runtime_copy copy = {
        .source = source, .source_pitch = source_pitch, .width = width, .rows = rows, .kind = kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpy2DToArray);
    cudaError_t error = rectangle(&corner, NULL, &copy);
    return finish(error, &copy);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t target, size_t target_x, size_t target_y,
                                     const void *source, size_t source_pitch, size_t width,
                                     size_t rows, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct corner corner = {target, target_x, target_y};
    struct runtime_copy copy = {
        .source = source, .source_pitch = source_pitch, .width = width, .rows = rows, .kind = kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpy2DToArrayAsync);
    cudaError_t error = rectangle(&corner, NULL, &copy);
    return finish_async(error, &copy, stream);
}

cudaError_t cudaMemcpy2DFromArray(void *target, size_t target_pitch, cudaArray_const_t source,
                                  size_t source_x, size_t source_y, size_t width, size_t rows,
                                  enum cudaMemcpyKind kind)
{
    const struct corner corner = {source, source_x, source_y};
    struct runtime_copy copy = {
        .target = target, .target_pitch = target_pitch, .width = width, .rows = rows, .kind = kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpy2DFromArray);
    cudaError_t error = rectangle(NULL, &corner, &copy);
    return finish(error, &copy);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *target, size_t target_pitch, cudaArray_const_t source,
                                       size_t source_x, size_t source_y, size_t width, size_t rows,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct corner corner = {source, source_x, source_y};
    struct runtime_copy copy = {
        .target = target, .target_pitch = target_pitch, .width = width, .rows = rows, .kind = kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpy2DFromArrayAsync);
    cudaError_t error = rectangle(NULL, &corner, &copy);
    return finish_async(error, &copy, stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t target, size_t target_x, size_t target_y,
                                     cudaArray_const_t source, size_t source_x, size_t source_y,
                                     size_t width, size_t rows, enum cudaMemcpyKind kind)
{
    const struct corner to = {target, target_x, target_y}, from = {source, source_x, source_y};
    struct runtime_copy copy = {.width = width, .rows = rows, .kind = kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpy2DArrayToArray);
    cudaError_t error = rectangle(&to, &from, &copy);
    return finish(error, &copy);
}

cudaError_t cudaMemcpyToArray(cudaArray_t target, size_t target_x, size_t target_y,
                              const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct corner corner = {target, target_x, target_y};
    struct runtime_copy copy = {.source = source, .kind = kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpyToArray);
    cudaError_t error = stretch(&corner, NULL, bytes, &copy);
    return finish(error, &copy);
}

cudaError_t cudaMemcpyFromArray(void *target, cudaArray_const_t source, size_t source_x,
                                size_t source_y, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct corner corner = {source, source_x, source_y};
    struct runtime_copy copy = {.target = target, .kind = kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpyFromArray);
    cudaError_t error = stretch(NULL, &corner, bytes, &copy);
    return finish(error, &copy);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t target, size_t target_x, size_t target_y,
                                   cudaArray_const_t source, size_t source_x, size_t source_y,
                                   size_t bytes, enum cudaMemcpyKind kind)
{
    const struct corner to = {target, target_x, target_y}, from = {source, source_x, source_y};
    struct runtime_copy copy = {.kind = kind};

    runtime_enter(RUNTIME_CALL_cudaMemcpyArrayToArray);
    cudaError_t error = stretch(&to, &from, bytes, &copy);
    return finish(error, &copy);
}
