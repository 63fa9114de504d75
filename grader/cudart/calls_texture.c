/* calls_texture.c: texture and surface objects, which are records in device memory
 * (wire/texture_record.h). */
#include "cudart/runtime_array.h"

#include <stdlib.h>
#include <string.h>

enum { ADDRESS_ALIGNMENT = 512, PITCH_ALIGNMENT = 32 };

struct texture_object {
    struct texture_object *next;
    uint64_t address;
    bool is_surface;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc description;
};
static struct texture_object *objects;

void runtime_forget_textures(void)
{
    while (objects != NULL) {
        struct texture_object *object = objects;
        objects = object->next;
        free(object);
    }
}

/* The place of the pointer to an object; that to NULL if there is none. */
static struct texture_object **find_object(uint64_t address, bool is_surface)
{
    struct texture_object **place = &objects;

    while (*place != NULL && ((*place)->address != address || (*place)->is_surface != is_surface)) {
        place = &(*place)->next;
    }
    return place;
}

static cudaError_t read_linear(const struct cudaResourceDesc *resource,
                               struct texture_record *out_record)
{
    const uint64_t address = (uint64_t)(uintptr_t)resource->res.linear.devPtr;
    cudaError_t error = runtime_read_format(&resource->res.linear.desc, out_record);

    if (error != cudaSuccess) {
        return error;
    }
    const size_t texels = resource->res.linear.sizeInBytes / texture_texel_bytes(out_record);
    if (address == 0 || address % ADDRESS_ALIGNMENT != 0 || texels == 0 || texels > 1u << 28) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    out_record->is_linear_memory = 1;
    out_record->dimensions = 1;
    out_record->address = address;
    out_record->width = (uint32_t)texels;
    return cudaSuccess;
}

static cudaError_t read_pitched(const struct cudaResourceDesc *resource,
                                struct texture_record *out_record)
{
    const uint64_t address = (uint64_t)(uintptr_t)resource->res.pitch2D.devPtr;
    const size_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height;
    const size_t pitch = resource->res.pitch2D.pitchInBytes;
    cudaError_t error = runtime_read_format(&resource->res.pitch2D.desc, out_record);

    if (error != cudaSuccess) {
        return error;
    }
    if (address == 0 || address % ADDRESS_ALIGNMENT != 0 || pitch % PITCH_ALIGNMENT != 0 ||
        width == 0 || width > TEXTURE_WIDTH_MAX || height == 0 || height > TEXTURE_HEIGHT_MAX ||
        pitch > UINT32_MAX || pitch < width * texture_texel_bytes(out_record)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    out_record->dimensions = 2;
    out_record->is_pitched = 1;
    out_record->address = address;
    out_record->pitch = pitch;
    out_record->width = (uint32_t)width;
    out_record->height = (uint32_t)height;
    return cudaSuccess;
}

/* Fills in what a texture or surface reads from. */
static cudaError_t read_resource(const struct cudaResourceDesc *resource,
                                 struct texture_record *out_record)
{
    *out_record = (struct texture_record){
        .magic = TEXTURE_MAGIC, .width = 1, .height = 1, .depth = 1, .levels = 1};
    switch (resource->resType) {
    case cudaResourceTypeArray:
        if (!runtime_array_exists(resource->res.array.array)) {
            return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_ARRAY);
        }
        *out_record = resource->res.array.array->texels;
        out_record->levels = 1;
        return cudaSuccess;
    case cudaResourceTypeMipmappedArray:
        if (!runtime_levels_exist(resource->res.mipmap.mipmap)) {
            return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_ARRAY);
        }
        *out_record = resource->res.mipmap.mipmap->levels[0].texels;
        return cudaSuccess;
    case cudaResourceTypeLinear:
        return read_linear(resource, out_record);
    case cudaResourceTypePitch2D:
        return read_pitched(resource, out_record);
    default:
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
}

/* Fills in how a texture is read. */
static cudaError_t read_description(const struct cudaTextureDesc *from,
                                    struct texture_record *out_record)
{
    const bool is_float = out_record->kind == TEXTURE_FLOAT;
    const bool reads_fractions = !is_float && from->readMode == cudaReadModeNormalizedFloat;
    bool is_known = from->filterMode <= cudaFilterModeLinear &&
                    from->mipmapFilterMode <= cudaFilterModeLinear &&
                    from->readMode <= cudaReadModeNormalizedFloat;

