/* gpu_model.c: the rows of gpu_models.def as structs, found by name. */
#include "base/text.h"
#include "occupancy/occupancy.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

/* What is the same for every model: see gpu_models.def. */
enum {
    REGISTERS = 65536,
    THREADS_PER_BLOCK = 1024,
    SHARED_PER_BLOCK_BYTES = 48 * 1024,
    CONSTANT_BYTES = 64 * 1024,
    WARP_SIZE = 32,
    GRID_Y = 65535,
    BLOCK_Z = 64,
};

static const struct gpu_model models[] = {
#define GPU_MODEL(model, device, major, minor, sms, threads, blocks, shared_kib, optin_kib,        \
                  reserved, memory, l2, clock, memory_clock, bus)                                  \
    {.name = model,                                                                                \
     .device_name = device,                                                                        \
     .compute_major = major,                                                                       \
     .compute_minor = minor,                                                                       \
     .multiprocessors = sms,                                                                       \
     .max_threads_per_multiprocessor = threads,                                                    \
     .max_threads_per_block = THREADS_PER_BLOCK,                                                   \
     .max_blocks_per_multiprocessor = blocks,                                                      \
     .registers_per_multiprocessor = REGISTERS,                                                    \
     .registers_per_block = REGISTERS,                                                             \
     .shared_per_multiprocessor_bytes = UINT64_C(1024) * shared_kib,                               \
     .shared_per_block_bytes = SHARED_PER_BLOCK_BYTES,                                             \
     .shared_per_block_optin_bytes = UINT64_C(1024) * optin_kib,                                   \
     .shared_reserved_per_block_bytes = reserved,                                                  \
     .global_memory_bytes = memory,                                                                \
     .l2_bytes = l2,                                                                               \
     .constant_bytes = CONSTANT_BYTES,                                                             \
     .clock_khz = clock,                                                                           \
     .memory_clock_khz = memory_clock,                                                             \
     .memory_bus_bits = bus,                                                                       \
     .warp_size = WARP_SIZE,                                                                       \
     .max_grid = {INT32_MAX, GRID_Y, GRID_Y},                                                      \
     .max_block = {THREADS_PER_BLOCK, THREADS_PER_BLOCK, BLOCK_Z}},
#include "occupancy/gpu_models.def"
#undef GPU_MODEL
};

enum { MODEL_COUNT = sizeof models / sizeof models[0] };

size_t gpu_model_count(void)
{
    return MODEL_COUNT;
}

const char *gpu_model_name(size_t index)
{
    assert(index < MODEL_COUNT);
    return models[index].name;
}

enum error gpu_model_find(const char *name, struct gpu_model *out_model,
                          struct diagnostic *diagnostic)
{
    struct text known;

    for (size_t i = 0; i < MODEL_COUNT; i++) {
        if (strcasecmp(models[i].name, name) == 0) {
            *out_model = models[i];
            return ERROR_NONE;
        }
    }
    text_init(&known);
    for (size_t i = 0; i < MODEL_COUNT; i++) {
        text_printf(&known, "%s%s", i == 0 ? "" : ", ", models[i].name);
    }
    diagnostic_set(diagnostic, BLAME_USAGE, "unknown GPU model '%s'; the known models are %s", name,
                   known.bytes);
    text_release(&known);
    return ERROR_NOT_FOUND;
}
