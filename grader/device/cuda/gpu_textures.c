/* gpu_textures.c: see gpu_textures.h. */
#include "device/cuda/gpu_textures.h"

#include <stdlib.h>
#include <string.h>

/* Arrays ************************************************************************************/

static CUarray_format format_of(const struct texture_record *record)
{
    static const CUarray_format formats[3][3] = {
        [TEXTURE_UNSIGNED] = {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16,
                              CU_AD_FORMAT_UNSIGNED_INT32},
        [TEXTURE_SIGNED] = {CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16,
                            CU_AD_FORMAT_SIGNED_INT32},
        [TEXTURE_FLOAT] = {CU_AD_FORMAT_HALF, CU_AD_FORMAT_HALF, CU_AD_FORMAT_FLOAT},
    };
    return formats[record->kind][record->channel_bytes / 2]; /* 1, 2 or 4 bytes */
}

/* What two objects of one array have in common. */
static struct texture_record shape_of(const struct texture_record *record)
{
    return (struct texture_record){
        .magic = record->magic,
        .dimensions = record->dimensions,
        .is_layered = record->is_layered,
        .address = record->address,
        .pitch = record->pitch,
        .width = record->width,
        .height = record->height,
        .depth = record->depth,
        .levels = record->levels,
        .channels = record->channels,
        .channel_bytes = record->channel_bytes,
        .kind = record->kind,
        .is_cube = record->is_cube,
        .is_gathered = record->is_gathered,
        .is_pitched = record->is_pitched,
    };
}

/* The bytes from the first texel to the last one. */
static uint64_t texel_bytes_of(const struct texture_record *record)
{
    const uint64_t row = (uint64_t)record->width * texture_texel_bytes(record);
    const uint64_t end = texture_record_level(record, record->levels).address - record->address;

    return record->is_linear_memory                           ? row
           : record->pitch > row && end > record->pitch - row ? end - (record->pitch - row)
                                                              : end;
}

static void destroy_array(const struct driver *driver, struct gpu_array *array)
{
    if (array->array != NULL) {
        driver->destroy_array(array->array);
    }
    if (array->levels != NULL) {
        driver->destroy_levels(array->levels);
    }
    *array = (struct gpu_array){.bytes = 0};
}

static CUresult make_array(const struct driver *driver, const struct texture_record *shape,
                           struct gpu_array *out_array)
{
    const CUDA_ARRAY3D_DESCRIPTOR sizes = {
        .Width = shape->width,
        .Height = shape->dimensions > 1 ? shape->height : 0,
        .Depth = shape->dimensions > 2 || shape->is_layered ? shape->depth : 0,
        .Format = format_of(shape),
        .NumChannels = shape->channels,
        /* the six layers of one cube are not counted as layers */
        .Flags = (shape->is_layered && !(shape->is_cube && shape->depth == 6) ? CUDA_ARRAY3D_LAYERED
                                                                              : 0u) |
                 (shape->is_cube ? CUDA_ARRAY3D_CUBEMAP : 0u) |
                 (shape->is_gathered ? CUDA_ARRAY3D_TEXTURE_GATHER : CUDA_ARRAY3D_SURFACE_LDST),
    };
    *out_array =
        (struct gpu_array){.shape = *shape, .bytes = texel_bytes_of(shape), .is_stale = true};
    return shape->levels > 1 ? driver->create_levels(&out_array->levels, &sizes, shape->levels)
                             : driver->create_array(&out_array->array, &sizes);
}

