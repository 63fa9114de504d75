/* gpu_model_record.c: lays a GPU model out as bytes and reads it back:
 *
 *   name [64], device_name [128], then the numbers in the order of the struct, u64 each
 */
#include "occupancy/gpu_model_record.h"

#include <string.h>

enum { NARROW_COUNT = 18, WIDE_COUNT = 7, NAMES_BYTES = 64 + 128 };

/* The numbers of a model, by width. */
struct numbers {
    uint32_t *narrow[NARROW_COUNT];
    uint64_t *wide[WIDE_COUNT];
};

static struct numbers numbers_of(struct gpu_model *model)
{
    return (struct numbers){
        .narrow =
            {
                &model->compute_major,
                &model->compute_minor,
                &model->multiprocessors,
                &model->max_threads_per_multiprocessor,
                &model->max_threads_per_block,
                &model->max_blocks_per_multiprocessor,
                &model->registers_per_multiprocessor,
                &model->registers_per_block,
                &model->clock_khz,
                &model->memory_clock_khz,
                &model->memory_bus_bits,
                &model->warp_size,
                &model->max_grid[0],
                &model->max_grid[1],
                &model->max_grid[2],
                &model->max_block[0],
                &model->max_block[1],
                &model->max_block[2],
            },
        .wide =
            {
                &model->shared_per_multiprocessor_bytes,
                &model->shared_per_block_bytes,
                &model->shared_per_block_optin_bytes,
                &model->shared_reserved_per_block_bytes,
                &model->global_memory_bytes,
                &model->l2_bytes,
                &model->constant_bytes,
            },
    };
}

static void put(uint8_t *out, uint64_t value)
{
    for (size_t i = 0; i < sizeof value; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint64_t get(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof value; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

void gpu_model_pack(const struct gpu_model *model, uint8_t out[GPU_MODEL_RECORD_BYTES])
{
    struct gpu_model copy = *model;
    const struct numbers numbers = numbers_of(&copy);
    uint8_t *at = out + NAMES_BYTES;

    memset(out, 0, GPU_MODEL_RECORD_BYTES);
    memcpy(out, model->name, strnlen(model->name, sizeof model->name - 1));
    memcpy(out + sizeof model->name, model->device_name,
           strnlen(model->device_name, sizeof model->device_name - 1));
    for (size_t i = 0; i < NARROW_COUNT; i++, at += sizeof(uint64_t)) {
        put(at, *numbers.narrow[i]);
    }
    for (size_t i = 0; i < WIDE_COUNT; i++, at += sizeof(uint64_t)) {
        put(at, *numbers.wide[i]);
    }
}

/* What later code divides by, or counts up to. */
static bool is_sensible(const struct gpu_model *model)
{
    return model->name[0] != '\0' && model->warp_size == 32 && model->multiprocessors >= 1 &&
           model->multiprocessors <= 4096 && model->compute_major >= 1 &&
           model->max_threads_per_block >= 32 && model->max_threads_per_block <= 1024 &&
           model->max_threads_per_multiprocessor >= 32 &&
           model->max_threads_per_multiprocessor <= 8192 &&
           model->max_blocks_per_multiprocessor >= 1 && model->registers_per_multiprocessor >= 1 &&
           model->shared_per_block_bytes >= 1024 &&
           model->shared_per_multiprocessor_bytes >= model->shared_per_block_bytes &&
           model->shared_per_multiprocessor_bytes <= UINT64_C(16) << 20;
}

bool gpu_model_unpack(const uint8_t *bytes, size_t length, struct gpu_model *out_model)
{
    struct gpu_model model;
    const struct numbers numbers = numbers_of(&model);
    const uint8_t *at = bytes + NAMES_BYTES;

    if (length != GPU_MODEL_RECORD_BYTES) {
        return false;
    }
    memset(&model, 0, sizeof model);
    memcpy(model.name, bytes, sizeof model.name);
    memcpy(model.device_name, bytes + sizeof model.name, sizeof model.device_name);
    if (model.name[sizeof model.name - 1] != '\0' ||
        model.device_name[sizeof model.device_name - 1] != '\0') {
        return false;
    }
    for (size_t i = 0; i < NARROW_COUNT; i++, at += sizeof(uint64_t)) {
        if (get(at) > UINT32_MAX) {
            return false;
        }
        *numbers.narrow[i] = (uint32_t)get(at);
    }
    for (size_t i = 0; i < WIDE_COUNT; i++, at += sizeof(uint64_t)) {
        *numbers.wide[i] = get(at);
    }
    if (!is_sensible(&model)) {
        return false;
    }
    *out_model = model;
    return true;
}