    for (unsigned i = 0; i < 3; i++) {
        is_known = is_known && from->addressMode[i] <= cudaAddressModeBorder;
        out_record->modes[i] = (uint8_t)from->addressMode[i];
    }
    if (!is_known) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    if (from->sRGB != 0 || from->maxAnisotropy > 1 || from->seamlessCubemap != 0) {
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
    }
    if (from->filterMode == cudaFilterModeLinear && !is_float && !reads_fractions) {
        return runtime_refuse(cudaErrorInvalidFilterSetting, REFUSAL_VALUE);
    }
    if (reads_fractions && out_record->channel_bytes == 4) {
        return runtime_refuse(cudaErrorInvalidNormSetting, REFUSAL_VALUE);
    }
    out_record->is_filtered = from->filterMode == cudaFilterModeLinear;
    out_record->blends_levels = from->mipmapFilterMode == cudaFilterModeLinear;
    out_record->is_normalized = from->normalizedCoords != 0;
    out_record->reads_fractions = reads_fractions;
    memcpy(out_record->border, from->borderColor, sizeof(out_record->border));
    out_record->bias = from->mipmapLevelBias;
    out_record->least_level = from->minMipmapLevelClamp;
    out_record->most_level = from->maxMipmapLevelClamp;
    return cudaSuccess;
}

/* Makes the object of a record. */
static cudaError_t make_object(const struct texture_record *record,
                               const struct texture_object *from, unsigned long long *out_object)
{
    struct texture_object *object = malloc(sizeof(*object));
    struct runtime_area area = {.pitch = sizeof(*record), .width = sizeof(*record), .rows = 1};

    if (object == NULL) {
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    cudaError_t error = runtime_allocate_texels(sizeof(*record), &area.address);
    if (error == cudaSuccess) {
        error = runtime_upload(&area, record, sizeof(*record));
    }
    if (error != cudaSuccess) {
        free(object);
        return error;
    }
    *object = *from;
    object->next = objects;
    object->address = area.address;
    objects = object;
    *out_object = area.address;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *description,
                                    const struct cudaResourceViewDesc *view)
{
    struct texture_record record;

    runtime_enter(RUNTIME_CALL_cudaCreateTextureObject);
    if (texture == NULL || resource == NULL || description == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if (view != NULL && view->format != cudaResViewFormatNone) {
        return runtime_leave(runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED));
    }
    cudaError_t error = read_resource(resource, &record);
    if (error == cudaSuccess) {
        error = read_description(description, &record);
    }
    if (error == cudaSuccess) {
        struct texture_object object = {.resource = *resource, .description = *description};
        error = make_object(&record, &object, texture);
    }
    return runtime_leave(error);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource)
{
    struct texture_record record;

    runtime_enter(RUNTIME_CALL_cudaCreateSurfaceObject);
    if (surface == NULL || resource == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    cudaError_t error = read_resource(resource, &record);
    if (error == cudaSuccess &&
        (resource->resType != cudaResourceTypeArray ||
         (resource->res.array.array->flags & cudaArraySurfaceLoadStore) == 0)) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_NOT_FOR_SURFACES);
    }
    if (error == cudaSuccess) {
        struct texture_object object = {.resource = *resource, .is_surface = true};
        record.is_surface = 1;
        error = make_object(&record, &object, surface);
    }
    return runtime_leave(error);
}

static cudaError_t destroy(uint64_t address, bool is_surface)
{
    struct texture_object **place = find_object(address, is_surface);
    struct texture_object *object = *place;

    if (object == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NO_TEXTURE);
    }
    *place = object->next;
    free(object);
    return runtime_free(address);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    runtime_enter(RUNTIME_CALL_cudaDestroyTextureObject);
    return runtime_leave(destroy(texture, false));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    runtime_enter(RUNTIME_CALL_cudaDestroySurfaceObject);
    return runtime_leave(destroy(surface, true));
}

/* An object that exists, and a place for what is asked of it. */
static cudaError_t ask(uint64_t address, bool is_surface, const void *out,
                       struct texture_object **out_object)
{
    *out_object = *find_object(address, is_surface);
    if (out == NULL || *out_object == NULL) {
        return runtime_refuse(cudaErrorInvalidValue,
                              out == NULL ? REFUSAL_NULL_POINTER : REFUSAL_NO_TEXTURE);
    }
    return runtime_ready();
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture)
{
    struct texture_object *object;

    runtime_enter(RUNTIME_CALL_cudaGetTextureObjectResourceDesc);
    cudaError_t error = ask(texture, false, resource, &object);
    if (error == cudaSuccess) {
        *resource = object->resource;
    }
    return runtime_leave(error);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *description,
                                            cudaTextureObject_t texture)
{
    struct texture_object *object;

    runtime_enter(RUNTIME_CALL_cudaGetTextureObjectTextureDesc);
    cudaError_t error = ask(texture, false, description, &object);
    if (error == cudaSuccess) {
        *description = object->description;
    }
    return runtime_leave(error);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t surface)
{
    struct texture_object *object;

    runtime_enter(RUNTIME_CALL_cudaGetSurfaceObjectResourceDesc);
    cudaError_t error = ask(surface, true, resource, &object);
    if (error == cudaSuccess) {
        *resource = object->resource;
    }
    return runtime_leave(error);
}