/* Enqueues the copies of all levels between memory and array. */
static CUresult copy_levels(const struct driver *driver, const struct gpu_array *array,
                            bool to_memory)
{
    CUresult copied = CUDA_SUCCESS;

    for (unsigned i = 0; i < array->shape.levels && copied == CUDA_SUCCESS; i++) {
        const struct texture_level level = texture_record_level(&array->shape, i);
        CUarray texels = array->array;
        CUDA_MEMCPY3D copy = {
            .srcMemoryType = to_memory ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_DEVICE,
            .dstMemoryType = to_memory ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_ARRAY,
            .WidthInBytes = (size_t)level.width * texture_texel_bytes(&array->shape),
            .Height = level.height,
            .Depth = level.depth,
        };
        if (array->levels != NULL) {
            copied = driver->level(&texels, array->levels, i);
        }
        if (to_memory) {
            copy.srcArray = texels;
            copy.dstDevice = level.address;
            copy.dstPitch = (size_t)level.pitch;
            copy.dstHeight = level.height;
        } else {
            copy.srcDevice = level.address;
            copy.srcPitch = (size_t)level.pitch;
            copy.srcHeight = level.height;
            copy.dstArray = texels;
        }
        copied = copied == CUDA_SUCCESS ? driver->enqueue_copy_3d(&copy, NULL) : copied;
    }
    return copied;
}

static bool overlaps(const struct gpu_array *array, uint64_t address, uint64_t length)
{
    return array->bytes > 0 && address < array->shape.address + array->bytes &&
           array->shape.address < address + length;
}

void gpu_textures_before_read(struct gpu_textures *textures, uint64_t address, uint64_t length)
{
    for (size_t i = 0; i < GPU_TEXTURES_MAX && textures->arrays != NULL; i++) {
        struct gpu_array *array = &textures->arrays[i];
        if (array->is_newer && overlaps(array, address, length)) {
            array->is_newer = false; /* a copy that fails leaves a dead context */
            copy_levels(textures->memory->driver, array, true);
        }
    }
}

void gpu_textures_before_write(struct gpu_textures *textures, uint64_t address, uint64_t length)
{
    gpu_textures_before_read(textures, address, length); /* part of it may stay */
    for (size_t i = 0; i < GPU_TEXTURES_MAX && textures->arrays != NULL; i++) {
        textures->arrays[i].is_stale |= overlaps(&textures->arrays[i], address, length);
    }
}

void gpu_textures_forget(struct gpu_textures *textures)
{
    for (size_t i = 0; i < GPU_TEXTURES_MAX && textures->arrays != NULL; i++) {
        textures->arrays[i].is_newer = false;
        textures->arrays[i].is_stale = true;
    }
}

/* Records have no gaps: what is not used is 0. */
static bool is_same(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct texture_record)) == 0;
}

/* Objects ***********************************************************************************/

static void destroy_object(struct gpu_textures *textures, struct gpu_texture *texture)
{
    const struct driver *driver = textures->memory->driver;

    if (texture->object != 0 && texture->record.is_surface) {
        driver->destroy_surface(texture->object);
    } else if (texture->object != 0) {
        driver->destroy_texture(texture->object);
    }
    *texture = (struct gpu_texture){.address = 0};
}

/* The object at an address; of address 0, a free place. */
static struct gpu_texture *find(const struct gpu_textures *textures, uint64_t address)
{
    for (size_t i = 0; i < GPU_TEXTURES_MAX && textures->known != NULL; i++) {
        if (textures->known[i].address == address) {
            return &textures->known[i];
        }
    }
    return NULL;
}

/* Destroys an array and the objects that are made of it. */
static void drop_array(struct gpu_textures *textures, struct gpu_array *array)
{
    for (size_t i = 0; i < GPU_TEXTURES_MAX; i++) {
        if (textures->known[i].array == array) {
            destroy_object(textures, &textures->known[i]);
        }
    }
    destroy_array(textures->memory->driver, array);
}

void gpu_textures_before_free(struct gpu_textures *textures, uint64_t address)
{
    const struct gpu_block *block = gpu_memory_find(textures->memory, address);

    if (textures->known == NULL || block == NULL) {
        return;
    }
    for (size_t i = 0; i < GPU_TEXTURES_MAX; i++) {
        if (overlaps(&textures->arrays[i], block->start, block->end - block->start)) {
            drop_array(textures, &textures->arrays[i]);
        }
        if (textures->known[i].address == block->start) {
            destroy_object(textures, &textures->known[i]);
        }
    }
}

