/* gpu_textures.h: texture and surface objects on a GPU.
 *
 * A program's object is the address of memory that holds a record (wire/texture_record.h). The
 * texels of an array are memory in rows; the program has no address of them. A GPU has objects and
 * arrays of its own:
 *
 *   record written -> noted -> a launch has its address as a parameter -> the object is made, once
 *   memory is written -> its array is stale -> copied to the array before a launch that reads it
 *   a launch has a surface -> its memory is stale -> copied to memory before that is read
 *
 * All copies are enqueued on the default stream. Linear memory is read where it is; rows that
 * kernels may write to are copied for each launch. The address of an object that lies in memory,
 * and is no parameter, is not known.
 */
#ifndef GPUGRADE_DEVICE_CUDA_GPU_TEXTURES_H
#define GPUGRADE_DEVICE_CUDA_GPU_TEXTURES_H

#include "device/cuda/gpu_memory.h"
#include "wire/texture_record.h"

enum { GPU_TEXTURES_MAX = 256, GPU_TEXTURES_BOUND_MAX = 64 };

/* An array of the GPU and the memory that it stands for. */
struct gpu_array {
    struct texture_record shape; /* of its texels alone */
    uint64_t bytes;              /* of all levels; 0: the place is free */
    CUarray array;               /* NULL: it has levels */
    CUmipmappedArray levels;
    bool is_stale; /* memory is newer */
    bool is_newer; /* than memory */
};

/* An object of the program, and what stands for it. */
struct gpu_texture {
    uint64_t address; /* 0: the place is free */
    struct texture_record record;
    unsigned long long object; /* 0: not made yet */
    struct gpu_array *array;   /* NULL: linear memory, or not made yet */
};

struct gpu_textures {
    const struct gpu_memory *memory;
    struct gpu_texture *known; /* [GPU_TEXTURES_MAX] owned; NULL: there was none yet */
    struct gpu_array *arrays;  /* likewise */
    size_t next;               /* is replaced where there is no free place */
    uint8_t *parameters;       /* [parameter_bytes] of the launch that is bound; owned */
    size_t parameter_bytes;
    struct gpu_texture *bound[GPU_TEXTURES_BOUND_MAX]; /* [bound_count] */
    size_t bound_count;
};

/* Notes what is written to memory, if it is a record. */
void gpu_textures_note(struct gpu_textures *textures, uint64_t address, const void *bytes,
                       size_t length);

/* Memory is going to be read; to be written; has been filled again as a whole; is going to be
 * freed. */
void gpu_textures_before_read(struct gpu_textures *textures, uint64_t address, uint64_t length);
void gpu_textures_before_write(struct gpu_textures *textures, uint64_t address, uint64_t length);
void gpu_textures_forget(struct gpu_textures *textures);
void gpu_textures_before_free(struct gpu_textures *textures, uint64_t address);

/* Puts objects in the place of the addresses of records among the parameters of a launch, and
 * enqueues the copies to their arrays. The new parameters are valid until the next launch. */
CUresult gpu_textures_bind(struct gpu_textures *textures, const void **parameters, size_t length);

/* The launch that was bound has been enqueued. */
void gpu_textures_after_launch(struct gpu_textures *textures);

/* Frees all objects; with a dead context the driver may keep some. */
void gpu_textures_release(struct gpu_textures *textures);

#endif