void gpu_textures_note(struct gpu_textures *textures, uint64_t address, const void *bytes,
                       size_t length)
{
    struct texture_record record;
    struct gpu_texture *place = find(textures, address);

    if (length != sizeof record) {
        return;
    }
    memcpy(&record, bytes, sizeof record);
    if (!texture_record_is_valid(&record) || (place != NULL && is_same(&place->record, &record))) {
        return;
    }
    if (textures->known == NULL) {
        textures->known = calloc(GPU_TEXTURES_MAX, sizeof *textures->known);
        textures->arrays = calloc(GPU_TEXTURES_MAX, sizeof *textures->arrays);
        if (textures->known == NULL || textures->arrays == NULL) {
            abort();
        }
    }
    place = place != NULL ? place : find(textures, 0);
    if (place == NULL) {
        place = &textures->known[textures->next];
        textures->next = (textures->next + 1) % GPU_TEXTURES_MAX;
    }
    destroy_object(textures, place);
    *place = (struct gpu_texture){.address = address, .record = record};
}

/* The array of an object; there are as many places as there are objects. */
static CUresult find_array(struct gpu_textures *textures, struct gpu_texture *texture)
{
    const struct texture_record shape = shape_of(&texture->record);
    struct gpu_array *place = NULL;

    for (size_t i = 0; i < GPU_TEXTURES_MAX; i++) {
        struct gpu_array *array = &textures->arrays[i];
        if (array->bytes > 0 && is_same(&array->shape, &shape)) {
            texture->array = array;
            return CUDA_SUCCESS;
        }
        place = place == NULL && array->bytes == 0 ? array : place;
    }
    if (place == NULL) {
        place = &textures->arrays[textures->next];
        drop_array(textures, place);
    }
    CUresult made = make_array(textures->memory->driver, &shape, place);
    if (made != CUDA_SUCCESS) {
        destroy_array(textures->memory->driver, place);
        return made;
    }
    texture->array = place;
    return CUDA_SUCCESS;
}

static CUDA_TEXTURE_DESC description_of(const struct texture_record *record)
{
    CUDA_TEXTURE_DESC description = {
        .filterMode = record->is_filtered ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
        .mipmapFilterMode =
            record->blends_levels ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
        .flags =
            (record->kind != TEXTURE_FLOAT && !record->reads_fractions ? CU_TRSF_READ_AS_INTEGER
                                                                       : 0u) |
            (record->is_normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0u),
        .mipmapLevelBias = record->bias,
        .minMipmapLevelClamp = record->least_level,
        .maxMipmapLevelClamp = record->most_level,
    };
    for (size_t i = 0; i < 3; i++) {
        description.addressMode[i] = (CUaddress_mode)record->modes[i]; /* as the driver counts */
    }
    memcpy(description.borderColor, record->border, sizeof description.borderColor);
    return description;
}

static CUresult make_object(struct gpu_textures *textures, struct gpu_texture *texture)
{
    const struct driver *driver = textures->memory->driver;
    const struct texture_record *record = &texture->record;
    const CUDA_TEXTURE_DESC description = description_of(record);
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR};

    if (record->is_linear_memory) {
        resource.res.linear.devPtr = record->address;
        resource.res.linear.format = format_of(record);
        resource.res.linear.numChannels = record->channels;
        resource.res.linear.sizeInBytes = (size_t)texel_bytes_of(record);
    } else {
        CUresult found = find_array(textures, texture);
        if (found != CUDA_SUCCESS) {
            return found;
        }
        if (texture->array->levels != NULL) {
            resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
            resource.res.mipmap.hMipmappedArray = texture->array->levels;
        } else {
            resource.resType = CU_RESOURCE_TYPE_ARRAY;
            resource.res.array.hArray = texture->array->array;
        }
    }
    return record->is_surface
               ? driver->create_surface(&texture->object, &resource)
               : driver->create_texture(&texture->object, &resource, &description, NULL);
}

/* A launch ***********************************************************************************/

/* Brings the array of an object up to date. */
static CUresult refresh(struct gpu_textures *textures, struct gpu_array *array)
{
    const uint64_t address = array->shape.address;

    if (array->is_newer || !(array->is_stale || array->shape.is_pitched)) {
        return CUDA_SUCCESS;
    }
    gpu_textures_before_read(textures, address, array->bytes); /* of arrays that overlap it */
    array->is_stale = false;
    return copy_levels(textures->memory->driver, array, false);
}

static CUresult bind(struct gpu_textures *textures, struct gpu_texture *texture)
{
    CUresult result = CUDA_SUCCESS;

    if (textures->bound_count == GPU_TEXTURES_BOUND_MAX) {
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    if (texture->object == 0) {
        result = make_object(textures, texture);
    }
    if (result == CUDA_SUCCESS && texture->array != NULL) {
        result = refresh(textures, texture->array);
    }
    textures->bound[textures->bound_count++] = texture;
    return result;
}

/* True if all texels lie in one living block. */
static bool has_memory(const struct gpu_memory *memory, const struct texture_record *record)
{
    const struct gpu_block *block = gpu_memory_find(memory, record->address);

    return block != NULL && texel_bytes_of(record) <= block->end - record->address;
}

static bool keep_parameters(struct gpu_textures *textures, const void *parameters, size_t length)
{
    if (textures->parameter_bytes < length) {
        free(textures->parameters);
        textures->parameters = malloc(length);
        textures->parameter_bytes = textures->parameters != NULL ? length : 0;
    }
    if (textures->parameters != NULL) {
        memcpy(textures->parameters, parameters, length);
    }
    return textures->parameters != NULL;
}

CUresult gpu_textures_bind(struct gpu_textures *textures, const void **parameters, size_t length)
{
    textures->bound_count = 0;
    if (textures->known == NULL || length == 0) {
        return CUDA_SUCCESS;
    }
    if (!keep_parameters(textures, *parameters, length)) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *parameters = textures->parameters;
    for (size_t at = 0; at + sizeof(uint64_t) <= length; at += sizeof(uint64_t)) {
        uint64_t address;
        memcpy(&address, textures->parameters + at, sizeof address);
        struct gpu_texture *texture = address != 0 ? find(textures, address) : NULL;
        if (texture == NULL || !has_memory(textures->memory, &texture->record)) {
            continue;
        }
        CUresult result = bind(textures, texture);
        if (result != CUDA_SUCCESS) {
            return result;
        }
        memcpy(textures->parameters + at, &texture->object, sizeof texture->object);
    }
    return CUDA_SUCCESS;
}

void gpu_textures_after_launch(struct gpu_textures *textures)
{
    for (size_t i = 0; i < textures->bound_count; i++) {
        const struct gpu_texture *texture = textures->bound[i];
        if (!texture->record.is_surface || texture->array == NULL) {
            continue;
        }
        for (size_t k = 0; k < GPU_TEXTURES_MAX; k++) {
            struct gpu_array *other = &textures->arrays[k];
            other->is_stale |= other != texture->array &&
                               overlaps(other, texture->record.address, texture->array->bytes);
        }
        texture->array->is_newer = true;
    }
}

void gpu_textures_release(struct gpu_textures *textures)
{
    for (size_t i = 0; i < GPU_TEXTURES_MAX && textures->known != NULL; i++) {
        destroy_object(textures, &textures->known[i]);
        destroy_array(textures->memory->driver, &textures->arrays[i]);
    }
    free(textures->known);
    free(textures->arrays);
    free(textures->parameters);
    *textures = (struct gpu_textures){.known = NULL};
}
